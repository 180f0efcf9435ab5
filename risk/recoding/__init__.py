"""Recoding methods: full-domain, local, Mondrian, cell suppression, k^m code sets.

Imports from tables, hierarchies and lattice.
"""
