"""The layout of a fixed-width file: a table (CSV or YAML) of names, starts and widths.

Starts count from 1, in bytes. A layout may describe several types of lines. Then one place of the
type `record` holds the type of each line, and each place names the type of line that has it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from deid.errors import DeidError
from deid.formats.text.yaml_text import YamlFault, read_yaml

WIDEST_LINE, MOST_PLACES = 1 << 20, 5000
# The names that data dictionaries use for the columns of a layout.
_LAYOUT_TITLES = {
    "name": ("name", "field", "field_name", "column", "variable"),
    "start": ("start", "begin", "position", "pos", "from"),
    "width": ("width", "length", "len", "size"),
    "end": ("end", "stop", "to"),
    "type": ("type", "data_type"),
    "record": ("record", "record_type"),
}
# Types of places that describe the file and not a person. The policy decides about all others.
RECORD_PLACE, COUNT_PLACE = "record", "count"


@dataclass(frozen=True, slots=True)
class LayoutPlace:
    """A place in a line: its name, its first character (from 0) and its width.

    `kind` is `record` for the type of the line, `count` for a number of records, "" otherwise.
    `record` is the type of line that has this place, "" if every line has it.
    """

    name: str
    start: int
    width: int
    kind: str = ""
    record: str = ""

    @property
    def end(self) -> int:
        """The first position after this place."""
        return self.start + self.width


@dataclass(frozen=True)
class Layout:
    """The places of all lines. Places with the same name are one column, in any type of line."""

    places: tuple[LayoutPlace, ...] = field(repr=False)

    def __post_init__(self) -> None:
        typed = [place for place in self.places if place.kind == RECORD_PLACE]
        if any(place.record for place in self.places) != bool(typed) or len(typed) > 1:
            raise _layout_refusal(
                "the layout names types of lines, but not exactly one place of the type `record`"
            )
        if any(place.record for place in typed) or not self.columns:
            raise _layout_refusal(
                "the layout has no column, or its `record` place names a type of line"
            )
        for record in self.records:
            _refuse_overlap(self.places_of(record))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The distinct names of the columns, without the types and counts of records."""
        return tuple(dict.fromkeys(place.name for place in self.places if not place.kind))

    @cached_property
    def record_place(self) -> LayoutPlace | None:
        """The place that holds the type of a line."""
        return next((place for place in self.places if place.kind == RECORD_PLACE), None)

    @cached_property
    def records(self) -> tuple[str, ...]:
        """The types of lines: `("",)` if there is only one type."""
        return tuple(dict.fromkeys(p.record for p in self.places if p.record)) or ("",)

    @cached_property
    def _by_record(self) -> Mapping[str, tuple[LayoutPlace, ...]]:
        return {
            record: tuple(
                sorted(
                    (place for place in self.places if place.record in ("", record)),
                    key=lambda place: place.start,
                )
            )
            for record in self.records
        }

    def places_of(self, record: str) -> tuple[LayoutPlace, ...]:
        """The places of a type of line, in order."""
        return self._by_record[record]

    def end_of(self, record: str) -> int:
        """The end of the last place in a type of line."""
        return max(place.end for place in self._by_record[record])


def read_layout(path: Path) -> Layout:
    """Read a layout file: YAML if its suffix says so, otherwise CSV.

    Raises:
        DeidError: `layout-invalid`.
    """
    try:
        text = path.read_text("utf-8-sig")
        rows = list(_yaml_rows(text) if path.suffix in (".yaml", ".yml") else _csv_rows(text))
    except (OSError, UnicodeDecodeError, YamlFault, csv.Error):
        raise _layout_refusal("the layout cannot be read") from None
    if not 0 < len(rows) <= MOST_PLACES:
        raise _layout_refusal("the layout has no places, or too many")
    return Layout(tuple(_place_of(number, row) for number, row in enumerate(rows, 1)))


def _csv_rows(text: str) -> Iterator[Mapping[str, str]]:
    head = text.partition("\n")[0]
    delimiter = max(",;\t|", key=head.count)
    for row in csv.DictReader(text.splitlines(), delimiter=delimiter, strict=True):
        if any(row.values()):
            yield {str(title): value or "" for title, value in row.items()}


def _yaml_rows(text: str) -> Iterator[Mapping[str, str]]:
    found = read_yaml(text)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise YamlFault
    for row in found:
        yield {str(title): "" if value is None else str(value) for title, value in row.items()}


def _place_of(number: int, row: Mapping[str, str]) -> LayoutPlace:
    named = {title.strip().casefold(): value.strip() for title, value in row.items()}
    told = {
        what: next((named[title] for title in titles if named.get(title)), "")
        for what, titles in _LAYOUT_TITLES.items()
    }
    first, last = _whole_number(told["start"]), _whole_number(told["end"])
    width = _whole_number(told["width"]) or last - first + 1
    if not told["name"] or first < 1 or width < 1 or first + width > WIDEST_LINE:
        raise _layout_refusal(
            "a place lacks a name, a start of 1 or more, or a width or end", number
        )
    if last and first + width - 1 != last:
        raise _layout_refusal("the end of a place does not match its start and width", number)
    kind = told["type"].casefold()
    kind = kind if kind in (RECORD_PLACE, COUNT_PLACE) else ""
    return LayoutPlace(told["name"], first - 1, width, kind, told["record"])


def _whole_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0


def _refuse_overlap(places: Sequence[LayoutPlace]) -> None:
    if any(one.end > other.start for one, other in pairwise(places)):
        raise _layout_refusal("two places of the layout overlap")
    if len({place.name for place in places}) != len(places):
        raise _layout_refusal("two places of a line have the same name")


def _layout_refusal(message: str, row: int = 0) -> DeidError:
    hint = "write the columns name, start and width, and for types of lines also type and record"
    return DeidError("layout-invalid", message, place=f"row {row}" if row else "", hint=hint)
