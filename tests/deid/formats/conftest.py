"""Files sent through their format as in the job, but without a policy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deid.formats import (
    ContainerPart,
    ReadOptions,
    Record,
    RecordSource,
    Sink,
    format_of,
    is_container,
    members_of,
    open_source,
    sink_path,
)

Change = Callable[[str, str | None], str | None]
Cells = list[tuple[str | None, ...]]


def read(path: Path, member: str = "") -> Cells:
    """The cells of every record that is readable."""
    source = open_source(path, None, member)
    return [r.cells for r in source.records() if isinstance(r, Record)]


def _written(sink: Sink, source: RecordSource, change: Change) -> None:
    for record in source.records():
        if isinstance(record, Record):
            pairs = zip(source.columns, record.cells, strict=True)
            sink.write([change(name, cell) for name, cell in pairs], record.skeleton)
    sink.close()


@pytest.fixture
def through(tmp_path: Path) -> Callable[..., tuple[Path, tuple[str, ...]]]:
    """Reads a file and writes it again with each cell changed by `change`; returns the target and
    its tables.
    """

    def send(
        path: Path, change: Change = lambda name, cell: cell, out: str = "out"
    ) -> tuple[Path, tuple[str, ...]]:
        folder = tmp_path / out
        folder.mkdir(exist_ok=True)
        target, found = folder / path.name, format_of(path)
        assert found is not None
        parts = []
        for number, member in enumerate(members_of(path)):
            source = open_source(path, ReadOptions(), member)
            asked = target if not member else folder / f"{number}{Path(member).suffix}"
            sink = found.create(asked, source, dict(enumerate(source.columns)))
            _written(sink, source, change)
            parts.append(ContainerPart(member, member, sink_path(sink, asked)))
        if not is_container(found):
            return parts[0].path, ("",)
        return target, found.assemble(target, path, parts)

    return send
