"""How one value is written: spans of numbers and ages, and the words for sex, race and unknown.

Imports `risk.errors` only.
"""
