"""Work on Arrow batches: distinct cells are checked once, and processes share the batches."""
