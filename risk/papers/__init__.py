"""Tables of the papers, computed again: the published figures beside the figures that this package
computes.

This folder imports from every folder of `risk` except `estimators` and `reports`.
"""
