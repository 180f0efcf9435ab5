"""Compare two people's classifications of the same columns: differences and Cohen's kappa."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deid.policy.differences import SettingDifference
from deid.policy.differences import differing_settings as differing_settings
from deid.policy.model import Policy
from deid.policy.table_rules import ColumnRule
from deid.vocabularies.wording import NAME, names_nobody
from risk import kappa

NOT_NAMED = "not named"
_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ColumnDifference:
    """A column that two policies class differently; `header` is None if it is not approved."""

    position: int
    header: str | None
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """How far two classifications agree. A kappa is None if chance alone gives full agreement.

    Classes with a kappa above 0.8 are reliable (Cohen, Educ Psychol Meas 1960; El Emam uses the
    same threshold for direct and quasi-identifiers).
    """

    columns: int
    by_role: float | None
    by_word: float | None
    differing: tuple[ColumnDifference, ...]
    settings: tuple[SettingDifference, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The comparison for JSON, without values of the data."""
        return {
            "columns": self.columns,
            "kappa_roles": self.by_role,
            "kappa_identifiers": self.by_word,
            "differing": [
                {"position": d.position, "header": d.header, "one": d.one, "other": d.other}
                for d in self.differing
            ],
            "settings": [{"name": s.name, "one": s.one, "other": s.other} for s in self.settings],
        }


def compare_columns(one: Policy, other: Policy) -> ColumnAgreement:
    """Compare the column rules of two policies.

    A column that one policy omits has a class of its own there. `settings` lists the differences in
    settings of the whole job.
    """
    first, second = _rules_by_column(one), _rules_by_column(other)
    keys = list(dict.fromkeys([*first, *second]))
    if not keys:
        return ColumnAgreement(0, None, None, (), differing_settings(one, other))
    pairs = [(first.get(key), second.get(key)) for key in keys]
    differing = [
        ColumnDifference(
            position,
            key[1] if names_nobody(key[1], NAME) else None,
            _shown_rule(pair[0]),
            _shown_rule(pair[1]),
        )
        for position, (key, pair) in enumerate(zip(keys, pairs, strict=True), 1)
        if _shown_rule(pair[0]) != _shown_rule(pair[1])
    ]
    return ColumnAgreement(
        len(keys),
        kappa([rule_class(a) for a, _ in pairs], [rule_class(b) for _, b in pairs]),
        kappa([_rule_words(a) for a, _ in pairs], [_rule_words(b) for _, b in pairs]),
        tuple(differing),
        differing_settings(one, other),
    )


def _rules_by_column(policy: Policy) -> dict[_Key, ColumnRule]:
    return {(rule.table, rule.name or rule.pattern or ""): rule for rule in policy.columns}


def rule_class(rule: ColumnRule | None) -> str:
    """Return the class a rule gives its column: the stated role, else what its action implies."""
    if rule is None:
        return NOT_NAMED
    if rule.role is not None:
        return rule.role
    if rule.action == "text":
        return "text"
    if rule.identifier is None:
        return "keep" if rule.action == "keep" else "unsure"
    return "direct" if rule.action in ("remove", "drop", "tag", "code", "number") else "quasi"


def _rule_words(rule: ColumnRule | None) -> str:
    if rule is None:
        return NOT_NAMED
    return "none" if rule.identifier is None else rule.identifier.value


def _shown_rule(rule: ColumnRule | None) -> str:
    if rule is None:
        return NOT_NAMED
    role, word = rule_class(rule), _rule_words(rule)
    shown = role if word == "none" else f"{role} ({word})"
    return shown if shown == rule.action else f"{shown}, {rule.action}"
