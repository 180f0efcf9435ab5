"""A format: notes of a shift in one file, separated by lines of `%%`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.formats import ReadOptions, Record, RecordFault, RecordSource, Sink

BETWEEN = "\n%%\n"


@dataclass(frozen=True)
class HandoverSource:
    """Each note is a record with the one column `text`."""

    path: Path = field(repr=False)
    columns: tuple[str, ...] = ("text",)

    def records(self) -> Iterator[Record | RecordFault]:
        """The notes; an empty one is withheld."""
        notes = self.path.read_text("utf-8").split(BETWEEN)
        for ordinal, note in enumerate(notes, 1):
            yield Record(ordinal, (note,)) if note else RecordFault(ordinal, "empty-note")


class HandoverSink:
    """Writes the notes that were released, in their order."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._notes: list[str] = []

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        self._notes.append(cells[0] or "")

    def close(self) -> None:
        self._path.write_text(BETWEEN.join(self._notes), "utf-8")


class Handover:
    name = "handover"

    def accepts(self, path: Path, suffix: str) -> bool:
        return suffix == ".handover"

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        return HandoverSource(path)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        return HandoverSink(path)


FORMAT = Handover()
