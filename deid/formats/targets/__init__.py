"""Targets for the tables of a release: a database, a DuckDB file, a folder of Parquet."""
