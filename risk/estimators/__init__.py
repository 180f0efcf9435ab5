"""Population uniques estimated from a sample, for tables without a known population.

Each estimator is a module with one public function. It takes the class frequencies, returns the
expected number of population uniques, and raises `ArithmeticError` if there is no solution.
`estimation` runs all of them, with intervals and warnings.

This folder imports from `risk.tables`.
"""
