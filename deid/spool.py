"""Standard input as a file: read whole, kept for its owner alone, gone when the command ends."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

STDIN = "-"


@contextmanager
def spooled(inputs: Sequence[str | Path]) -> Iterator[tuple[Path, ...]]:
    """The inputs as paths; `-` becomes a file of JSON lines where it begins so, else of text."""
    if not any(str(name) == STDIN for name in inputs):
        yield tuple(map(Path, inputs))
        return
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        yield tuple(_written(Path(folder)) if str(n) == STDIN else Path(n) for n in inputs)


def _written(folder: Path) -> Path:
    data = sys.stdin.buffer.read()
    path = folder / ("stdin.jsonl" if data.lstrip().startswith(b"{") else "stdin.txt")
    path.touch(mode=0o600)
    path.write_bytes(data)
    return path
