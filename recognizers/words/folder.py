"""The folder of the word lists, after checking that its files are as installed."""

from __future__ import annotations

from pathlib import Path

from safe_harbor import check_files

# Checked before any list is read: a surname lost from a list would be released.
check_files(Path(__file__).parents[1])

WORDS = Path(__file__).parent
