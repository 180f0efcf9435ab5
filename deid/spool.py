"""Inputs that are no files, as files: kept for their owner alone, gone when the command ends."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

STDIN = "-"
_ADDRESS = re.compile(r"[a-z][a-z0-9+]+:/")


@contextmanager
def spooled(inputs: Sequence[str | Path]) -> Iterator[tuple[Path, ...]]:
    """The inputs as paths.

    `-` becomes a file of JSON lines where it begins so, else of text; the URL of a database a copy
    of its tables.

    Raises:
        DeidError: what `snapshot` says of a database.
    """
    if not any(str(name) == STDIN or is_address(name) for name in inputs):
        yield tuple(map(Path, inputs))
        return
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        yield tuple(_filed(name, Path(folder), place) for place, name in enumerate(inputs, 1))


def is_address(name: str | Path) -> bool:
    """Is it the URL of a database, and no file of such a name?"""
    return bool(_ADDRESS.match(str(name))) and not Path(name).exists()


def _filed(name: str | Path, folder: Path, place: int) -> Path:
    if str(name) == STDIN:
        return _written(folder)
    if not is_address(name):
        return Path(name)
    from deid.formats.duckdb_file_snapshot import address_of, snapshot

    return snapshot(address_of(str(name)), folder / str(place), place)


def _written(folder: Path) -> Path:
    data = sys.stdin.buffer.read()
    path = folder / ("stdin.jsonl" if data.lstrip().startswith(b"{") else "stdin.txt")
    path.touch(mode=0o600)
    path.write_bytes(data)
    return path
