"""The risk of a table: re-identification, attribute disclosure, links to a population.

This folder imports from `risk.tables`, `risk.population` and `risk.estimators`.
"""
