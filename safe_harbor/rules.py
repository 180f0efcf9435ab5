"""The table of what may stay under each claim, with the paragraph that lets it: permitted.csv.

What is not in the table may not stay. The table judges any policy, also one whose transforms this
package never heard of, because every transform declares the residue it leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from safe_harbor.identifiers import Identifier
from safe_harbor.residues import Residue
from safe_harbor.tables import read_rows, sha256_of


class Claim(StrEnum):
    """What may be said of a release."""

    SAFE_HARBOR = "safe_harbor"
    """De-identified by 164.514(b)(2): the eighteen are gone."""
    LIMITED_DATA_SET = "limited_data_set"
    """164.514(e): the sixteen are gone. Still protected health information, under an agreement."""
    EXPERT_DETERMINATION = "expert_determination"
    """164.514(b)(1): may be de-identified, if an expert finds and documents a very small risk."""
    NONE = "none"
    """An identified record."""

    @property
    def citation(self) -> str:
        """The paragraph the claim rests on."""
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
    """The row that lets a residue stay, or None when it may not."""
    return _by_cell().get((claim, identifier, residue))


def permitted(claim: Claim, identifier: Identifier) -> frozenset[Residue]:
    """Every residue of an identifier that may stay under a claim; none of them under `none`."""
    return frozenset(
        row.residue for row in permissions() if (row.claim, row.identifier) == (claim, identifier)
    )


@lru_cache
def refusal(residue: Residue) -> str:
    """Why a residue may not stay where the table does not let it, in a sentence: refused.csv."""
    return {row["residue"]: row["reason"] for row in read_rows("refused.csv")}[residue]


def rules_sha256() -> str:
    """The SHA-256 of the table of what may stay."""
    return sha256_of("permitted.csv")


@lru_cache
def _by_cell() -> dict[tuple[Claim, Identifier, Residue], Permission]:
    return {(row.claim, row.identifier, row.residue): row for row in permissions()}
