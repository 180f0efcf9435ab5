"""Where else does a value stand that is certain in one place?

Imports `evidence`, `text` and `words`.
"""
