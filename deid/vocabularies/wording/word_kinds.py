"""Words that show the meaning of the words beside them; `word_kinds.csv` lists them."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


def words_of_kind(kind: str) -> frozenset[str]:
    """The lowercase words of one kind.

    >>> "clinic" in words_of_kind("facility")
    True
    """
    return _word_kinds()[kind]


@cache
def _word_kinds() -> dict[str, frozenset[str]]:
    text = (files("deid.vocabularies.wording") / "word_kinds.csv").read_text("utf-8")
    return {
        row["kind"]: frozenset(row["words"].split()) for row in csv.DictReader(text.splitlines())
    }
