"""Fixed-width tables, read with a layout."""
