"""What does a column of a table seem to be, by its header and its values?

Imports `model`, `text` and `words`.
"""
