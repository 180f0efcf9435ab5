"""Finds the other occurrences of a value that was found for certain once.

This folder imports from `evidence`, `text` and `words`.
"""
