"""The patients of a job: what the tables know of each, and which rows are theirs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from deid.columns.column_profiles import DescribedColumn, describe_columns
from deid.errors import DeidError
from deid.formats import Record, RecordSource, open_source
from deid.people.key_numbers import KeyNumbers
from deid.people.known_cells import telling_columns
from deid.people.linking import (
    CodedRows,
    KeyBook,
    Link,
    Owners,
    key_columns,
    normal_key,
    other_columns,
    overlapping_columns,
    shared_key_columns,
)
from deid.people.packed_keys import PersonNumbers
from deid.people.patient_values import PatientValues
from deid.people.roles import KnownTable, known_tables, without_path
from deid.people.single_table import SingleTable, single_table_of
from recognizers import KnownValue, KnownValues, is_header_word
from safe_harbor import Identifier

LINK_SAMPLE = 2000
# The patients whose known values are held compiled, at some 20 kB each; the latest are kept.
MOST_COMPILED = 1 << 10
# Words of file names in extracts, although streets and people may have the same names.
_FILE_WORDS = (
    "patients? contacts? encounters? results? devices? notes? medications? procedures? conditions? "
    "problems? providers? organizations? allerg(?:y|ies) claims? labs? visits? orders? persons? "
    "people data export extract tables? texts? files? parts? the and for main summar(?:y|ies) "
    "discharge street road avenue county north south east west"
)
# Matches one such word as a whole.
_FILE_WORD = re.compile(_FILE_WORDS.replace(" ", "|"))


@dataclass(slots=True)
class People:
    """The patients of a job. Values are in `of` and `all` only; the `repr` shows counts."""

    _book: KeyBook = field(default_factory=KeyBook, repr=False)
    _known: PatientValues = field(default=None, repr=False)  # type: ignore[assignment]
    _links: dict[str, Link] = field(default_factory=dict, repr=False)
    _compiled: dict[str, KnownValues] = field(default_factory=dict, repr=False)
    _words: frozenset[str] = field(default=frozenset(), repr=False)
    keys: KeyNumbers = field(default_factory=KeyNumbers)
    _single: SingleTable | None = field(default=None, repr=False)
    _left_out: str = ""

    def __post_init__(self) -> None:
        if self._known is None:
            self._known = PatientValues(self.persons)

    def __repr__(self) -> str:
        return f"People({len(self._known)} patients)"

    def __len__(self) -> int:
        return len(self._known)

    @property
    def persons(self) -> PersonNumbers:
        """A number for each patient that a key leads to."""
        return self._book.persons

    def of(self, key: str | None) -> KnownValues | None:
        """All that is known of a patient, by any of their keys; None if nothing is."""
        if key is None:
            return None
        known = self._compiled.pop(key, None)
        if known is not None:
            self._compiled[key] = known
            return known
        person = key if key in self._known else self._book.person(key)
        values = None if person is None else self._known.get(person)
        if values is None or person is None:
            return None
        known = self._compiled.pop(person, None) or KnownValues(self._chosen(values))
        if len(self._compiled) >= MOST_COMPILED:
            self._compiled.pop(next(iter(self._compiled)))
        self._compiled[person] = known
        return known

    def knows(self, key: str | None) -> bool:
        """Is it a key of a patient?"""
        return key in self._known or self._book.person(key) is not None

    def all(self) -> Iterator[tuple[str, KnownValues]]:
        """Every patient's key and what is known of them."""
        for key, values in self._known.all():
            yield key, KnownValues(self._chosen(values))

    def _chosen(self, values: tuple[KnownValue, ...]) -> tuple[KnownValue, ...]:
        """The values without those of the role that is left out."""
        if not self._left_out:
            return values
        return tuple(value for value in values if value.role != self._left_out)

    def is_single_table(self, relative: str) -> bool:
        """Is it the single table whose rows tell all that is known, and are not held in memory?"""
        return self._single is not None and self._single.relative == relative

    def fill(self) -> None:
        """Hold in memory after all what was left in the single table."""
        if self._single is None:
            return
        alone, self._single = self._single, None
        whole = gather_people([(alone.relative, alone.source)], (), None)
        self._known, self._book, self._links = whole._known, whole._book, whole._links
        self._words = frozenset()

    def key_for(
        self, relative: str, cells: Sequence[str | None], patient: str | None = None
    ) -> str | None:
        """The patient of a row: by the record itself, its key columns, or the name of its file.

        None in a single table that is not held in memory.
        """
        if self._single is not None:
            return None
        if (found := self._book.person(patient)) is not None:
            return found
        link = self._links.get(relative)
        if link is not None and (found := link.person(cells, self._book)) is not None:
            return found
        return self._of_name(relative) if len(cells) == 1 else None

    def owners(
        self, relative: str, rows: CodedRows, told: Sequence[str | None] = (), *, document: bool
    ) -> Owners:
        """The patients of rows, as `key_for` has them; `told` is what each record says itself.

        A `document` has one column and may be its patient's by the name of its file.
        """
        people: list[str | None] = [None] * len(rows)
        if self._single is not None or not self._known:
            return Owners.of(people)
        if (link := self._links.get(relative)) is not None:
            people = link.people_of(rows, self._book)
        named = self._of_name(relative) if document else None
        if named is not None:
            people = [key or named for key in people]
        if any(told):
            own = map(self._book.person, told)
            people = [first or key for first, key in zip(own, people, strict=True)]
        return Owners.of(people)

    def _of_name(self, relative: str) -> str | None:
        stem = PurePosixPath(relative).stem
        words = [stem, *re.split(r"[^0-9A-Za-z-]+", stem), *re.split(r"[^0-9A-Za-z]+", stem)]
        found = {person for word in words if (person := self._book.owner(word)) is not None}
        return found.pop() if len(found) == 1 else None

    def leading(self, relative: str) -> tuple[int, ...]:
        """The columns of a table whose values lead to patients, whatever they are called."""
        link = self._links.get(relative)
        return () if link is None else (*link.keys, *link.others)

    def names_somebody(self, relative: str) -> bool:
        """Does the name of a file, folder or table hold a known value of a patient?"""
        parts = [relative, *(PurePosixPath(part).stem for part in PurePosixPath(relative).parts)]
        words = [word for part in parts for word in re.split(r"[^0-9A-Za-z]+", part) if word]
        if any(self._book.owner(word) for word in (*parts, *words)):
            return True
        named = self._name_words() & {word.casefold() for word in words}
        return bool(named) and not all(is_header_word(word) for word in words)

    def header_names_somebody(self, header: str) -> bool:
        """Does a header hold a patient's key, or a known name that is not also a header word?"""
        words = re.findall(r"[^\W\d_]{3,}|\w*\d\w*", header)
        if any(self._book.owner(word) for word in (header, *words)):
            return True
        named = self._name_words() & {word.casefold() for word in words}
        return any(not is_header_word(word) for word in named)

    def _name_words(self) -> frozenset[str]:
        """The words of every known name and street, without words that often name files."""
        if not self._words:
            values = (
                value.value
                for _, known in self.all()
                for value in known
                if value.identifier in (Identifier.NAMES, Identifier.PLACES)
                and value.part not in ("state", "zip", "facility", "organization")
            )
            words = {w for v in values for w in re.findall(r"[^\W\d_]{3,}", v.casefold())}
            named = frozenset(word for word in words if not _FILE_WORD.fullmatch(word))
            self._words = named or frozenset({""})
        return self._words

    def without(self, role: str) -> People:
        """The same patients without the values of one role."""
        return People(self._book, self._known, self._links, keys=self.keys, _left_out=role)

    def add(self, person: str, values: Iterable[KnownValue]) -> bool:
        """Add values to a patient; False if there are none."""
        self._compiled.pop(person, None)
        self._words = frozenset()
        return self._known.add(person, values)


@dataclass(slots=True)
class _Table:
    """One table that is read into `People`."""

    relative: str
    source: RecordSource = field(repr=False)
    seen: tuple[DescribedColumn, ...]
    named: str | None

    @property
    def keys(self) -> list[int]:
        return key_columns(self.source.columns, self.seen, self.named)

    @property
    def shared(self) -> tuple[tuple[int, str], ...]:
        return shared_key_columns(self.source.columns, self.seen)

    def rows(self) -> Iterator[tuple[str | None, ...]]:
        for record in self.source.records():
            if isinstance(record, Record):
                yield record.cells


def _read_known(number: int, path: Path, patient_key: str | None) -> list[_Table]:
    """The tables of one `--known`; an error gets its number as the place."""
    try:
        with without_path(number):
            return [_open_known(table, patient_key) for table in known_tables(path, patient_key)]
    except DeidError as error:
        error.place = error.place or f"--known {number}"
        raise


def gather_people(
    sources: Sequence[tuple[str, RecordSource]],
    known: Sequence[Path],
    patient_key: str | None,
    alone: bool = False,
) -> People:
    """Read the known tables, then the inputs, and join what belongs to the same patient.

    With `alone`, a large table that is the only one stays on disk, and each of its rows is judged
    by itself (`deid.people.single_table`).

    With `alone`, the rows of a large table that is all there is are left where they are, and each
    is later weighed by itself (`deid.people.single_table`).

    Raises:
        DeidError: `patient-key-missing`, when no known table has the named column,
            `known-tells-nothing`, and what a known table that cannot be read says.
    """
    tables = [
        (number, table)
        for number, path in enumerate(known, 1)
        for table in _read_known(number, path, patient_key)
    ]
    named = [table for _, table in tables]
    if patient_key is not None and not any(patient_key in t.source.columns for t in named):
        raise DeidError(
            "patient-key-missing",
            "no --known table has the column that --patient-key names",
            hint="the name must equal the header exactly",
        )
    inputs = [_table(relative, source, None) for relative, source in sources]
    if alone and not tables and len(inputs) == 1 and (people := _single(inputs[0])) is not None:
        return people
    people = People()
    # The table with the most keys per patient joins those that use one of them.
    inputs.sort(key=lambda table: (-len(table.keys), table.relative))
    linking_headers = {header for t in (*named, *inputs) if not t.keys for _, header in t.shared}
    for table in (*named, *inputs):
        if table.keys:
            _read_keys(people, table, linking_headers)
    for table in inputs:
        people._links[table.relative] = _link(people, table)
    for number, table in tables:
        told = _read_values(people, table, comments=True) or table.keys
        if not told and any(True for _ in table.rows()):
            raise _no_known_values(number)
    for table in inputs:
        _read_values(people, table)
    return people


def _single(table: _Table) -> People | None:
    """The patients of a single table that stays on disk; None if the table is not one of these."""
    left = single_table_of(table.relative, table.source, table.seen)
    if left is None:
        return None
    people = People(
        _links={table.relative: Link(tuple(table.keys), ())},
        _words=left.words or frozenset({""}),
        _single=left,
    )
    for key in left.keys:
        people._book.add(key, normal_key(key))
    return people


def _no_known_values(number: int) -> DeidError:
    return DeidError(
        "known-tells-nothing",
        "a --known table holds no known values of any patient",
        place=f"--known {number}",
        hint="each row needs a column that identifies its patient: use --patient-key or a YAML of "
        "roles; `deid profile TABLE` shows what each column seems to be",
    )


def _open_known(table: KnownTable, patient_key: str | None) -> _Table:
    """A known table; what the roles file says of a column overrides its profile."""
    source = open_source(table.path)
    seen = describe_columns(table.path.name, source)
    named_by_roles = {*table.columns, table.patient} - {None, patient_key}
    if not named_by_roles <= set(source.columns):
        raise DeidError(
            "roles-column-missing",
            "a known table lacks a column that the roles file names",
            hint="the name must equal the header exactly",
        )
    named = zip(source.columns, seen, strict=True)
    own = tuple(table.columns.get(column, described) for column, described in named)
    return _Table(table.path.name, source, own, table.patient)


def _table(relative: str, source: RecordSource, named: str | None) -> _Table:
    return _Table(relative, source, describe_columns(relative, source), named)


def _read_keys(people: People, table: _Table, linking_headers: Collection[str]) -> None:
    keys, others = table.keys, other_columns(table.seen)
    shared = [(index, header) for index, header in table.shared if header in linking_headers]
    for cells in table.rows():
        held = [value for i in keys if (value := cells[i]) and not _is_nothing(value)]
        if not held:
            continue
        found = (people._book.person(value) for value in held)
        person = next((p for p in found if p is not None), None) or normal_key(held[0])
        for value in held:
            people._book.add(value, person)
        people._known.add(person, ())
        for index in others:
            if (value := cells[index]) and not _is_nothing(value):
                people._book.add_other(value, person)
        for index, header in shared:
            if (value := cells[index]) and not _is_nothing(value):
                people._book.add_holder(header, value, person)


def _is_nothing(value: str) -> bool:
    return not normal_key(value)


def _link(people: People, table: _Table) -> Link:
    keys = tuple(table.keys)
    if keys:
        return Link(keys, ())
    sample = []
    for cells in table.rows():
        sample.append(cells)
        if len(sample) == LINK_SAMPLE:
            break
    return Link((), tuple(overlapping_columns(sample, table.seen, people._book)), table.shared)


def _read_values(people: People, table: _Table, *, comments: bool = False) -> bool:
    """Add the known values of a table's rows; False if there are none."""
    link = people._links.get(table.relative) or _link(people, table)
    read = telling_columns(table.source.columns, table.seen, comments=comments)
    if not read.columns:
        return False
    told = False
    for cells in table.rows():
        person = link.person(cells, people._book)
        for holder in (person,) if person is not None else link.holders(cells, people._book):
            told |= people.add(holder, read.values(cells))
    return told
