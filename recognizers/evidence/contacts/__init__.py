"""Telephone and fax numbers, e-mail addresses, URLs and IP addresses.

Imports what `evidence` may import.
"""
