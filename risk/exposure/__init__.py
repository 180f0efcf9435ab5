"""How much of a population a policy leaves exposed to an attacker (Benitez & Malin 2010).

Imports from tables, population and measures.
"""
