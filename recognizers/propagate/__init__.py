"""Finds the other occurrences of a value that was once found for certain."""
