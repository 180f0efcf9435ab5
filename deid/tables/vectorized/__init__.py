"""The table flow column by column, over Arrow batches: each distinct cell is worked once."""
