"""Risk and exposure results as self-contained HTML pages and PDF.

Imports from measures, exposure and population.
"""
