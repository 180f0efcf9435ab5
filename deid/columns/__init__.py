"""What each column of a table seems to be, by published model, header and values."""
