"""What each column of a table holds, by published model, header and values."""
