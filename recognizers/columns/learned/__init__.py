"""What columns like this one were: a decision learned from columns that a person labeled.

Imports `model`, `text`, `words` and the cells and headers of `columns`.
"""
