"""What a set of residues supports: the claim is computed, not typed.

How claims are ordered. Safe Harbor asks the most, and what meets it meets the two others, too. A
limited data set and an expert determination do not rank: the first may be used at once but only
under a data use agreement, and stays protected health information; the second may become
de-identified, but only after an analysis. So the supported claim is

1. `safe_harbor` if its table lets every residue stay;
2. else the claim that was made, if its own table does;
3. else `limited_data_set`, which needs no further analysis;
4. else `expert_determination`: there is no claim yet, but an expert might find one;
5. else `none`.

What was not evaluated. An identifier without any residue was not looked at. A text engine cannot
judge biometrics and photographs, so these two may be left open for the person who signs, and their
state says so. Any other identifier left open is a breach of every claim that names it.
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
"""The identifiers that may stay unevaluated without a breach: a person has to look."""


class State(StrEnum):
    """What is known of one identifier under a claim."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_EVALUATED = "NOT_EVALUATED"


@dataclass(frozen=True)
class Breach:
    """One residue that may not stay; `residue` is None where the identifier was not evaluated."""

    identifier: Identifier
    residue: Residue | None
    citation: str
    reason: str

    def __str__(self) -> str:
        left = self.residue or "not evaluated"
        return f"{self.identifier} ({left}): {self.reason} [{self.citation}]"


@dataclass(frozen=True)
class Verdict:
    """What was claimed, what is supported, and every breach of what was claimed.

    `rule` is the paragraph that decided and `reason` says how, in a sentence. `states` holds all
    eighteen.
    """

    claimed: Claim
    supported: Claim
    breaches: tuple[Breach, ...]
    rule: str
    reason: str
    states: Mapping[Identifier, State]

    @property
    def holds(self) -> bool:
        """Whether the claim that was made may be made."""
        return not self.breaches

    @property
    def not_evaluated(self) -> tuple[Identifier, ...]:
        """The identifiers that a person still has to look at."""
        return tuple(word for word, state in self.states.items() if state is State.NOT_EVALUATED)


def check(
    residues: Mapping[Identifier, Iterable[Residue]], claim: Claim | str = Claim.SAFE_HARBOR
) -> Verdict:
    """Judges what is left of each identifier against a claim, with every breach at once.

    `residues` gives, for each identifier that was looked at, what its transforms leave; `NOTHING`
    where none was found. A word that is missing or without residues counts as not evaluated.

    Raises ValueError for a word that is no claim, identifier or residue.

    >>> check({word: {"tag"} for word in Identifier} | {"dates": {"shifted_date"}}).supported.value
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
        states=MappingProxyType({word: _state(word, left[word], claim) for word in Identifier}),
    )


_REASONS = {
    Claim.SAFE_HARBOR: "of what is found of the eighteen identifiers, the policy leaves only what "
    "(b)(2)(i) and (c) permit; that nobody knows how to identify a person from it, (b)(2)(ii), is "
    "for a person to sign",
    Claim.LIMITED_DATA_SET: "of what is found of the sixteen direct identifiers, the policy leaves "
    "nothing; this is still protected health information and needs a data use agreement",
    Claim.EXPERT_DETERMINATION: "the policy leaves no direct identifier that is found, but more "
    "than Safe Harbor allows; an expert must find and document that the risk is very small",
    Claim.NONE: "nothing was claimed",
}
_FALLBACKS = (Claim.LIMITED_DATA_SET, Claim.EXPERT_DETERMINATION)


def _supported(left: Mapping[Identifier, frozenset[Residue]], claim: Claim) -> Claim:
    tried = (Claim.SAFE_HARBOR, claim, *_FALLBACKS)
    claims = (c for c in tried if c is not Claim.NONE and not _breaches(left, c))
    return next(claims, Claim.NONE)


def _breaches(left: Mapping[Identifier, frozenset[Residue]], claim: Claim) -> tuple[Breach, ...]:
    """In the order of the rule, then of the residues."""
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
    """The paragraph that names the identifier under a claim, or None if none does."""
    if claim is Claim.LIMITED_DATA_SET:
        return word.limited_data_set_citation
    return word.citation if claim is Claim.SAFE_HARBOR else claim.citation


def _state(word: Identifier, residues: frozenset[Residue], claim: Claim) -> State:
    if not residues:
        return State.NOT_EVALUATED
    if claim is Claim.NONE:
        claim = Claim.SAFE_HARBOR
    allowed = all(permission(claim, word, residue) for residue in residues)
    return State.PASS if allowed else State.FAIL
