"""Words that show the meaning of the words beside them; `word_kinds.csv` lists them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from safe_harbor import csv_rows


def words_of_kind(kind: str) -> frozenset[str]:
    """The lowercase words of one kind.

    >>> "clinic" in words_of_kind("facility")
    True
    """
    return _word_kinds()[kind]


@cache
def _word_kinds() -> dict[str, frozenset[str]]:
    return {
        row["kind"]: frozenset(row["words"].split())
        for row in csv_rows(files("deid.vocabularies.wording") / "word_kinds.csv")
    }
