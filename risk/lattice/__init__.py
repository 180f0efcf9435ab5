"""The search for the generalization levels of least loss that meet the risk limits.

Imports from tables and hierarchies.
"""
