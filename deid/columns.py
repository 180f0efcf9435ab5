"""What happens to each column of a table: the policy decides, then the published model, then the
profile where it is sure. A column that none of them answers for does not leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from types import MappingProxyType

from deid.births import find_births
from deid.columns_nested import (
    LARGEST_SAMPLE,
    Judge,
    is_within,
    judged_path,
    own_path,
    part_of,
    place_of,
)
from deid.decision import Decision
from deid.errors import DeidError
from deid.formats import Locus, ReadOptions, Record, Source
from deid.policy import Policy
from deid.policy_tables import ColumnRule
from deid.schema import find_schema
from recognizers import ColumnProfile, explains, holds_value, is_null, profile
from safe_harbor import Identifier, may_be_counted_otherwise

SAMPLE = 2000
_LEAST_NUMBERED, _DIFFERENT = 5, 0.9
_SCORES = ("score", "reading", "graded")
_KEYS = ("patient_key", "key", "account")
_BIRTHS = ("birth_date", "birth_year")
_BIRTH_ENTITIES = ("BIRTH_DATE", "BIRTH_YEAR", "AGE")
_KEY = ColumnProfile(
    "identifier", Identifier.OTHERS, "OTHER_ID", "key", "", 1.0, ("named as the record's id",)
)
_TEXT = ColumnProfile("text", None, "", "text", "", 1.0, ("named on the command line as text",))
_NOTE = ColumnProfile("text", None, "", "text", "", 1.0, ("the text of the documents",))
_BIRTH = ColumnProfile(
    "quasi", Identifier.DATES, "BIRTH_DATE", "birth_date", "", 0.9, ("ages count from it",)
)
_COUNTED = ColumnProfile(
    "unsure", None, "", "", "", 0.0, ("numbers of days that may count from 1899, 1960 or 1970",)
)
_UNNAMED = ColumnProfile(
    "unsure", None, "", "", "", 0.0, ("a path the format's table does not name",)
)
_DOUBLED = ColumnProfile("unsure", None, "", "", "", 0.0, ("another column has the same name",))


@dataclass(frozen=True, slots=True)
class Described:
    """What a column is, and whether a published model or the profile says so.

    `path` is set for a path of a published format, `part` is what its values tell of the person.
    """

    profile: ColumnProfile
    by_schema: bool = False
    path: str = ""
    part: str = ""


def describe(relative: str, source: Source) -> tuple[Described, ...]:
    """What each column seems to be: by published model, else by header and a sample of values."""
    loci = getattr(source, "loci", None)
    if loci is not None:
        return tuple(_at(locus) for locus in loci)
    if getattr(source, "by_name", False):
        return _nested(relative, source)
    sample = [r.cells for r in islice(source.records(), SAMPLE) if isinstance(r, Record)]
    return _described(relative, source.columns, sample, partial(_profiled, source=source))


def _described(
    relative: str,
    columns: Sequence[str],
    sample: Sequence[Sequence[str | None]],
    judge: Judge,
    pooled: Mapping[str, Sequence[str | None]] = MappingProxyType({}),
) -> tuple[Described, ...]:
    """Each column by published model, or by the judge of its header and values."""
    schema = find_schema(relative, columns)
    described = []
    times = Counter(columns)
    for index, header in enumerate(columns):
        if header.strip() and times[header] > 1:
            described.append(Described(_DOUBLED))
            continue
        known = None if schema is None else schema.column(header.strip())
        values = pooled.get(header) or [cells[index] for cells in sample]
        if known is not None and not (known.shape == "coded" and _number_rows(header, values)):
            described.append(Described(known, by_schema=True))
            continue
        described.append(Described(judge(header, values)))
    return _with_counts(_with_births(described, sample), sample)


def _nested(relative: str, source: Source) -> tuple[Described, ...]:
    """Paths of records: a path is judged once, by the values of all the columns it heads."""
    records = source.sample(SAMPLE)  # type: ignore[attr-defined]
    prefixes = source.prefixes  # type: ignore[attr-defined]
    places = place_of(source.columns)
    rows = [record.cells for record in records]
    pooled = {
        path: list(islice((c[n] for c in rows for n in found if c[n] is not None), LARGEST_SAMPLE))
        for path, found in places.items()
    }
    first = [
        tuple(next((c[n] for n in found if c[n] is not None), None) for found in places.values())
        for c in rows
    ]

    def judge(path: str, values: Sequence[str | None]) -> ColumnProfile:
        own = own_path(path, prefixes)
        if not is_within(own) and own in ("text", "id"):
            return _profiled(own, values, source, [own_path(p, prefixes) for p in places])
        return judged_path(path, prefixes, values, profile)

    found = zip(places, _described(relative, tuple(places), first, judge, pooled), strict=True)
    by_path = {
        path: replace(d, path=path, part=part_of(path, prefixes, d.profile))
        if is_within(own_path(path, prefixes))
        else d
        for path, d in found
    }
    return tuple(by_path[path] for path in source.columns)


def _with_counts(
    described: Sequence[Described], sample: Sequence[Sequence[str | None]]
) -> tuple[Described, ...]:
    """Births told as numbers of days are withheld where it is not sure what day they count from."""
    return tuple(
        Described(_COUNTED)
        if d.profile.shape == "birth_date"
        and may_be_counted_otherwise([c for cells in sample if (c := cells[n]) and not is_null(c)])
        else d
        for n, d in enumerate(described)
    )


def _with_births(
    described: Sequence[Described], sample: Sequence[Sequence[str | None]]
) -> tuple[Described, ...]:
    """Dates are births where the patient's ages count from them."""
    ages = [n for n, d in enumerate(described) if d.profile.shape == "age" and not d.profile.role]
    dates = {
        n: [cells[n] for cells in sample]
        for n, d in enumerate(described if ages else ())
        if d.profile.shape == "date" and d.profile.entity == "DATE_TIME" and not d.by_schema
    }
    born = {n for age in ages for n in find_births(dates, [cells[age] for cells in sample])}
    return tuple(Described(_BIRTH) if n in born else d for n, d in enumerate(described))


def _at(locus: Locus | None) -> Described:
    """A path of a published format; one that its table does not name never leaves."""
    if locus is None:
        return Described(_UNNAMED, by_schema=True, path="*")
    return Described(locus.profile, by_schema=True, path=locus.path, part=locus.part)


def _profiled(
    header: str,
    values: Sequence[str | None],
    source: Source,
    columns: Sequence[str] | None = None,
) -> ColumnProfile:
    names = source.columns if columns is None else columns
    if header == "text" and (len(names) == 1 or "id" in names):
        return _NOTE
    if header == "id" and "text" in names and _is_counter(values):
        why = "the ordinal of the document"
        return ColumnProfile("keep", None, "", "counter", "", 0.9, (why,))
    if header in getattr(source, "nested", ()):
        why = "lists and objects are not searched"
        return ColumnProfile("unsure", None, "", "", "", 0.0, (why,))
    return profile(header, values)


def _number_rows(header: str, values: Sequence[str | None]) -> bool:
    """Nearly all different, with digits: `STUDYID` is one protocol's in CDISC, and a subject's in
    tables that only look like it, where it may come again with every visit."""
    seen = [value for value in values if value and not is_null(value)]
    different = len(set(seen))
    if not all(any(map(str.isdigit, value)) for value in seen):
        return False
    if header.strip().upper() == "STUDYID":
        return different >= _LEAST_NUMBERED or 1 < different == len(seen)
    return different >= _DIFFERENT * len(seen) and len(seen) >= _LEAST_NUMBERED


def _is_counter(values: Sequence[str | None]) -> bool:
    """One short prefix and a number that counts the documents: it says nothing of anybody."""
    if len(values) < 2 or not all(value and value[-1].isdigit() for value in values):
        return False
    pairs = [_split(value) for value in values if value]
    first = pairs[0][1]
    counts = all(number == first + place for place, (_, number) in enumerate(pairs))
    return counts and first in (0, 1) and len({p for p, _ in pairs}) == 1 and len(pairs[0][0]) <= 5


def _split(value: str) -> tuple[str, int]:
    head = value.rstrip("0123456789")
    return head, int(value[len(head) :])


def decide(
    policy: Policy, relative: str, source: Source, strict: bool, options: ReadOptions
) -> tuple[Decision, ...]:
    """One decision a column, in order."""
    decisions: list[Decision] = []
    seen = describe(relative, source)
    bare = not getattr(source, "by_name", False) and _lacks_headers(source.columns, seen)
    for index, (header, described) in enumerate(zip(source.columns, seen, strict=True)):
        rule = policy.column_rule(relative, header)
        if rule is not None:
            decisions.append(_by_rule(index, header, rule, described))
            _refuse_age_in_days(decisions[-1], rule)
        elif header in (options.text_column, options.id_column):
            named = _TEXT if header == options.text_column else _KEY
            decisions.append(_named_by_user(_by_profile(index, header, Described(named), policy)))
        else:
            decision = _by_profile(index, header, described, policy)
            decisions.append(_withheld(decision) if strict else decision)
    decisions = [_unnamed(decision) if bare else decision for decision in decisions]
    return tuple(_counting(decision, decisions, source.columns) for decision in decisions)


def _counting(
    decision: Decision, decisions: Sequence[Decision], columns: Sequence[str]
) -> Decision:
    """An interval with the column it counts from, which must be a date and no birth."""
    if not decision.action.startswith("interval("):
        return decision
    name = decision.action.removeprefix("interval(").removesuffix(")")
    if name not in columns:
        raise DeidError(
            "interval-index-missing",
            "a table lacks the column an interval counts from",
            hint="`interval(COLUMN)` is compared letter by letter with the header",
        )
    index = columns.index(name)
    if decisions[index].birth or decisions[index].entity == "AGE":
        raise _from_birth()
    return replace(decision, counts_from=index)


def _refuse_age_in_days(decision: Decision, rule: ColumnRule) -> None:
    """A birth whose rule does not call it one was judged as any date, of which days may stay."""
    birth = decision.birth or decision.entity in _BIRTH_ENTITIES
    if decision.action.startswith("interval(") and birth and rule.entity not in _BIRTH_ENTITIES:
        raise _from_birth()


def _from_birth() -> DeidError:
    return DeidError(
        "interval-from-birth",
        "an interval counts from or to a birth, which makes it an age",
        hint="count from visit to visit, or give ages with `age_cap`",
    )


def _lacks_headers(columns: Sequence[str], seen: Sequence[Described]) -> bool:
    """Several headers are values: the first row is no row of headers, or one made by pivoting."""
    doubtful = (
        name
        for name, described in zip(columns, seen, strict=True)
        if described.profile.shape not in _SCORES
    )
    return sum(bool(name.strip()) and holds_value(name) for name in doubtful) > 1


def _unnamed(decision: Decision) -> Decision:
    """Beside headers that are values, a word that no table is named with may be one, too."""
    named = decision.decided_by == "policy" or decision.path or decision.header is None
    named = named or decision.shape in _SCORES
    if named or explains(decision.out_header):
        return decision
    return replace(decision, header=None, out_header=f"column_{decision.index + 1}")


def _named(index: int, header: str) -> tuple[str | None, str]:
    """The header as it may be shown, and as it is written: not at all if it holds a value."""
    if holds_value(header) or not header.strip():
        return None, f"column_{index + 1}"
    return header, header


def _by_rule(index: int, header: str, rule: ColumnRule, described: Described) -> Decision:
    seen = described.profile
    entity = rule.kind if rule.identifier is not None else ""
    same = seen.identifier is rule.identifier and rule.entity in (None, seen.entity)
    kept = rule.action == "keep" and rule.identifier is None
    return Decision(
        index=index,
        header=header,
        out_header=header,
        action=rule.applied,
        decided_by="policy",
        reason=rule.reason or "named in the policy",
        identifier=rule.identifier,
        entity=seen.entity if same and seen.entity else entity,
        birth=seen.shape in _BIRTHS or rule.entity in ("BIRTH_DATE", "BIRTH_YEAR"),
        shape="named" if kept else seen.shape if same else "",
        role=seen.role,
        part=described.part,
        path=described.path,
    )


def _by_profile(index: int, header: str, described: Described, policy: Policy) -> Decision:
    seen = described.profile
    # `Berg` over small numbers is the scale.
    shown, written = (header, header) if seen.shape in _SCORES else _named(index, header)
    if described.path:
        shown = None if described.path == "*" else described.path
        written = shown or written
    return Decision(
        index=index,
        header=shown,
        out_header=written,
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


def _named_by_user(decision: Decision) -> Decision:
    return replace(decision, decided_by="policy")


def joins_tables(described: Described) -> bool:
    """Is it a key that joins tables? A plan's number is one where a published model says so."""
    shape = described.profile.shape
    return shape in _KEYS or (described.by_schema and shape == "plan")


def _action(described: Described, policy: Policy) -> str:
    seen = described.profile
    if seen.kind in ("keep", "text"):
        return seen.kind
    if seen.kind == "unsure":
        return "withhold"
    name = policy.transform_of(seen.entity).name
    if name == "tag" and policy.keys == "numbered" and joins_tables(described):
        return "number"
    if seen.shape == "date_part" and name == "year":
        return "remove"
    if seen.role == "provider" and policy.providers == "keep" and seen.shape == "name":
        return "keep"
    return name


def _withheld(decision: Decision) -> Decision:
    why = "not named in the policy (--strict-columns)"
    return replace(decision, action="withhold", decided_by="profiled", reason=why)
