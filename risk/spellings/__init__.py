"""Parse the spellings of values: spans of numbers and ages, dates, and the words for sex, race and
unknown.

From `risk`, this folder imports only `risk.errors`.
"""
