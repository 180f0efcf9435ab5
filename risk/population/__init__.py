"""Census counts with their source, and how many people each record could be.

Imports from tables.
"""
