"""Narrative: its text runs are joined into one text, and the scrubbed text is split back into the
runs.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from deid.formats import Record, open_source
from deid.formats.cda.narrative_text import edges, unweave


def _woven(folder: Path, text: str) -> list[str | None]:
    path = folder / "a.xml"
    inner = f"<section><title>T</title><text>{text}</text></section>"
    head = '<ClinicalDocument xmlns="urn:hl7-org:v3">'
    path.write_text(f"{head}{inner}</ClinicalDocument>", "utf-8")
    source = open_source(path)
    record = next(iter(source.records()))
    assert isinstance(record, Record)
    pairs = zip(source.columns, record.cells, strict=True)
    return [cell for column, cell in pairs if column == "narrative"]


@pytest.mark.parametrize(
    ("text", "woven"),
    [
        ("<paragraph>a</paragraph><paragraph>b</paragraph>", "T\na\nb"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td/><td>d</td></tr></table>",
         "T\na | b\nc | d"),
        ("<table><tr><td><paragraph>a</paragraph></td><td><item>b</item></td></tr></table>",
         "T\na | b"),
        ("Jo<content>hn</content> <sup>x</sup> y<br/>z", "T\nJohn x y\nz"),
        ("a\n            b", "T\na b"),
        ("223|http://unitsofmeasure.org|mg/dL", "T\n223 mg/dL"),
        ("a<div>gone</div>b", "T\nab"),
    ],
)  # fmt: skip
def test_runs_are_joined_into_lines_and_cells(tmp_path: Path, text: str, woven: str) -> None:
    assert _woven(tmp_path, text) == [woven]


def test_files_in_a_narrative_are_left_out(tmp_path: Path) -> None:
    assert _woven(tmp_path, f"<paragraph>{'QUJD' * 30}</paragraph>seen") == ["T\nseen"]


def test_long_tables_are_cut_between_rows(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>{'row ' * 20}{n}</td><td>{n}</td></tr>" for n in range(100))
    parts = _woven(tmp_path, f"<table>{rows}</table>")
    assert len(parts) > 2
    lines = [line for part in parts for line in (part or "").splitlines()]
    assert lines[1:] == [f"{'row ' * 20}{n} | {n}" for n in range(100)]


@pytest.mark.parametrize(
    ("runs", "scrubbed", "parts"),
    [
        ([("", "Roe"), (" | ", "Ann"), ("\n", "x")], "[NAME] | [NAME]\nx",
         ["[NAME]", "[NAME]", "x"]),
        ([("", "Seen 03/14/2023 by "), ("", "Wu"), ("", " today")], "Seen 2023 by [NAME] today",
         ["Seen 2023 by ", "[NAME]", " today"]),
        ([("", "Jo"), ("", "hn"), (" ", "Roe here")], "[NAME] here", ["[NAME] ", "", "here"]),
        ([("", "a | b"), (" | ", "c")], "a | b | c", ["a | b", "c"]),
        ([("", "a"), ("\n", "b"), ("\n", "c")], "a\nc", ["a", "", "c"]),
        ([("", "a"), ("\n", "b")], "", ["", ""]),
        ([], "", []),
    ],
)  # fmt: skip
def test_a_scrubbed_text_is_split_back_into_its_runs(
    runs: list[tuple[str, str]], scrubbed: str, parts: list[str]
) -> None:
    assert [part.strip() for part in unweave(runs, scrubbed)] == [part.strip() for part in parts]


def test_splitting_back_neither_duplicates_nor_adds_characters() -> None:
    runs = [("" if n == 0 else "\n", f"line {n} of Roe and more") for n in range(40)]
    scrubbed = "\n".join(f"line {n} of [NAME]" for n in range(0, 40, 3))
    rest = scrubbed
    for part in unweave(runs, scrubbed):
        at = rest.find(part)
        assert at >= 0
        assert not rest[:at].strip()
        rest = rest[at + len(part) :]
    assert not rest.strip()


def test_white_space_at_the_edges_is_found_in_linear_time(
    cpu_seconds_below: Callable[[float], AbstractContextManager[None]],
) -> None:
    with cpu_seconds_below(1):
        assert edges(" a" + " " * 2_000_000 + "b ")[0::2] == (" ", " ")


def test_a_bar_that_is_a_separate_run_is_kept() -> None:
    runs = [("", "John"), (" ", "|"), (" ", "well")]
    assert unweave(runs, "John | well") == ["John", "|", "well"]
    assert unweave(runs, "[NAME] | well") == ["[NAME]", "|", "well"]
