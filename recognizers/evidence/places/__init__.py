"""Streets, roads, towns, counties, ZIP codes and facilities.

Imports `evidence.names` and what `evidence` may import.
"""
