"""How do our recognizers plug into Presidio, and a hospital's own into this engine?

Imports `known` and `words`.
"""
