"""Initials of persons, where legends, rows, entries and signatures explain them.

Imports `evidence.names` and what `evidence` may import.
"""
