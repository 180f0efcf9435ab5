"""What a column of a table seems to be, by its header and its values.

This folder imports from `model`, `text` and `words`.
"""
