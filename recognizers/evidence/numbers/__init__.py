"""Numbers and codes that somebody gave out: SSNs, record numbers, plans, accounts, devices.

Imports `evidence.names` and what `evidence` may import.
"""
