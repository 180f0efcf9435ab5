"""`-` as a file name: standard input where a file is read, standard output where it is written."""

from __future__ import annotations

from pathlib import Path

DASH = "-"


def is_dash(place: str | Path | None) -> bool:
    """Whether the name is `-` and not a file."""
    return str(place) == DASH
