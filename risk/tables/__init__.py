"""Tables as integer codes, and their rows grouped into equivalence classes or persons.

From `risk`, this folder imports only `risk.errors`.
"""
