# ruff: noqa: E501
"""RTF in table cells: its text is searched, and the output cell is RTF again."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from document_canaries import address, canaries_in, canaries_left, canaries_of, canary, scrub_folder
from test_rtf import DROPPED, SHOWN

from corpora.documents import as_rtf
from deid.formats import Record, members_of, open_source
from deid.formats.documents.rtf import read_rtf


def as_csv(path: Path, cells: list[str]) -> Path:
    with path.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("sex", "note_text"), *(("F", cell) for cell in cells)])
    return path.with_suffix(".csv")


def as_parquet(path: Path, cells: list[str]) -> Path:
    pq.write_table(
        pa.table({"sex": ["F"] * len(cells), "note_text": cells}), path.with_suffix(".parquet")
    )
    return path.with_suffix(".parquet")


def as_sqlite(path: Path, cells: list[str]) -> Path:
    with sqlite3.connect(path.with_suffix(".db")) as base:
        base.execute("CREATE TABLE notes (sex TEXT, note_text TEXT)")
        base.executemany("INSERT INTO notes VALUES ('F', ?)", [(cell,) for cell in cells])
    base.close()
    return path.with_suffix(".db")


def cells_of(path: Path) -> list[str]:
    (member,) = members_of(path)
    source = open_source(path, None, member)
    return [r.cells[1] or "" for r in source.records() if isinstance(r, Record)]


@pytest.mark.parametrize("as_table", [as_csv, as_parquet, as_sqlite], ids=lambda f: f.__name__)
def test_cells_are_read_as_text_and_written_as_rtf(
    as_table: Callable, tmp_path: Path, through: Callable
) -> None:
    cells = [
        as_rtf("Seen today.\n\nWell.").decode().rstrip("\0"),
        "plain",
        "{\\rtf1 Zo\u00eb \u4e2d}",
    ]
    path = as_table(tmp_path / "t", cells)
    wanted = ["Seen today.\n\nWell.", "plain", "Zo\u00eb \u4e2d"]
    assert cells_of(path) == wanted
    out, (key,) = through(path)
    assert cells_of(out) == wanted
    source = open_source(out, None, key)
    first, second, third = source.inner.records()  # type: ignore[attr-defined]
    assert second.cells[1] == "plain"
    assert read_rtf(first.cells[1].encode("ascii")).text == wanted[0]
    assert read_rtf(third.cells[1].encode("ascii")).text == wanted[2]


@pytest.mark.parametrize("as_table", [as_csv, as_parquet, as_sqlite], ids=lambda f: f.__name__)
def test_no_canary_is_in_any_byte_of_a_released_rtf_cell(
    as_table: Callable, tmp_path: Path
) -> None:
    words = [canary(n) for n in range(len(DROPPED))] + [address(60 + n) for n in range(len(SHOWN))]
    places = [
        place.decode().replace("%", word).replace("$", word.encode().hex())
        for place, word in zip([*DROPPED, *SHOWN], words, strict=True)
    ]
    cells = [f"{{\\rtf1\\ansi {place} The patient is well.}}" for place in places]
    cells += [f"Seen with {address(90)}", f"{{\\rtf1 {canary(91)}", f"{{\\rtf1 {{\\b {canary(92)}"]
    (tmp_path / "in").mkdir()
    path = as_table(tmp_path / "in" / "notes", cells)
    assert len(canaries_of("".join(cells).encode())) >= 30
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.manifest["residual"]["hits"] == 0
    assert canaries_left(tmp_path / "out") == set()
    texts = cells_of(tmp_path / "out" / path.name)
    assert sum("The patient is well." in text for text in texts) == len(places)
    assert texts[len(places)] == "Seen with [EMAIL]"


BROKEN = [
    "{\\rtf1 a", "{\\rtf1 {\\b a}", "{\\rtf1 a\\'zz}", "{\\rtf1 a\\'4", "{\\rtf1 a\\", "{\\rtf1 \\" + "a" * 400 + " b}",
    "{\\rtf1 a\\bin4000000000 x}", "{\\rtf1 " + "{" * 600 + "a" + "}" * 601, "{\\rtf1\\ansicpg99999 a}",
    "{\\rtf1\\ansicpg949 a\\'ff\\'ff}", "{\\rtf1 a\\u-10179?}", "{\\RTF1 a", " {\\rtf1 a", "{\\rtf a\\'", "{\\rtf1 }}} {",
]  # fmt: skip


@pytest.mark.parametrize("cell", BROKEN, ids=lambda cell: cell[:20])
def test_a_broken_rtf_cell_is_withheld(tmp_path: Path, cell: str) -> None:
    note = f"{cell} {canary(0)}"
    (tmp_path / "in").mkdir()
    path = as_csv(tmp_path / "in" / "t", ["{\\rtf1 Well.}", note, "Seen today."])
    texts = cells_of(path)
    assert texts[0] == "Well." and texts[1] in (note, read_or_none(note))
    scrub_folder(tmp_path / "in", tmp_path / "out")
    assert canaries_in(tmp_path / "out") == set()


def read_or_none(note: str) -> str | None:
    try:
        return read_rtf(note.encode()).text
    except Exception:
        return None
