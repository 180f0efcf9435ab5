"""`-` in place of a file: standard input where it is read, standard output where it is written."""

from __future__ import annotations

from pathlib import Path

DASH = "-"


def is_dash(place: str | Path | None) -> bool:
    """Is it `-`, and no file?"""
    return str(place) == DASH
