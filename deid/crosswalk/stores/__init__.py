"""The stores of a crosswalk: SQLite and PostgreSQL behind one contract."""
