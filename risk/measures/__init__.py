"""The risk of a table: re-identification, attribute disclosure, links to a population.

Imports from tables, population and estimators.
"""
