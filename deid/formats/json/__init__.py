"""JSON lines and JSON of records."""
