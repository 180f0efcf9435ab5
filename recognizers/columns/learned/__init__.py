"""A decision about a column, learned from columns that a person labeled.

This folder imports from `model`, `text`, `words`, and the cells and headers of `columns`.
"""
