"""What must go, and what may stay: 45 CFR 164.514 as data. Standard library only."""

from safe_harbor.identifiers import Identifier
from safe_harbor.residues import Residue

__all__ = ["Identifier", "Residue"]
