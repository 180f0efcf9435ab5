"""Plans of a release: find, save and repeat a plan, and compare it with other policies.

This folder imports from every folder of `risk` except `exposure`, `estimators` and `reports`.
"""
