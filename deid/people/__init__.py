"""Whose record is this? Known values, roles, and the keys that link rows to patients."""
