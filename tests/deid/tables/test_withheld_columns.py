"""Values of a withheld column are also removed from the texts of their patients."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from scrubbed_rows import scrub_rows
from small_extract import KnownOnly

from deid.formats import ReadOptions, open_source
from deid.people.gathering import gather_people
from deid.people.key_numbers import number_keys
from deid.policy.model import Policy, parse_policy, policy_text, read_policy
from deid.tables.column_decisions import decide_columns
from deid.text.scrubber import Scrubber

NAMES = ("Huamanqi", "Ccoyllo", "Tlaltecuhtli", "Qhapaq", "Choquehuanca", "Inkacutipa")
COLORS = ("Blue", "Teal", "Red", "Teal", "Blue", "Red")


def _texts(
    folder: Path, tables: dict[str, str], last: str, policy: Policy | None = None
) -> list[str | None]:
    """The cells of the last column of a table after the flow."""
    for name, text in tables.items():
        (folder / name).write_text(text, "utf-8")
    sources = [(name, open_source(folder / name)) for name in tables]
    policy = policy or read_policy("safe_harbor")
    people = gather_people(sources, [], None, by_policy=policy.stated)
    scrubber = Scrubber(policy, KnownOnly(), date(2026, 11, 21))
    source = open_source(folder / last)
    decisions = decide_columns(scrubber.policy, last, source, False, ReadOptions())
    number_keys(source.records(), decisions, people.keys)
    rows = list(scrub_rows(source.records(), last, decisions, scrubber, people))
    return [row.cells[-1] for row in rows if row.cells is not None]


@pytest.mark.parametrize("written", [str.upper, str.lower, str.title])
def test_names_in_a_withheld_column_are_removed_from_the_texts_of_their_rows(
    tmp_path: Path, written: type
) -> None:
    rows = [
        f"10023{n},{name},{color},reached {written(name)} about the {color.lower()} form"
        for n, (name, color) in enumerate(zip(NAMES, COLORS, strict=True))
    ]
    table = "\n".join(["mrn,col_a,hue,note", *rows, ""])
    assert _texts(tmp_path, {"t.csv": table}, "t.csv") == [
        f"reached [NAME] about the {color.lower()} form" for color in COLORS
    ]


def test_names_in_a_withheld_column_are_removed_from_the_texts_of_other_tables(
    tmp_path: Path,
) -> None:
    first = "\n".join(["mrn,col_a", *(f"0040281{n},{v}" for n, v in enumerate(NAMES)), ""])
    notes = "\n".join(
        ["mrn,note", *(f"0040281{n},message from {v} was read" for n, v in enumerate(NAMES)), ""]
    )
    texts = _texts(tmp_path, {"a.csv": first, "notes.csv": notes}, "notes.csv")
    assert texts == ["message from [NAME] was read"] * len(NAMES)


def test_a_column_that_the_policy_keeps_gives_no_known_values(tmp_path: Path) -> None:
    rule = "columns:\n  - {name: col_a, action: keep, reason: names of tests}\n"
    policy = parse_policy(policy_text("safe_harbor").replace("columns: []\n", rule))
    table = "\n".join(["mrn,col_a", *(f"0040281{n},{v}" for n, v in enumerate(NAMES)), ""])
    assert _texts(tmp_path, {"a.csv": table}, "a.csv", policy) == list(NAMES)
