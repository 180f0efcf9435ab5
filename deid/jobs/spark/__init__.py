"""The same work on Spark executors, over encrypted messages; the only importer of pyspark."""
