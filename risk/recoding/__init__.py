"""Recoding methods: full-domain, local, Mondrian, cell suppression, k^m code sets.

This folder imports from `risk.tables`, `risk.hierarchies` and `risk.lattice`.
"""
