"""Dates in digits and in words, seasons, holidays, and ages over 89.

Imports what `evidence` may import.
"""
