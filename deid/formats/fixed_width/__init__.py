"""Tables of fixed width, read by a layout."""
