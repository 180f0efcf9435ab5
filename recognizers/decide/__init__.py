"""Which evidence makes a finding, where the finding begins and ends, and which overlaps stay.

This folder imports from `evidence`, `model`, `text` and `words`.
"""
