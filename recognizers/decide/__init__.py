"""Which evidence makes a finding, where it begins and ends, and which of overlapping ones stays.

Imports `evidence`, `model`, `text` and `words`.
"""
