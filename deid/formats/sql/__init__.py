"""SQL: dumps, SQLite and DuckDB files, databases at a URL."""
