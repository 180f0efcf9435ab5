"""What was seen in a text: rules, their context, and the register of the files of rules.

Imports `text` and `words`.
"""
