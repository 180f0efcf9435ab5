"""Texts in the form that the rules read: normalized letters, lines, cells, amounts with units.

This folder imports from `words`.
"""
