"""Tables as integer codes, and their rows grouped into equivalence classes or persons.

Imports `risk.errors` only.
"""
