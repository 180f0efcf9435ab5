"""The work of `deid.jobs.local` on Spark executors (pyspark), through encrypted messages."""
