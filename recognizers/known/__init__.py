"""Where a text contains the known values of its patient.

This folder imports from `decide`, `text` and `words`.
"""
