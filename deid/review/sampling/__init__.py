"""Which notes are read, and what bound the reading supports."""
