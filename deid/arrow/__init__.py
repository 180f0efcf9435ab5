"""Arrow batches: each distinct cell is asked once, batches are worked in parallel."""
