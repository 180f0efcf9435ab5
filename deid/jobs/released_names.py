"""The names of files, and of the tables in them, in the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deid.decision import ColumnDecision
from deid.formats import format_of
from deid.formats.containers.pack import PackedFiles
from deid.formats.delimited.csv_table import CSV_SUFFIXES
from deid.formats.delimited.separators import are_titles
from deid.jobs.job import InputTable, OpenedTable
from deid.naming.files import released_names, thing_name
from deid.naming.renamed import Renamed
from deid.people.patients import People

# The word for the parts of a container, if it is not "table". Packed files are named as files.
_MEMBER_KINDS = {"excel": "sheet"}


@dataclass(frozen=True, slots=True)
class ReleasedNames:
    """Released names by the path of a file in the job, and by the ordinal of a table."""

    _files: Mapping[str, str] = field(repr=False)
    _members: Mapping[int, str] = field(repr=False)

    def file(self, unit: InputTable) -> str:
        """The path in OUT of the file that holds this table."""
        return self._files[unit.file]

    def member(self, unit: InputTable) -> str:
        """The name of the table within its file; "" if the file is the table."""
        return self._members.get(unit.ordinal, "")


def name_outputs(opened: Sequence[OpenedTable], people: People) -> ReleasedNames:
    """Keep names that are safe to release; replace the other names by numbers."""
    units = [one.unit for one in opened]
    firsts: dict[str, int] = {}
    for unit in units:
        firsts.setdefault(unit.file, unit.ordinal)
    files = released_names(list(firsts), list(firsts.values()), people.names_somebody)
    read_as = {one.unit.file: "" if one.unit.member else _read_as(one) for one in opened}
    files = [name + read_as[file] for file, name in zip(firsts, files, strict=True)]
    return ReleasedNames(dict(zip(firsts, files, strict=True)), _member_names(units, people))


def _read_as(table: OpenedTable) -> str:
    """Return ".csv" for a delimited table if its name does not show its format, otherwise "".

    Without the suffix, a reader could mistake a released table of few columns for another format.
    """
    path = table.unit.path
    found = format_of(path)
    if found is None or found.name != "csv" or path.suffix.casefold() in CSV_SUFFIXES:
        return ""
    titles = [decision.out_header for decision in table.decisions if decision.leaves]
    named = found.accepts(path, path.suffix.casefold()) and are_titles(titles)
    return "" if named else ".csv"


def _member_names(units: Sequence[InputTable], people: People) -> dict[int, str]:
    named: dict[int, str] = {}
    tables: dict[str, list[InputTable]] = {}
    for unit in units:
        if unit.member:
            tables.setdefault(unit.file, []).append(unit)
    for within in tables.values():
        found = format_of(within[0].path)
        container = "" if found is None else found.name
        names, places = [unit.member for unit in within], list(range(1, len(within) + 1))
        if isinstance(found, PackedFiles):
            names = released_names(names, places, people.names_somebody)
        else:
            kind = _MEMBER_KINDS.get(container, "table")
            names = [
                thing_name(kind, name, place, people.names_somebody)
                for name, place in zip(names, places, strict=True)
            ]
        named |= {unit.ordinal: name for unit, name in zip(within, names, strict=True)}
    return named


def renamed_of(
    unit: InputTable, decisions: Sequence[ColumnDecision], names: ReleasedNames
) -> list[Renamed]:
    """The file, table and columns that have other names in the release than in the input."""
    things = [
        Renamed(unit.ordinal, "file", unit.ordinal, unit.file, names.file(unit)),
        Renamed(unit.ordinal, "table", unit.ordinal, unit.member, names.member(unit)),
    ]
    things += [
        Renamed(unit.ordinal, "column", d.index + 1, d.original, d.out_header) for d in decisions
    ]
    return [thing for thing in things if thing.original != thing.released]
