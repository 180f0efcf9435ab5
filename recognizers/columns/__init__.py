"""What a column of a table seems to be, by its header and its values."""
