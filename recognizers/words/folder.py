"""The folder of the word lists, whose files are as they were installed."""

from __future__ import annotations

from pathlib import Path

from safe_harbor import check_files

# Checked before anyone reads a list: one that lost a surname would let it leave.
check_files(Path(__file__).parents[1])

WORDS = Path(__file__).parent
