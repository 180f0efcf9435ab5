"""How many people are unique when the population is not known: estimates from a sample of it.

Each estimator is a module here with a function `uniques(frequencies) -> float`, which raises
`ArithmeticError` where it has no solution; `estimation` asks them all, with intervals and warnings.
"""
