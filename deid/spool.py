"""Give inputs that are not files a path: private temporary files, deleted after the command."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deid.standard_streams import is_dash

_URL_SCHEME = re.compile(r"[a-z][a-z0-9+]+:/")
# The first bytes of each kind of file, and the suffix that its format expects.
_SIGNATURES = (
    (b"PAR1", ".parquet"),
    (b"SQLite format 3\0", ".sqlite"),
    (b"HEADER RECORD*******", ".xpt"),
    (b"{", ".jsonl"),
    (b"<", ".xml"),
)


@contextmanager
def spooled(inputs: Sequence[str | Path], plain: str = ".txt") -> Iterator[tuple[Path, ...]]:
    """The inputs as paths.

    `-` is written to a file whose suffix follows its first bytes (JSON lines, XML, Parquet, SQLite,
    SAS transport) or else is `plain`. The URL of a database becomes a copy of its tables.

    Raises:
        DeidError: what `snapshot` says of a database.
    """
    if not any(is_dash(name) or is_address(name) for name in inputs):
        yield tuple(map(Path, inputs))
        return
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        yield tuple(
            _as_path(name, Path(folder), place, plain) for place, name in enumerate(inputs, 1)
        )


def is_address(name: str | Path) -> bool:
    """Is it the URL of a database, and not the name of an existing file?"""
    return bool(_URL_SCHEME.match(str(name))) and not Path(name).exists()


def _as_path(name: str | Path, folder: Path, place: int, plain: str) -> Path:
    if is_dash(name):
        return _save_standard_input(folder, plain)
    if not is_address(name):
        return Path(name)
    from deid.formats.sql.database_snapshot import address_of, snapshot

    return snapshot(address_of(str(name)), folder / str(place), place)


def _save_standard_input(folder: Path, plain: str) -> Path:
    data = sys.stdin.buffer.read()
    path = folder / f"stdin{_suffix(data) or plain}"
    path.touch(mode=0o600)
    path.write_bytes(data)
    return path


def _suffix(data: bytes) -> str | None:
    begun = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((suffix for head, suffix in _SIGNATURES if begun.startswith(head)), None)
