"""Dates in digits and in words, seasons, holidays, and ages over 89.

This folder imports from the same folders as `evidence`.
"""
