"""Plain text: one file, one document."""
