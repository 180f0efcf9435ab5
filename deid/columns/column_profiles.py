"""What each column of a table holds, from a published model or from its header and values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from types import MappingProxyType

from deid.columns.birth_columns import find_births
from deid.columns.flat_elements import by_element, element_profiles
from deid.columns.flat_views import by_view, flat_view
from deid.formats import Record, RecordSource
from deid.formats.nested_columns import (
    MOST_JUDGED_VALUES,
    Judge,
    is_within,
    judged_path,
    name_part_at,
    own_path,
    path_places,
)
from deid.vocabularies.data_models import find_schema
from deid.vocabularies.locus import Locus
from recognizers import GENOMIC, ColumnProfile, are_genomic, is_null, profile
from safe_harbor import Identifier, may_be_counted_otherwise

PROFILE_SAMPLE = 2000
_LEAST_NUMBERED, _DIFFERENT = 5, 0.9
_KEYS = ("patient_key", "key", "account")
_NOTE = ColumnProfile("text", None, "", "text", "", 1.0, ("the text of the documents",))
_BIRTH = ColumnProfile(
    "quasi",
    Identifier.DATES,
    "BIRTH_DATE",
    "birth_date",
    "",
    0.9,
    ("the ages of the table count from this date",),
)
_DAY_COUNT = ColumnProfile(
    "unsure", None, "", "", "", 0.0, ("the numbers may be days since 1899, 1960 or 1970",)
)
_UNNAMED_PATH = ColumnProfile(
    "unsure", None, "", "", "", 0.0, ("the path is not in the table of the format",)
)
_GENOMIC = ColumnProfile("unsure", None, "", "", "", 0.0, (GENOMIC,))
_DUPLICATE_NAME = ColumnProfile(
    "unsure", None, "", "", "", 0.0, ("another column has the same name",)
)


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """What a column holds, and whether a published model (`by_schema`) or the profile says so.

    `path` is set for a path of a published format. `part` is the part of a name or address that the
    values hold.
    """

    profile: ColumnProfile
    by_schema: bool = False
    path: str = ""
    part: str = ""


def settled_profile(
    action: str,
    leaves: bool,
    identifier: Identifier | None,
    entity: str,
    shape: str = "",
    role: str = "",
) -> ColumnProfile:
    """Return the profile of a column whose action is settled by a rule or a decision.

    It is `unsure` if the column is not released and its identifier is not given.
    """
    if action == "text":
        return ColumnProfile("text", None, "", "text", "", 1.0, ())
    if identifier is not None:
        return ColumnProfile("identifier", identifier, entity, shape, role, 1.0, ())
    if not leaves:
        return ColumnProfile("unsure", None, "", "", "", 0.0, ())
    return ColumnProfile("keep", None, "", shape, "", 1.0, ())


def describe_columns(relative: str, source: RecordSource) -> tuple[DescribedColumn, ...]:
    """Describe each column by a published model. Without a model, describe it by its header and a
    sample of its values.
    """
    loci = getattr(source, "loci", None)
    if loci is not None:
        return tuple(_by_locus(locus) for locus in loci)
    if getattr(source, "by_name", False):
        return _nested(relative, source)
    sample = [r.cells for r in islice(source.records(), PROFILE_SAMPLE) if isinstance(r, Record)]
    return _described(relative, source.columns, sample, partial(_profiled, source=source))


def _described(
    relative: str,
    columns: Sequence[str],
    sample: Sequence[Sequence[str | None]],
    judge: Judge,
    pooled: Mapping[str, Sequence[str | None]] = MappingProxyType({}),
) -> tuple[DescribedColumn, ...]:
    """Describe each column by a published model, or else by `judge` of its header and values."""
    schema = find_schema(relative, columns)
    view = (None,) * len(columns) if schema else flat_view(relative, columns)
    elements = (None,) * len(columns) if schema else element_profiles(columns)
    described = []
    times = Counter(columns)
    for index, header in enumerate(columns):
        if header.strip() and times[header] > 1:
            described.append(DescribedColumn(_DUPLICATE_NAME))
            continue
        known = None if schema is None else schema.column(header.strip())
        values = pooled.get(header) or [cells[index] for cells in sample]
        if known is not None and known.kind == "keep" and are_genomic(header, _present(values)):
            described.append(DescribedColumn(_GENOMIC))
            continue
        if known is not None and not (known.shape == "coded" and _number_rows(header, values)):
            described.append(DescribedColumn(known, by_schema=True))
            continue
        judged = by_element(elements[index], judge(header, values))
        described.append(DescribedColumn(by_view(view[index], judged)))
    return _with_counts(_with_births(described, sample), sample)


def _present(values: Sequence[str | None]) -> list[str]:
    return [value for value in values if value and not is_null(value)]


def _nested(relative: str, source: RecordSource) -> tuple[DescribedColumn, ...]:
    """Describe the paths of nested records, each once, by the values of all its columns."""
    records = source.sample(PROFILE_SAMPLE)  # type: ignore[attr-defined]
    prefixes = source.prefixes  # type: ignore[attr-defined]
    places = path_places(source.columns)
    rows = [record.cells for record in records]
    pooled = {
        path: list(
            islice((c[n] for c in rows for n in found if c[n] is not None), MOST_JUDGED_VALUES)
        )
        for path, found in places.items()
    }
    first = [
        tuple(next((c[n] for n in found if c[n] is not None), None) for found in places.values())
        for c in rows
    ]

    def judge(path: str, values: Sequence[str | None]) -> ColumnProfile:
        own = own_path(path, prefixes)
        searched = path not in getattr(source, "nested", ())
        if not is_within(own) and (own in ("text", "id") or not searched):
            return _profiled(own, values, source, [own_path(p, prefixes) for p in places])
        return judged_path(path, prefixes, values, profile)

    found = zip(places, _described(relative, tuple(places), first, judge, pooled), strict=True)
    by_path = {
        path: replace(d, path=path, part=name_part_at(path, prefixes, d.profile))
        if is_within(own_path(path, prefixes))
        else d
        for path, d in found
    }
    for path, locus in getattr(source, "loci_at", {}).items():
        by_path[path] = _by_locus(locus)
    return tuple(by_path[path] for path in source.columns)


def _with_counts(
    described: Sequence[DescribedColumn], sample: Sequence[Sequence[str | None]]
) -> tuple[DescribedColumn, ...]:
    """Withhold birth dates written as day counts if the day from which they count is uncertain."""
    return tuple(
        DescribedColumn(_DAY_COUNT)
        if d.profile.shape == "birth_date"
        and may_be_counted_otherwise([c for cells in sample if (c := cells[n]) and not is_null(c)])
        else d
        for n, d in enumerate(described)
    )


def _with_births(
    described: Sequence[DescribedColumn], sample: Sequence[Sequence[str | None]]
) -> tuple[DescribedColumn, ...]:
    """Treat dates as birth dates if the patient's ages are counted from them."""
    ages = [n for n, d in enumerate(described) if d.profile.shape == "age" and not d.profile.role]
    dates = {
        n: [cells[n] for cells in sample]
        for n, d in enumerate(described if ages else ())
        if d.profile.shape == "date" and d.profile.entity == "DATE_TIME" and not d.by_schema
    }
    born = {n for age in ages for n in find_births(dates, [cells[age] for cells in sample])}
    return tuple(DescribedColumn(_BIRTH) if n in born else d for n, d in enumerate(described))


def _by_locus(locus: Locus | None) -> DescribedColumn:
    """Describe a path of a published format; withhold it if the format's table does not list it."""
    if locus is None:
        return DescribedColumn(_UNNAMED_PATH, by_schema=True, path="*")
    return DescribedColumn(locus.profile, by_schema=True, path=locus.path, part=locus.part)


def _profiled(
    header: str,
    values: Sequence[str | None],
    source: RecordSource,
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
    """Whether the values number rows or subjects: all have digits, and nearly all differ.

    In CDISC, `STUDYID` identifies a protocol. In tables that only resemble CDISC, `STUDYID`
    identifies a subject and may recur with every visit.
    """
    seen = [value for value in values if value and not is_null(value)]
    different = len(set(seen))
    if not all(any(map(str.isdigit, value)) for value in seen):
        return False
    if header.strip().upper() == "STUDYID":
        return different >= _LEAST_NUMBERED or 1 < different == len(seen)
    return different >= _DIFFERENT * len(seen) and len(seen) >= _LEAST_NUMBERED


def _is_counter(values: Sequence[str | None]) -> bool:
    """Whether the values are one short prefix and a number that counts the rows from 0 or 1."""
    if len(values) < 2 or not all(value and value[-1].isdigit() for value in values):
        return False
    pairs = [_split(value) for value in values if value]
    first = pairs[0][1]
    counts = all(number == first + place for place, (_, number) in enumerate(pairs))
    return counts and first in (0, 1) and len({p for p, _ in pairs}) == 1 and len(pairs[0][0]) <= 5


def _split(value: str) -> tuple[str, int]:
    head = value.rstrip("0123456789")
    return head, int(value[len(head) :])


def joins_tables(described: DescribedColumn) -> bool:
    """Whether a column holds keys that join tables.

    Plan numbers count as such keys only if a published model says so.
    """
    shape = described.profile.shape
    return shape in _KEYS or (described.by_schema and shape == "plan")
