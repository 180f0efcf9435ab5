"""SQL: dumps, SQLite and DuckDB files, databases behind a URL."""
