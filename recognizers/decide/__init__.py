"""Which evidence makes a finding, where the finding begins and ends, and which overlaps stay.

Imports `evidence`, `model`, `text` and `words`.
"""
