"""Parse the spellings of values.

They are spans of numbers and ages, dates, and the words for sex, race and unknown. From `risk`,
this folder imports only `risk.errors`.
"""
