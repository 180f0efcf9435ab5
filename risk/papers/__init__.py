"""Tables of the papers, computed again: what was published beside what this package computes.

Imports from every folder of `risk` but estimators and reports.
"""
