"""The search for the generalization levels of least loss that meet the risk limits.

This folder imports from `risk.tables` and `risk.hierarchies`.
"""
