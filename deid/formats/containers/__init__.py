"""ZIP archives and gzip files."""
