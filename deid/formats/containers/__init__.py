"""ZIP and tar archives, and gzip files."""
