"""Decide which evidence makes a finding, where it begins and ends, and how overlaps end.

This folder imports from `evidence`, `model`, `text` and `words`.
"""
