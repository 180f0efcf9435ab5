"""Finds the other places of a value that was found for certain in one place.

Imports `evidence`, `text` and `words`.
"""
