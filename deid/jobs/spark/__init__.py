"""The work of `deid.jobs.local` on Spark executors, over encrypted messages; uses pyspark."""
