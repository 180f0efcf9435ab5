"""How risky is what is left? Re-identification risk of a table. Knows nothing of HIPAA."""
