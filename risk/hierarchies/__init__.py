"""Generalization hierarchies: built in by type, guessed from values, or read from ARX files.

This folder imports from `risk.tables`.
"""
