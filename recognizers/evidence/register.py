"""All rules: tables of rows, checked key by key and tested on their examples, and functions.

A table is a YAML file with `rows`; each row has an `id`. Keys that all its rows share may be given
beside `rows`; `lists` names parts of expressions, which the rows write as `{NAME}`.
docs/guides/identifiers.md explains each key.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property, lru_cache
from itertools import accumulate, starmap
from pathlib import Path
from typing import Any, NamedTuple

import re2

from recognizers.errors import RecognizerError, RowError
from recognizers.evidence import ages, figures, names
from recognizers.evidence.checks import CHECKS
from recognizers.evidence.matching import NEVER, PREFILTER, Search, Seen, TextRule, compiled
from recognizers.evidence.rows import LABEL, PATTERN, Row
from recognizers.finding import ENTITIES
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.expressions import SHARED, filled, yaml_content
from recognizers.words.folder import WORDS
from recognizers.words.gazetteers import listed
from recognizers.words.holidays import holiday_names

TABLES = WORDS.parent / "evidence" / "tables"
LISTS, ROWS = "lists", "rows"
# Lists of organizations that tables may name.
HOUSE_LISTS = ("places/chains", "places/acronyms", "places/acronyms_alone", "names/services")
KEYS = {one.name: one.type for one in fields(Row)}
MARK = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)


@cache
def shipped(name: str) -> tuple[Row, ...]:
    """Return the rows of a table in this folder."""
    return tuple(read_rule_table(TABLES / f"{name}.yaml"))


def table_names() -> list[str]:
    """Return the names of the tables in this folder."""
    return sorted(path.stem for path in TABLES.glob("*.yaml"))


def read_rule_table(path: Path) -> list[Row]:
    """The rows of a file, each id prefixed with the name of the file.

    Raises `RowError`: `rows-unreadable`, `row-invalid`. Neither shows text of the file.
    """
    return list(rows_of(loaded(path), path.stem))


def read_proved(path: Path) -> tuple[Row, ...]:
    """The rows of a hospital's own file, each tested on its example and counterexample.

    Raises `RowError`: as `read_rule_table`, and `row-unproved`.
    """
    rows = read_rule_table(path)
    for row in rows:
        if wrong := unproved(row):
            raise RowError("row-unproved", row.id, wrong)
    return tuple(rows)


def is_row_table(path: Path) -> bool:
    """Whether a YAML file holds rows of evidence; raises `RowError` (`rows-unreadable`)."""
    return isinstance(told := loaded(path), Mapping) and ROWS in told


def loaded(path: Path) -> Any:
    """The content of a YAML file."""
    try:
        return yaml_content(path)
    except (OSError, ValueError):  # also: `2020-13-45` is not a date
        raise RowError("rows-unreadable", path.name, "it must be a YAML file") from None


def rows_of(told: Any, name: str) -> Iterator[Row]:
    """The rows of a table as read from YAML."""
    if not isinstance(told, Mapping) or not isinstance(told.get(ROWS), Sequence):
        raise RowError("rows-unreadable", name, "it must have a list `rows`")
    lists = {**shared_lists(), **resolved(told.get(LISTS) or {})}
    common = {key: value for key, value in told.items() if key not in {LISTS, ROWS}}
    seen: set[str] = set()
    for number, row in enumerate(told[ROWS], 1):
        place = f"{name}, row {number}"
        if not isinstance(row, Mapping) or not isinstance(row.get("id"), str):
            raise RowError("row-invalid", place, "it must have an `id`")
        if row["id"] in seen:
            raise RowError("row-invalid", place, "its `id` is used twice")
        seen.add(row["id"])
        yield row_of({**common, **row, "id": f"{name}/{row['id']}"}, lists, place)


def row_of(told: Mapping[str, Any], lists: Mapping[str, str], place: str) -> Row:
    """Check one row as read from YAML, and return it."""
    unknown = sorted(set(map(str, told)) - set(KEYS))
    if unknown:
        raise RowError("row-invalid", place, f"unknown keys: {', '.join(unknown)}")
    plain = {key: completed(value, lists, place) for key, value in told.items()}
    if "digits" in plain:
        plain["digits"] = tuple(plain["digits"])
    try:
        row = Row(**plain)
    except TypeError:
        raise RowError("row-invalid", place, "it needs `entity` and `strength`") from None
    wrong = fault(row)
    if wrong:
        raise RowError("row-invalid", place, wrong)
    return row


def fault(row: Row) -> str:
    """The fault of a row; empty if it has none."""
    if row.entity not in ENTITIES:
        return f"`entity` must be one of {', '.join(ENTITIES)}"
    if row.kind not in {PATTERN, LABEL}:
        return f"`kind` must be {PATTERN} or {LABEL}"
    if row.kind == LABEL and not row.left:
        return "a label needs its words in `left`"
    if not isinstance(row.strength, int | float) or not -1 <= row.strength <= 1:
        return "`strength` must be a number from -1 to 1"
    if row.check and row.check not in CHECKS:
        return f"`check` must be one of {', '.join(CHECKS)}"
    try:
        compiled(row.expression)
        re.compile(row.except_value)
    except (re2.error, re.error, UnicodeEncodeError):
        return "an expression cannot be read: RE2 has no look-around, and it must be ASCII"
    return ""


def completed(value: Any, lists: Mapping[str, str], place: str) -> Any:
    """A text in which each `{NAME}` is replaced by the list of that name."""
    try:
        return filled(value, lists) if isinstance(value, str) else value
    except KeyError as error:
        raise RowError("row-invalid", place, f"there is no list {error.args[0]}") from None


def resolved(lists: Mapping[str, str]) -> dict[str, str]:
    """The lists with their `{NAME}` replaced; a list may name shared and earlier lists."""
    found = dict(shared_lists())
    for name, value in lists.items():
        found[name] = completed(value, found, name)
    return found


@cache
def shared_lists() -> dict[str, str]:
    """The lists that every table may name."""
    houses = {
        name.partition("/")[2].upper(): "|".join(map(re.escape, listed(name)))
        for name in HOUSE_LISTS
    }
    return dict(SHARED.texts) | houses | {"HOLIDAYS": holiday_names()}


def marked(example: str) -> tuple[str, list[tuple[int, int]]]:
    """An example without its marks, and the spans between `[[` and `]]`."""
    pieces = MARK.split(example)
    ends = list(accumulate(map(len, pieces)))
    return "".join(pieces), list(zip(ends[::2], ends[1::2], strict=False))


def unproved(row: Row) -> str:
    """Return how a row fails on the examples in it; empty if the row passes."""
    text, spans = marked(row.example)
    if not spans:
        return "its `example` marks no value with [[ and ]]"
    if sorted({(hit.start, hit.end) for hit in row.hits(NormalizedText.of(text))}) != spans:
        return "it does not find exactly what its `example` marks"
    if not row.counterexample:
        return "it has no `counterexample`"
    if any(hit for hit in row.hits(NormalizedText.of(row.counterexample))):
        return "it finds something in its `counterexample`"
    return ""


class Function(NamedTuple):
    """A function of a text, and the expressions without which it sees nothing; empty if unknown."""

    hits: Search
    expressions: Sequence[str] = ()


@dataclass(frozen=True)
class RuleTable:
    """The rows and functions of one group; `name` is the source of their findings."""

    name: str
    rules: tuple[TextRule, ...] = ()


@dataclass(frozen=True)
class Rules:
    """The rules of several tables, which search a text in one pass."""

    tables: tuple[RuleTable, ...] = ()

    @cached_property
    def _named(self) -> list[tuple[str, TextRule]]:
        """Each rule with the name of its table, in the order in which they are asked."""
        return [(table.name, rule) for table in self.tables for rule in table.rules]

    @cached_property
    def _numbers_of(self) -> dict[str, list[int]]:
        """The numbers of the rules that search for each expression; "" if for none."""
        found: dict[str, list[int]] = {"": []}
        for number, (_, rule) in enumerate(self._named):
            for each in rule.expressions or [""]:
                found.setdefault(each, []).append(number)
        return found

    def load(self) -> None:
        """Compile every expression and the prefilter, so that errors appear at startup."""
        for _, rule in self._named:
            for each in rule.expressions:
                compiled(each)
            list(rule.hits(NormalizedText.of("")))
        PREFILTER.gather(least=1)

    def search(self, page: NormalizedText) -> list[Seen]:
        """What the rules see in a text, with offsets in the text as read.

        Raises `RecognizerError`, which names the table of the first rule that failed.
        """
        found: list[Seen] = []
        for number in self._asked(page):
            table, rule = self._named[number]
            try:
                found += [placed(seen, table, page) for seen in rule.hits(page)]
            except Exception as error:
                raise RecognizerError.of(error, table) from None
        return found

    def _asked(self, page: NormalizedText) -> list[int]:
        """The numbers of the rules that may see something, in their order."""
        asked = self._numbers_of.keys()
        likely = (asked & page.present) | (asked - page.asked)
        return sorted({number for each in likely for number in self._numbers_of[each]})


def placed(seen: Seen, table: str, page: NormalizedText) -> Seen:
    """What a rule saw, with offsets in the text as read and the full name of the row."""
    start, end = page.normal.place(seen.start, seen.end)
    row = seen.row if "/" in seen.row else f"{table}/{seen.row}"
    return Seen(start, end, seen.entity, min(max(seen.strength, NEVER), 1.0), row)


def prefilter(pages: Sequence[NormalizedText]) -> None:
    """Record in each text the expressions that may match in it; the rules skip the others."""
    PREFILTER.gather()
    PREFILTER.ask(pages)


FUNCTIONS: dict[str, Mapping[Search, Sequence[str]]] = {
    "names": names.OF_NAMES,
    "initials": names.OF_INITIALS,
    "dates": figures.OF_DATES,
    "figures": {figures.measured_figures: ()},
}
# The table that needs the day as of which ages are computed.
AGES = "ages"


@lru_cache(maxsize=8)
def rules(
    reference_date: datetime.date | None = None, run_date: datetime.date | None = None
) -> tuple[RuleTable, ...]:
    """Return one `RuleTable` per table or group of functions.

    Birth years show an age over 89 as of `reference_date`, or as of the latest date in the text
    that is later and not after `run_date`.
    """
    tables = table_names()
    found = []
    for name in (*FUNCTIONS, *(table for table in tables if table not in FUNCTIONS)):
        rows: tuple[TextRule, ...] = shipped(name) if name in tables else ()
        functions = FUNCTIONS.get(name, {})
        if name == AGES:
            counted = ages.Ages(reference_date, run_date or reference_date)
            functions = {counted.hits: ages.age_expressions()}
        rules = starmap(Function, functions.items())
        found.append(RuleTable(name, (*rows, *rules)))
    return tuple(found)
