"""What a cell looks like, and whether it may be released in its column."""
