"""The names that the files of a job, and the tables in them, have in the release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deid.decision import ColumnDecision
from deid.formats import format_of
from deid.jobs.job import InputTable
from deid.naming.files import released_names, thing_name
from deid.naming.renamed import Renamed
from deid.people.patients import People

# Members that are files with folders and suffixes; the kind of thing other members are.
_OF_FILES, _KINDS = ("zip", "gzip"), {"excel": "sheet"}


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


def name_outputs(units: Sequence[InputTable], people: People) -> ReleasedNames:
    """Name files by their ordinal and tables by position where nothing vouches for their names."""
    firsts: dict[str, int] = {}
    for unit in units:
        firsts.setdefault(unit.file, unit.ordinal)
    files = released_names(list(firsts), list(firsts.values()), people.names_somebody)
    return ReleasedNames(dict(zip(firsts, files, strict=True)), _member_names(units, people))


def _member_names(units: Sequence[InputTable], people: People) -> dict[int, str]:
    named: dict[int, str] = {}
    places: Counter[str] = Counter()
    for unit in units:
        if not unit.member:
            continue
        places[unit.file] += 1
        found = format_of(unit.path)
        container = "" if found is None else found.name
        if container in _OF_FILES:
            [name] = released_names([unit.member], [places[unit.file]], people.names_somebody)
        else:
            kind = _KINDS.get(container, "table")
            name = thing_name(kind, unit.member, places[unit.file], people.names_somebody)
        named[unit.ordinal] = name
    return named


def renamed_of(
    unit: InputTable, decisions: Sequence[ColumnDecision], names: ReleasedNames
) -> list[Renamed]:
    """The file, table and columns that have another name in the release."""
    things = [
        Renamed(unit.ordinal, "file", unit.ordinal, unit.file, names.file(unit)),
        Renamed(unit.ordinal, "table", unit.ordinal, unit.member, names.member(unit)),
    ]
    things += [
        Renamed(unit.ordinal, "column", d.index + 1, d.original, d.out_header) for d in decisions
    ]
    return [thing for thing in things if thing.original != thing.released]
