"""Plans of a release: find, save and repeat one, compare it with other policies.

Imports from every folder of `risk` but exposure, estimators and reports.
"""
