"""The names that the files of a job, and the tables within them, have in the release."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deid.filenames import released_names
from deid.jobs.job import Unit
from deid.people import People
from deid.scrubbing import Finds


@dataclass(frozen=True, slots=True)
class Names:
    """Released names by the path of a file in the job, and by the ordinal of a table."""

    _files: Mapping[str, str] = field(repr=False)
    _members: Mapping[int, str] = field(repr=False)

    def file(self, unit: Unit) -> str:
        """The path in OUT of the file that holds this table."""
        return self._files[unit.file]

    def member(self, unit: Unit) -> str:
        """The name of the table within its file; empty where the file is the table."""
        return self._members.get(unit.ordinal, "")


def name_outputs(units: Sequence[Unit], people: People, finder: Finds) -> Names:
    """Names that may identify somebody are replaced by the ordinals of the job.

    The members of one file keep names that differ.
    """
    firsts: dict[str, int] = {}
    for unit in units:
        firsts.setdefault(unit.file, unit.ordinal)
    files = released_names(list(firsts), people, finder, list(firsts.values()))
    inner = [unit for unit in units if unit.member]
    members = released_names(
        [unit.member for unit in inner], people, finder, [unit.ordinal for unit in inner]
    )
    taken: dict[str, set[str]] = defaultdict(set)
    named: dict[int, str] = {}
    for unit, name in zip(inner, members, strict=True):
        own = name if name not in taken[unit.file] else f"file-{unit.ordinal}"
        taken[unit.file].add(own)
        named[unit.ordinal] = own
    return Names(dict(zip(firsts, files, strict=True)), named)
