"""`-` in place of a file name: standard input where it is read, standard output where written."""

from __future__ import annotations

from pathlib import Path

DASH = "-"


def is_dash(place: str | Path | None) -> bool:
    """Is it `-` rather than a file name?"""
    return str(place) == DASH
