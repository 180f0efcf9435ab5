"""Where the tables of a release are loaded: a database, a DuckDB file, a folder of Parquet."""
