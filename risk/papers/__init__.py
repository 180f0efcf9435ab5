"""Tables of the papers, computed again beside the published figures.

This folder imports from every folder of `risk` except `estimators` and `reports`.
"""
