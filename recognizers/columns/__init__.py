"""What does a column of a table seem to be, by its header and its values?

Imports `text` and `words`.
"""
