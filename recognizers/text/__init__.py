"""How is a text read: its letters normalized, its lines and cells laid out, its figures with units?

Imports `words`.
"""
