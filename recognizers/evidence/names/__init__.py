"""Evidence of names of persons.

Imports what `evidence` may import.
"""
