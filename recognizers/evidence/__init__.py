"""Evidence of identifiers in a text: the rows of `tables/`, and functions where grammar needs code.

This folder imports from `text` and `words`.
"""
