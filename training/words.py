"""Word lists for filling slots, one entry per line in `lists/`."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "lists"


def read_words(name: str) -> tuple[str, ...]:
    """The entries of `lists/<name>.txt`."""
    return tuple((FOLDER / f"{name}.txt").read_text("utf-8").splitlines())
