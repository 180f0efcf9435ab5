"""Which patient each record belongs to: known values, roles, and keys that link rows."""
