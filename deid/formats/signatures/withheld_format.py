"""Withholds files that the engine cannot read; the format's name is the reason code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deid.errors import unreadable
from deid.formats.contract import ReadOptions, RecordSource, Sink
from deid.vocabularies.quarantine_codes import reason


@dataclass(frozen=True, slots=True)
class WithheldFormat:
    """A stand-in for a format without a reader; `name` is the quarantine code of its files."""

    name: str

    def accepts(self, path: Path, suffix: str) -> bool:
        """Accept no file."""
        return False

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Refuse the file.

        Raises:
            DeidError: always; its code is the name of the format.
        """
        told = reason(self.name)
        raise unreadable(self.name, told.what, hint=told.way_out)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Raise TypeError: a refused file is not written."""
        raise TypeError("a refused file is not written")
