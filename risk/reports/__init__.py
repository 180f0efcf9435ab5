"""Risk and exposure results as self-contained HTML pages and PDF.

This folder imports from `risk.measures`, `risk.exposure` and `risk.population`.
"""
