"""Which of what was seen is a finding, where does it begin and end, and which one of several stays?

Imports `evidence`, `model`, `text` and `words`.
"""
