"""The trained model: for each word piece of a text, the probability of each label.

This folder imports from `text` and `words`.
"""
