"""Decide each column of a table. The policy decides first, then a published model, then the profile
of the column.

A column is withheld if neither policy nor model covers it and its profile is not certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deid.columns.column_profiles import DescribedColumn, describe_columns, joins_tables
from deid.decision import ColumnDecision
from deid.errors import DeidError
from deid.formats import ReadOptions, RecordSource
from deid.naming.columns import rename_columns, withhold_name
from deid.policy.model import Policy
from deid.policy.table_rules import ColumnRule
from recognizers import (
    GENOMIC,
    ColumnProfile,
    explains,
    header_words,
    holds_value,
    is_genomic_header,
    word_evidence,
)
from safe_harbor import Identifier

# If this share of the headers are values, the first row may be a record.
_MANY_VALUES = 0.25
_INTERVAL, _SHIFT_BY = "interval(", "shift_by("
_SCORES = ("score", "reading", "wide_reading", "graded")
_BIRTHS = ("birth_date", "birth_year")
_BIRTH_ENTITIES = ("BIRTH_DATE", "BIRTH_YEAR", "AGE")
_RECORD_KEY = ColumnProfile(
    "identifier",
    Identifier.OTHERS,
    "OTHER_ID",
    "key",
    "",
    1.0,
    ("named with --id-column as the record ID",),
)
_TEXT = ColumnProfile(
    "text", None, "", "text", "", 1.0, ("named on the command line as the column of texts",)
)


def decide_columns(
    policy: Policy, relative: str, source: RecordSource, strict: bool, options: ReadOptions
) -> tuple[ColumnDecision, ...]:
    """One decision per column, in order."""
    decisions: list[ColumnDecision] = []
    seen = describe_columns(relative, source)
    values = 0 if getattr(source, "by_name", False) else _count_values(source.columns, seen)
    for index, (header, described) in enumerate(zip(source.columns, seen, strict=True)):
        rule = policy.column_rule(relative, header)
        if rule is not None:
            decisions.append(_by_rule(index, header, rule, described))
            _refuse_age_in_days(decisions[-1], rule)
        elif header in (options.text_column, options.id_column):
            named = _TEXT if header == options.text_column else _RECORD_KEY
            decisions.append(
                _named_by_user(_by_profile(index, header, DescribedColumn(named), policy))
            )
        else:
            decision = _by_profile(index, header, described, policy)
            decisions.append(_withheld_column(decision) if strict else decision)
    decisions = _renamed(policy, relative, source, _closed(source, decisions))
    if values > 1:
        among_many = values >= _MANY_VALUES * len(decisions)
        decisions = [_without_odd_name(decision, among_many) for decision in decisions]
    return _with_other_columns(decisions, source.columns)


def _renamed(
    policy: Policy, relative: str, source: RecordSource, decisions: list[ColumnDecision]
) -> list[ColumnDecision]:
    """Give the columns their released names; the paths of published formats keep theirs."""
    if getattr(source, "loci", None) is not None:
        return decisions
    return rename_columns(
        decisions,
        is_tree=bool(getattr(source, "by_name", False)),
        keeps_name=lambda column: policy.keeps_name(relative, column),
    )


def _closed(source: RecordSource, decisions: Sequence[ColumnDecision]) -> list[ColumnDecision]:
    """Mark the paths whose values the format itself compared with its lists."""
    listed: frozenset[str] = getattr(source, "closed_paths", frozenset())
    return [
        replace(d, is_closed=True) if d.original in listed and d.decided_by == "schema" else d
        for d in decisions
    ]


def _with_other_columns(
    decisions: Sequence[ColumnDecision], columns: Sequence[str]
) -> tuple[ColumnDecision, ...]:
    """Find the columns that actions name, and withhold each column of days by which dates shift."""
    found = [_with_other_column(decision, decisions, columns) for decision in decisions]
    days = {one.other_column for one in found if one.action.startswith(_SHIFT_BY)}
    return tuple(
        replace(one, action="drop", reason="the days by which dates are shifted")
        if one.index in days
        else one
        for one in found
    )


def _with_other_column(
    decision: ColumnDecision, decisions: Sequence[ColumnDecision], columns: Sequence[str]
) -> ColumnDecision:
    action, _, rest = decision.action.partition("(")
    if f"{action}(" not in (_INTERVAL, _SHIFT_BY):
        return decision
    name = rest.removesuffix(")")
    if name not in columns:
        raise DeidError(
            f"{'interval-index' if action == 'interval' else 'shift-column'}-missing",
            f"a table lacks the column that `{action}` names",
            hint=f"the name in `{action}(COLUMN)` must equal the header exactly",
        )
    index = columns.index(name)
    other = decisions[index]
    if action == "interval" and (other.birth or other.entity == "AGE"):
        raise _interval_from_birth()
    return replace(decision, other_column=index)


def _refuse_age_in_days(decision: ColumnDecision, rule: ColumnRule) -> None:
    """Refuse an interval from or to a birth date (an age), unless the rule declares it."""
    birth = decision.birth or decision.entity in _BIRTH_ENTITIES
    if decision.action.startswith(_INTERVAL) and birth and rule.entity not in _BIRTH_ENTITIES:
        raise _interval_from_birth()


def _interval_from_birth() -> DeidError:
    return DeidError(
        "interval-from-birth",
        "`interval` counts from or to a birth date, so its result is an age in days",
        hint="count from visit to visit, or release ages with `age_cap`",
    )


def _count_values(columns: Sequence[str], seen: Sequence[DescribedColumn]) -> int:
    """How many headers are values: the first row is data, or the table was pivoted."""
    doubtful = (
        name
        for name, described in zip(columns, seen, strict=True)
        if described.profile.shape not in _SCORES
    )
    return sum(bool(name.strip()) and holds_value(name) for name in doubtful)


def _without_odd_name(decision: ColumnDecision, among_many: bool) -> ColumnDecision:
    """Withhold an unusual header: beside headers that are values, it may also be a value.

    If only a few headers are values (`among_many` is false), the first row is not a record. Then
    only a header with the name of a person or place may also be a value.
    """
    named = decision.decided_by == "policy" or decision.path or decision.header is None
    named = named or decision.shape in _SCORES
    if named or explains(decision.out_header):
        return decision
    if not among_many and not _may_be_value(decision.out_header):
        return decision
    return withhold_name(decision)


def _may_be_value(header: str) -> bool:
    """Whether a word of the header is also the name of a person or place."""
    words = [word_evidence(word.casefold()) for word in header_words(header) if len(word) > 1]
    return any(word.bearers or word.place for word in words)


def _by_rule(
    index: int, header: str, rule: ColumnRule, described: DescribedColumn
) -> ColumnDecision:
    seen = described.profile
    entity = rule.kind if rule.identifier is not None else ""
    same = seen.identifier is rule.identifier and rule.entity in (None, seen.entity)
    kept = rule.action == "keep" and rule.identifier is None
    return ColumnDecision(
        index=index,
        header=header,
        out_header=header,
        original=header,
        action=rule.applied,
        decided_by="policy",
        reason=_named_reason(rule, header, described),
        identifier=rule.identifier,
        entity=seen.entity if same and seen.entity else entity,
        birth=seen.shape in _BIRTHS or rule.entity in ("BIRTH_DATE", "BIRTH_YEAR"),
        shape="named" if kept else seen.shape if same else "",
        role=seen.role,
        part=described.part,
        path=described.path,
    )


def _named_reason(rule: ColumnRule, header: str, described: DescribedColumn) -> str:
    """Return the policy's reason, with a note if the column that it keeps is genomic."""
    why = rule.reason or "named in the policy"
    genomic = GENOMIC in described.profile.reasons or is_genomic_header(header)
    return f"{why}; {GENOMIC}" if genomic and rule.action == "keep" else why


def _by_profile(
    index: int, header: str, described: DescribedColumn, policy: Policy
) -> ColumnDecision:
    seen = described.profile
    shown = described.path or header
    return ColumnDecision(
        index=index,
        header=None if shown == "*" else shown,
        out_header=header if shown == "*" else shown,
        original=header,
        action=_action(described, policy),
        decided_by="schema" if described.by_schema else "profiled",
        reason="; ".join(seen.reasons),
        identifier=seen.identifier,
        entity=seen.entity,
        birth=seen.shape in _BIRTHS,
        confidence=seen.confidence,
        shape=seen.shape,
        role=seen.role,
        part=described.part,
        path=described.path,
    )


def _named_by_user(decision: ColumnDecision) -> ColumnDecision:
    return replace(decision, decided_by="policy")


def _action(described: DescribedColumn, policy: Policy) -> str:
    seen = described.profile
    if seen.kind in ("keep", "text"):
        return seen.kind
    if seen.kind == "unsure":
        return "withhold"
    name = policy.transform_of(seen.entity).name
    if name == "tag" and policy.keys == "numbered" and joins_tables(described):
        return "number"
    if seen.role == "provider" and policy.providers == "keep" and seen.shape == "name":
        return "keep"
    return name


def _withheld_column(decision: ColumnDecision) -> ColumnDecision:
    why = "not named in the policy (--strict-columns)"
    return replace(decision, action="withhold", decided_by="profiled", reason=why)
