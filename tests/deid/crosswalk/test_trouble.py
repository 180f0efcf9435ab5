"""Every crosswalk error has a sentence in the table, and every sentence has an error."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from deid.crosswalk.trouble import crosswalk_error, key_trouble
from deid.errors import KEY

ROOM = Path(__file__).resolve().parents[3] / "deid" / "crosswalk"
ROWS = list(csv.DictReader((ROOM / "errors.csv").read_text("utf-8").splitlines()))


def test_codes_of_the_table_are_the_codes_raised() -> None:
    text = "".join(path.read_text("utf-8") for path in ROOM.rglob("*.py"))
    raised = set(re.findall(r'\b(?:crosswalk_error|key_trouble)\(\s*"([a-z-]+)"', text))
    assert raised == {row["code"] for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["code"])
def test_each_error_fills_its_sentence_and_has_a_hint(row: dict[str, str]) -> None:
    words = dict.fromkeys(re.findall(r"\{(\w+)\}", row["message"] + row["hint"]), "X7")
    for make in (crosswalk_error, key_trouble):
        error = make(row["code"], "book.db", **words)
        assert (error.code, error.place, error.exit_code) == (row["code"], "book.db", KEY)
        assert "{" not in error.message + error.hint
        assert (error.message + error.hint).count("X7") == len(words)
        assert error.message
        assert error.hint
