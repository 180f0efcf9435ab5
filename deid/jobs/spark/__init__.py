"""The same work on executors elsewhere, over sealed messages; the one door to pyspark."""
