"""A decision about a column, learned from columns that a person labeled.

Imports `model`, `text`, `words` and the cells and headers of `columns`.
"""
