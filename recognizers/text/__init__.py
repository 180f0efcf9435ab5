"""Texts as the rules read them: normalized letters, lines and cells, amounts with their units.

Imports `words`.
"""
