"""Locus tables: what each path of a published format holds, as tables that people can check.

A table is a CSV beside its format: `path,kind,identifier,entity,shape,role,part`. `path` has no
ordinals of list items, and `*` in it stands for any single part. The fields from `kind` to `role`
mean the same as in `recognizers.ColumnProfile`. `part` says which detail of a person the values
give (`first`, `last`, `street`, ..., see `recognizers.known.values`), or `none` if they are not
known values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import cast

from recognizers import ColumnKind, ColumnProfile
from safe_harbor import Identifier, csv_rows


@dataclass(frozen=True, slots=True)
class Locus:
    """One path of a format: what it holds, and what it reveals about the record's person."""

    path: str
    profile: ColumnProfile
    part: str = ""


@dataclass(frozen=True, slots=True)
class LocusTable:
    """The listed paths of a format. A path that is not listed has no locus."""

    _exact: dict[str, Locus]
    _patterns: tuple[Locus, ...]
    _found: dict[str, Locus | None] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, package: str) -> LocusTable:
        """Read the table `loci.csv` of a package."""
        loci = [_locus(package, row) for row in csv_rows(files(package) / "loci.csv")]
        exact = {locus.path: locus for locus in loci if "*" not in locus.path}
        return cls(exact, tuple(locus for locus in loci if "*" in locus.path))

    def lines(self) -> tuple[str, ...]:
        """The paths that the table lists without a pattern."""
        return tuple(self._exact)

    def find(self, path: str) -> Locus | None:
        """The locus of a path, from its own line or from the first pattern that fits it."""
        if path in self._exact:
            return self._exact[path]
        if path not in self._found:
            fitting = (locus for locus in self._patterns if fnmatchcase(path, locus.path))
            self._found[path] = next(fitting, None)
        return self._found[path]


def _locus(name: str, row: dict[str, str]) -> Locus:
    return Locus(row["path"], profile_of(row, f"a path of {name}"), row["part"])


def profile_of(row: Mapping[str, str], reason: str) -> ColumnProfile:
    """The profile in a line of a published table: `kind,identifier,entity,shape,role`."""
    return ColumnProfile(
        kind=cast(ColumnKind, row["kind"]),
        identifier=Identifier(row["identifier"]) if row["identifier"] else None,
        entity=row["entity"],
        shape=row["shape"],
        role=row["role"],
        confidence=0.99,
        reasons=(reason,),
    )
