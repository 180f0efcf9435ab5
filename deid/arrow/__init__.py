"""Arrow batches: each distinct cell is judged once; processes share the batches of a table."""
