"""The search of lattices too large to enumerate.

Counted nodes rule out other nodes, and an integer program bounds the loss. This folder imports from
`risk.lattice`.
"""
