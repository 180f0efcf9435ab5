"""A file in a format that the engine cannot read. It is withheld under the format's name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deid.errors import unreadable
from deid.formats.contract import ReadOptions, RecordSource, Sink
from deid.vocabularies.quarantine_codes import reason


@dataclass(frozen=True, slots=True)
class WithheldFormat:
    """Takes the place of a format; `name` is the quarantine code of such files."""

    name: str

    def accepts(self, path: Path, suffix: str) -> bool:
        """Accept no file."""
        return False

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Never.

        Raises:
            DeidError: with the name of the format as its code.
        """
        told = reason(self.name)
        raise unreadable(self.name, told.what, hint=told.way_out)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Never."""
        raise TypeError("a refused file is not written")
