"""Hierarchies: how a value is told ever more coarsely, read from a file or built by type."""
