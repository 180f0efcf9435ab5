"""Gather the patients of a job: read the keys of each table, then its known values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from deid.arrow.work_partitions import THIS_PROCESS, WorkPartitions
from deid.columns.column_profiles import DescribedColumn, describe_columns
from deid.errors import DeidError
from deid.formats import ColumnSource, Record, RecordSource, open_source
from deid.naming.columns import columns_of_tables
from deid.naming.files import shown_place
from deid.people.gathered_rows import GatheredRows, ValuesOfRows
from deid.people.group_values import find_group_values, without_group_values
from deid.people.known_cells import KnownColumns, telling_columns
from deid.people.linking import (
    Link,
    group_columns,
    key_columns,
    normal_key,
    other_columns,
    overlapping_columns,
    plain_keys,
    shared_key_columns,
)
from deid.people.patient_values import ValueSummary
from deid.people.patients import People
from deid.people.roles import KnownTable, known_tables, without_path
from deid.people.single_table import single_table_of
from recognizers import ColumnProfile

ByPolicy = Callable[[str, str], ColumnProfile | None]
"""Returns the policy's profile of a column, by table and column name; None without one."""
LINK_SAMPLE = 2000
# Rows per batch if records are read one by one.
ROWS_AT_ONCE = 1 << 12
# All workers read a table with at least so many batches; reading it takes a worker longer to begin.
LEAST_BATCHES = 4


@dataclass(slots=True)
class _Table:
    """One table that is read into `People`."""

    relative: str
    source: RecordSource = field(repr=False)
    seen: tuple[DescribedColumn, ...]
    named: str | None
    keys: list[int] = field(init=False)
    tells_patients_apart: bool = field(init=False)

    def __post_init__(self) -> None:
        columns = self.source.columns
        keys = key_columns(columns, self.seen, self.named)
        plain = plain_keys(columns, self.seen, keys)
        groups = group_columns(keys, plain, islice(self.rows(), LINK_SAMPLE))
        self.keys = [i for i in keys if i not in groups or columns[i] == self.named]
        self.tells_patients_apart = bool(plain)

    @property
    def shared(self) -> tuple[tuple[int, str], ...]:
        return shared_key_columns(self.source.columns, self.seen)

    def telling(self, *, comments: bool = False) -> KnownColumns:
        """The columns of known values."""
        return telling_columns(self.source.columns, self.seen, comments=comments)

    @property
    def is_long(self) -> bool:
        """Whether the table is read by column in so many batches that workers should share them."""
        if not isinstance(self.source, ColumnSource) or not self.source.is_regular():
            return False
        return sum(1 for _ in islice(self.source.batches(), LEAST_BATCHES)) == LEAST_BATCHES

    def batches_to_fault(self) -> Iterator[GatheredRows | None]:
        """As `batches`; None at the end if the table cannot be read to its end."""
        yield from self.batches()
        if getattr(self.source, "fault", ""):
            yield None

    def batches(self) -> Iterator[GatheredRows]:
        """The rows in batches, by column where the file allows it."""
        source = self.source
        if isinstance(source, ColumnSource) and source.is_regular():
            yield from (GatheredRows(batch.columns, len(batch)) for batch in source.batches())
            return
        rows = self.rows()
        while some := list(islice(rows, ROWS_AT_ONCE)):
            yield GatheredRows(list(zip(*some, strict=True)), len(some))

    def rows(self) -> Iterator[tuple[str | None, ...]]:
        for record in self.source.records():
            if isinstance(record, Record):
                yield record.cells


def _read_known(number: int, path: Path, patient_key: str | None) -> list[_Table]:
    """The tables of one `--known` option; an error names the option by its number."""
    try:
        with without_path(number, path):
            return [_open_known(table, patient_key) for table in known_tables(path, patient_key)]
    except DeidError as error:
        error.place = error.place or shown_place(f"--known {number}", path.name)
        raise


def gather_people(
    sources: Sequence[tuple[str, RecordSource]],
    known: Sequence[Path],
    patient_key: str | None,
    alone: bool = False,
    by_policy: ByPolicy = lambda _table, _column: None,
    spread: WorkPartitions = THIS_PROCESS,
) -> People:
    """Read the known tables, then the inputs, and join the values of each patient.

    If the profile of a column is unsure, the profile of the policy (`by_policy`) is used.

    With `alone`, a large table that is the only one stays on disk, and each of its rows is judged
    by itself (`deid.people.single_table`). The processes of `spread` read the known values of large
    inputs. Known tables are read here, because other machines may not see them.

    Raises:
        DeidError: `patient-key-missing` if no known table has the named column,
            `known-tells-nothing`, and the errors of a known table that cannot be read.
    """
    tables = [
        (number, table)
        for number, path in enumerate(known, 1)
        for table in _read_known(number, path, patient_key)
    ]
    named = [table for _, table in tables]
    table_headers = [table.source.columns for table in named]
    if patient_key is not None and not any(patient_key in headers for headers in table_headers):
        raise DeidError(
            "patient-key-missing",
            "no --known table has the column that --patient-key names",
            hint=f"the name must equal the header exactly; {columns_of_tables(table_headers)}",
        )
    inputs = [_table(relative, source, by_policy) for relative, source in sources]
    if alone and not tables and len(inputs) == 1 and (people := _single(inputs[0])) is not None:
        return people
    people = _linked(named, inputs)
    for number, table in tables:
        told = _read_values(people, table, table.telling(comments=True)) or table.keys
        if not told and any(True for _ in table.rows()):
            raise _no_known_values(number, known[number - 1])
    _read_inputs(people, inputs, spread)
    return people


def _linked(named: Sequence[_Table], inputs: list[_Table]) -> People:
    """The patients that the keys of the tables identify, with their rows, but without values."""
    people = People()
    # Tables with the most keys per patient come first: they join tables that use one key.
    inputs.sort(key=lambda table: (-len(table.keys), table.relative))
    linking_headers = {header for t in (*named, *inputs) if not t.keys for _, header in t.shared}
    for table in (*named, *inputs):
        if table.keys:
            _read_keys(people, table, linking_headers)
    for table in inputs:
        people._links[table.relative] = _link(people, table)
    return people


def _single(table: _Table) -> People | None:
    """Return the patients of a single table that stays on disk; None if it must be in memory."""
    left = single_table_of(table.relative, table.source, table.seen)
    if left is None:
        return None
    people = People(
        _links={table.relative: Link(tuple(table.keys), ())},
        _summary=ValueSummary(words=set(left.words)),
        _single=left,
    )
    for key in left.keys:
        people._book.add(key, normal_key(key))
    return people


def hold_in_memory(people: People, spread: WorkPartitions = THIS_PROCESS) -> None:
    """Load a single table that was left on disk into memory after all."""
    if people._single is None:
        return
    alone, people._single = people._single, None
    table = _Table(alone.relative, alone.source, alone.seen, None)
    whole = _linked([], [table])
    _read_inputs(whole, [table], spread)
    people._known, people._book, people._links = whole._known, whole._book, whole._links
    people._features, people._summary = whole._features, whole._summary


def _no_known_values(number: int, path: Path) -> DeidError:
    return DeidError(
        "known-tells-nothing",
        "a --known table holds no known values of any patient",
        place=shown_place(f"--known {number}", path.name),
        hint="each row needs a column that identifies its patient: use --patient-key or a YAML of "
        "roles; `deid profile TABLE` shows what each column seems to be",
    )


def _open_known(table: KnownTable, patient_key: str | None) -> _Table:
    """A known table; the roles file overrides the profiles of the columns that it names."""
    source = open_source(table.path)
    seen = describe_columns(table.path.name, source)
    named_by_roles = {*table.columns, table.patient} - {None, patient_key}
    if not named_by_roles <= set(source.columns):
        raise DeidError(
            "roles-column-missing",
            "a known table lacks a column that the roles file names",
            hint=f"the name must equal the header exactly; {columns_of_tables([source.columns])}",
        )
    named = zip(source.columns, seen, strict=True)
    own = tuple(table.columns.get(column, described) for column, described in named)
    return _Table(table.path.name, source, own, table.patient)


def _table(relative: str, source: RecordSource, by_policy: ByPolicy) -> _Table:
    seen = zip(source.columns, describe_columns(relative, source), strict=True)
    stated = tuple(_by_policy(relative, by_policy, *one) for one in seen)
    return _Table(relative, source, stated, None)


def _by_policy(
    relative: str, by_policy: ByPolicy, column: str, described: DescribedColumn
) -> DescribedColumn:
    """The column with the policy's profile if its own profile is unsure."""
    if described.profile.kind != "unsure" or described.path:
        return described
    return replace(described, profile=by_policy(relative, column) or described.profile)


def _read_keys(people: People, table: _Table, linking_headers: Collection[str]) -> None:
    keys, others = table.keys, other_columns(table.seen)
    shared = [(index, header) for index, header in table.shared if header in linking_headers]
    for rows in table.batches():
        first, codes = rows.distinct(keys)
        persons = [_person_of_keys(people, [rows.cell(i, row) for i in keys]) for row in first]
        for index in others:
            people._book.add_others(rows.told_of(index, codes, persons))
        for index, header in shared:
            people._book.add_holders(header, rows.told_of(index, codes, persons))


def _person_of_keys(people: People, cells: Sequence[str | None]) -> str | None:
    """Find the patient of these keys and add each key to the patient; None without a key."""
    held = [value for value in cells if value and not _is_nothing(value)]
    if not held:
        return None
    found = (people._book.person(value) for value in held)
    person = next((p for p in found if p is not None), None) or normal_key(held[0])
    for value in held:
        people._book.add(value, person)
    people._known.add(person, ())
    return person


def _is_nothing(value: str) -> bool:
    return not normal_key(value)


def _link(people: People, table: _Table) -> Link:
    keys = tuple(table.keys)
    if keys:
        return Link(keys, ())
    sample = islice(table.rows(), LINK_SAMPLE)
    return Link((), tuple(overlapping_columns(sample, table.seen, people._book)), table.shared)


def _read_inputs(people: People, tables: Sequence[_Table], spread: WorkPartitions) -> None:
    """Add the known values of the inputs, except those that most patients of a table share."""
    told = [(table, people._links[table.relative], table.telling()) for table in tables]
    shared = frozenset(
        value
        for table, link, read in told
        if table.tells_patients_apart
        for value in find_group_values(table.batches(), link, people._book, read)
    )
    for table, link, read in told:
        _read_values(people, table, without_group_values(read, link, shared), spread)
    people.settle(spread)


def _read_values(
    people: People, table: _Table, read: KnownColumns, spread: WorkPartitions = THIS_PROCESS
) -> bool:
    """Add the known values of a table's rows; False if there are none."""
    link = people._links.get(table.relative) or _link(people, table)
    if not read.columns:
        return False
    work = ValuesOfRows(link, people._book, read)
    if not table.is_long:
        spread = THIS_PROCESS
    told = False
    for some in spread(table.batches_to_fault, work):
        if some is None and spread is not THIS_PROCESS:
            # This process finds the fault itself. Values that are added twice count once.
            return _read_values(people, table, read)
        for number, data in some or ():
            people._known.add_record(number, data)
            told |= bool(data)
    return told
