"""Evidence of names of persons.

This folder imports from the same folders as `evidence`.
"""
