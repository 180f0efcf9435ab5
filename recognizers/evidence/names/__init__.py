"""Names of persons and of employers.

Imports what `evidence` may import.
"""
