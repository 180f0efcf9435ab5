"""Where a crosswalk keeps its rows: SQLite or PostgreSQL behind one contract."""
