"""Finds the other occurrences of a value that was found for certain once.

Imports `evidence`, `text` and `words`.
"""
