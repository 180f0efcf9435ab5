"""Typed columns: Arrow batches, Parquet, SAS."""
