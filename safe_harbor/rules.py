"""The residues permitted under each claim, with the paragraph that permits each.

The table is `permitted.csv`. A residue that is not in it may not stay. It applies to any policy,
even with transforms unknown to this package, because every transform declares its residues.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from safe_harbor.identifiers import Identifier
from safe_harbor.residues import Residue
from safe_harbor.tables import read_rows, sha256_of


class Claim(StrEnum):
    """A claim that can be made about a release."""

    SAFE_HARBOR = "safe_harbor"
    """De-identified under 164.514(b)(2): the eighteen identifiers are removed."""
    LIMITED_DATA_SET = "limited_data_set"
    """164.514(e): the sixteen identifiers are removed. Still PHI; needs a data use agreement."""
    EXPERT_DETERMINATION = "expert_determination"
    """164.514(b)(1): may be de-identified, if an expert finds and documents a very small risk."""
    NONE = "none"
    """An identified record."""

    @property
    def citation(self) -> str:
        """The paragraph that the claim is based on."""
        return _PARAGRAPHS[self]


_PARAGRAPHS = {
    Claim.SAFE_HARBOR: "45 CFR 164.514(b)(2)",
    Claim.LIMITED_DATA_SET: "45 CFR 164.514(e)(2)",
    Claim.EXPERT_DETERMINATION: "45 CFR 164.514(b)(1)",
    Claim.NONE: "45 CFR 164.514(a)",
}


@dataclass(frozen=True)
class Permission:
    """One row of the table: this residue of this identifier may stay under this claim."""

    claim: Claim
    identifier: Identifier
    residue: Residue
    citation: str
    why: str


@lru_cache
def permissions() -> tuple[Permission, ...]:
    """Every row of permitted.csv, in its order."""
    return tuple(
        Permission(
            claim=Claim(row["claim"]),
            identifier=Identifier(row["identifier"]),
            residue=Residue(row["residue"]),
            citation=row["citation"],
            why=row["why"],
        )
        for row in read_rows("permitted.csv")
    )


def permission(claim: Claim, identifier: Identifier, residue: Residue) -> Permission | None:
    """The row that permits a residue, or None if it may not stay."""
    return _by_cell().get((claim, identifier, residue))


def permitted(claim: Claim, identifier: Identifier) -> frozenset[Residue]:
    """The residues permitted for an identifier under a claim; none under `none`."""
    return frozenset(
        row.residue for row in permissions() if (row.claim, row.identifier) == (claim, identifier)
    )


@lru_cache
def refusal(residue: Residue) -> str:
    """The reason, in a sentence from refused.csv, why a residue may not stay."""
    return {row["residue"]: row["reason"] for row in read_rows("refused.csv")}[residue]


def rules_sha256() -> str:
    """The SHA-256 of permitted.csv."""
    return sha256_of("permitted.csv")


@lru_cache
def _by_cell() -> dict[tuple[Claim, Identifier, Residue], Permission]:
    return {(row.claim, row.identifier, row.residue): row for row in permissions()}
