"""Computes the claim that a set of residues supports.

Safe Harbor is the strictest claim: a release that meets it also meets the two others. Neither of
these two is stricter than the other. A limited data set can be used at once under a data use
agreement but stays protected health information; an expert determination can de-identify data but
needs an analysis first. The supported claim is therefore

1. `safe_harbor` if its table permits every residue;
2. else the claim that was made, if its own table permits every residue;
3. else `limited_data_set`, which needs no further analysis;
4. else `expert_determination`: an expert may still support a claim;
5. else `none`.

An identifier without any residue was not evaluated. A text engine cannot evaluate biometrics and
photographs, so these two may be left to the person who signs, and their state says so. Any other
identifier that was not evaluated is a breach of every claim that names this identifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from safe_harbor.identifiers import Identifier
from safe_harbor.residues import Residue
from safe_harbor.rules import Claim, permission, refusal

BY_HAND = frozenset({Identifier.BIOMETRICS, Identifier.PHOTOS})
"""The identifiers that a person must evaluate; leaving them unevaluated is not a breach."""


class State(StrEnum):
    """The state of one identifier under a claim."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_EVALUATED = "NOT_EVALUATED"


@dataclass(frozen=True)
class Breach:
    """One residue that may not stay; `residue` is None if the identifier was not evaluated."""

    identifier: Identifier
    residue: Residue | None
    citation: str
    reason: str

    def __str__(self) -> str:
        left = self.residue or "not evaluated"
        return f"{self.identifier} ({left}): {self.reason} [{self.citation}]"


@dataclass(frozen=True)
class Verdict:
    """The claim made, the claim supported, and every breach of the claim made.

    `rule` is the deciding paragraph and `reason` explains it in a sentence. `states` holds all
    eighteen identifiers.
    """

    claimed: Claim
    supported: Claim
    breaches: tuple[Breach, ...]
    rule: str
    reason: str
    states: Mapping[Identifier, State]

    @property
    def holds(self) -> bool:
        """Whether the claim that was made is supported."""
        return not self.breaches


def check_claim(
    residues: Mapping[Identifier, Iterable[Residue]], claim: Claim | str = Claim.SAFE_HARBOR
) -> Verdict:
    """Check the residues of each identifier against a claim and report every breach.

    `residues` maps each evaluated identifier to what its transforms leave, or to `NOTHING` if the
    identifier was not found. An identifier that is missing or has no residues counts as not
    evaluated.

    Raises ValueError for an unknown claim, identifier or residue.

    >>> left = {word: {"tag"} for word in Identifier} | {"dates": {"shifted_date"}}
    >>> check_claim(left).supported.value
    'limited_data_set'
    """
    claim = Claim(claim)
    left = {word: frozenset[Residue]() for word in Identifier}
    for key, values in residues.items():
        left[Identifier(key)] = frozenset(Residue(value) for value in values)
    breaches = _breaches(left, claim)
    supported = _supported(left, claim)
    return Verdict(
        claimed=claim,
        supported=supported,
        breaches=breaches,
        rule=breaches[0].citation if breaches else supported.citation,
        reason=str(breaches[0]) if breaches else _REASONS[supported],
        states=MappingProxyType(
            {word: _identifier_state(word, left[word], claim) for word in Identifier}
        ),
    )


_REASONS = {
    Claim.SAFE_HARBOR: "of each of the eighteen identifiers that is found, the policy leaves only "
    "what (b)(2)(i) and (c) permit; a person must still sign the statement of (b)(2)(ii): no "
    "actual knowledge that the remaining information could identify a person",
    Claim.LIMITED_DATA_SET: "the policy removes or replaces each of the sixteen direct identifiers "
    "that is found; the output is still protected health information and needs a data use "
    "agreement",
    Claim.EXPERT_DETERMINATION: "the policy removes or replaces every direct identifier that is "
    "found, but leaves more than Safe Harbor allows; an expert must find and document that the "
    "risk is very small",
    Claim.NONE: "nothing was claimed",
}
_FALLBACKS = (Claim.LIMITED_DATA_SET, Claim.EXPERT_DETERMINATION)


def _supported(left: Mapping[Identifier, frozenset[Residue]], claim: Claim) -> Claim:
    tried = (Claim.SAFE_HARBOR, claim, *_FALLBACKS)
    claims = (c for c in tried if c is not Claim.NONE and not _breaches(left, c))
    return next(claims, Claim.NONE)


def _breaches(left: Mapping[Identifier, frozenset[Residue]], claim: Claim) -> tuple[Breach, ...]:
    """All breaches of a claim, in the order of the identifiers, then of the residues."""
    if claim is Claim.NONE:
        return ()
    found = []
    for word in Identifier:
        citation = _citation(word, claim)
        if not left[word] and word not in BY_HAND and citation:
            found.append(Breach(word, None, citation, "was not evaluated"))
        for residue in Residue:
            if residue in left[word] and not permission(claim, word, residue):
                derived = claim is Claim.SAFE_HARBOR and residue is Residue.DERIVED_CODE
                cited = "45 CFR 164.514(c)(1)" if derived else citation or claim.citation
                found.append(Breach(word, residue, cited, refusal(residue)))
    return tuple(found)


def _citation(word: Identifier, claim: Claim) -> str | None:
    """Return the paragraph that names the identifier under a claim; None if none does."""
    if claim is Claim.LIMITED_DATA_SET:
        return word.limited_data_set_citation
    return word.citation if claim is Claim.SAFE_HARBOR else claim.citation


def _identifier_state(word: Identifier, residues: frozenset[Residue], claim: Claim) -> State:
    if not residues:
        return State.NOT_EVALUATED
    if claim is Claim.NONE:
        claim = Claim.SAFE_HARBOR
    allowed = all(permission(claim, word, residue) for residue in residues)
    return State.PASS if allowed else State.FAIL
