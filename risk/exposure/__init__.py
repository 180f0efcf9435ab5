"""How much of a population a policy leaves exposed to an attacker (Benitez & Malin 2010).

This folder imports from `risk.tables`, `risk.population` and `risk.measures`.
"""
