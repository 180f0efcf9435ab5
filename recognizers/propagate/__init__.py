"""Finds the other occurrences of a value that was once found for certain.

This folder imports from `evidence`, `text` and `words`.
"""
