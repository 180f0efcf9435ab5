"""The search of lattices too large to enumerate: counted nodes rule out others, a program bounds.

Imports from the lattice around it.
"""
