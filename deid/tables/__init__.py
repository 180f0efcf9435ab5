"""The table flow: rows and cells changed as their columns were decided."""
