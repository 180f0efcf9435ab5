"""`deid plan`: finds generalization and suppression that meet a risk limit, and writes them as a
policy.
"""
