"""PDF: the text layer in reading order, or new pages with the replaced words covered."""
