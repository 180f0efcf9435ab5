"""Find the patient of each record: known values, roles, and keys that link rows."""
