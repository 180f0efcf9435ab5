"""Fixed-width files: every released line has its fields at the same positions, whatever they
contain.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.formats import ReadOptions, Record, open_source, read_layout
from deid.formats.contract import ColumnSource
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.release.releasing import Release
from recognizers import Finder

sys.path.append(str(Path(__file__).parents[1] / "documents"))

DAY = date(2026, 11, 21)
LAYOUT = """name,start,width
mrn,1,8
last_name,9,12
first_name,21,5
birth_date,26,8
sex,34,1
zip,35,5
state,40,2
comment,42,40
total_charges,82,9
"""
# fmt: off
PEOPLE = (
    ("00441672", "OLEJNICZAK", "HUBE", "19510719", "M", "33413", "FL",
     "Met Mr. Olejniczak at home.", "    12.50"),
    ("06683204", "KEALOHA", "ROSE", "19290501", "F", "03601", "NH", "No fever.", "  1804.00"),
    ("07719453", "QUILLONBY", "ANNA", "19800102", "F", "90210", "CA",
     "Call kealoha and Quillonby now, please", "     7.00"),
)
# fmt: on
WIDTHS = (8, 12, 5, 8, 1, 5, 2, 40, 9)
ENDS = [sum(WIDTHS[:n]) for n in range(10)]


def lines(rows: Sequence[Sequence[str]], end: str = "\n") -> bytes:
    return "".join(
        "".join(cell.ljust(width) for cell, width in zip(row, WIDTHS, strict=True)) + end
        for row in rows
    ).encode()


def scrub(
    tmp_path: Path, files: Mapping[str, bytes], layout: str = LAYOUT, **options: object
) -> Release:
    (tmp_path / "in").mkdir()
    for name, data in files.items():
        (tmp_path / "in" / name).write_bytes(data)
    (tmp_path / "layout.csv").write_text(layout)
    read = ReadOptions(layout=read_layout(tmp_path / "layout.csv"))
    job = Job(
        (tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY, read=read, **options
    )  # type: ignore[arg-type]
    return run_job(job, Finder.load(model=False, reference_date=DAY))


def cells_of(path: Path) -> list[list[str]]:
    """The fields of every line, cut out by position."""
    return [
        [line[ENDS[n] : ENDS[n + 1]] for n in range(9)]
        for line in path.read_bytes().decode().splitlines()
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("way", ["by column", "by record"])
def test_every_field_stays_at_its_position(end: str, way: str, tmp_path: Path) -> None:
    data = lines(PEOPLE, end)
    if way == "by record":  # a name outside ASCII; widths are in bytes
        data = data.replace(b"QUILLONBY   ", "QUILLÓNBY  ".encode())
    release = scrub(tmp_path, {"stays.dat": data})
    assert release.exit_code == 0 and release.manifest["residual"]["hits"] == 0
    source = open_source(
        tmp_path / "in" / "stays.dat", ReadOptions(layout=read_layout(tmp_path / "layout.csv"))
    )
    assert isinstance(source, ColumnSource) and source.is_regular() == (way == "by column")
    out = (tmp_path / "out" / "stays.dat").read_bytes()
    assert {len(line) for line in out.decode().split(end) if line} == {90}
    assert len(out) == 3 * (90 + len(end)) and out.count(end.encode()) == 3
    rows = cells_of(tmp_path / "out" / "stays.dat")
    assert rows[0] == [
        "[ID-1]  ", "[NAME]      ", "NAME ", "1951    ", "M", "334  ", "FL",
        "Met Mr. [NAME] at home.".ljust(40), "    12.50",
    ]  # fmt: skip
    assert rows[1][3] == "90+     " and rows[1][5] == "000  " and rows[2][0] == "[ID-3]  "
    assert "uill" not in out.decode().lower() and rows[2][7].rstrip().endswith("please")


def test_reading_by_column_and_by_record_gives_the_same_output(tmp_path: Path) -> None:
    rows = PEOPLE * 50
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    scrub(tmp_path / "a", {"stays.dat": lines(rows)})
    extra = list(PEOPLE[0])
    extra[7] = "A fever\tof 39."  # this line is withheld, and the file is not read by column
    scrub(tmp_path / "b", {"stays.dat": lines([*rows, extra])})
    one, other = (p / "out" / "stays.dat" for p in (tmp_path / "a", tmp_path / "b"))
    assert one.read_bytes() == other.read_bytes()


CLAIMS = """field,start,end,type,record
kind,1,2,record,
sender,3,22,,HD
created,23,30,,HD
mrn,3,10,,10
last_name,11,22,,10
birth_date,23,30,,10
mrn,3,10,,20
icd10,11,17,,20
lines,3,9,count,TR
"""


def claims(trailer: str = "0000004") -> str:
    return (
        "HDMERCY GENERAL HOSP  20260102\n"
        "1000441672OLEJNICZAK  19510719\n"
        "2000441672E11.9  \n"
        "1006683204KEALOHA     19290501\n"
        f"TR{trailer}\n"
    )


def test_record_types_and_their_count_are_kept(tmp_path: Path) -> None:
    release = scrub(tmp_path, {"claims.dat": claims().encode()}, CLAIMS)
    assert release.exit_code == 0
    out = (tmp_path / "out" / "claims.dat").read_text()
    assert [line[:2] for line in out.splitlines()] == ["HD", "10", "20", "10", "TR"]
    assert [len(line) for line in out.splitlines()] == [30, 30, 17, 30, 9]
    head, first, diagnosis, second, trailer = out.splitlines()
    assert "MERCY" not in head and first == "10[ID-1]  [NAME]      1951    "
    assert diagnosis == "20[ID-1]  E11.9  " and second[2:10] == "[ID-2]  "
    assert trailer == "TR0000004"


def test_a_count_excludes_withheld_lines_and_a_wrong_count_is_blanked(tmp_path: Path) -> None:
    broken = claims().replace("KEALOHA     ", "KEALOHA\x01    ").encode()
    (tmp_path / "a").mkdir()
    assert scrub(tmp_path / "a", {"claims.dat": broken}, CLAIMS).exit_code == 4
    assert (tmp_path / "a" / "out" / "claims.dat").read_text().endswith("TR0000003\n")
    (tmp_path / "b").mkdir()
    scrub(tmp_path / "b", {"claims.dat": claims("0441672").encode()}, CLAIMS)
    assert (tmp_path / "b" / "out" / "claims.dat").read_text().endswith("TR       \n")


def test_lines_are_linked_to_the_tables(tmp_path: Path) -> None:
    known = tmp_path / "patients.csv"
    known.write_text("mrn,last_name,first_name\n00441672,Quillonby,Theodora\n")
    person = list(PEOPLE[0])
    person[7] = "Saw theodora quillonby in the ward."
    release = scrub(
        tmp_path, {"stays.dat": lines([person])}, known=(known,), patient_key="mrn"
    )  # fmt: skip
    out = (tmp_path / "out" / "stays.dat").read_text()
    assert "theodora" not in out.lower() and "quillonby" not in out.lower()
    assert release.manifest["residual"]["known_values"] > 0


BROKEN = {
    "a character too many": ("OLEJNICZAK  ", "OLEJNICZAKK  ", "wrong-length"),
    "a character lost": ("OLEJNICZAK  ", "OLEJNICZAK ", "wrong-length"),
    "a tab": ("OLEJNICZAK  ", "OLEJNICZAK\t ", "control-characters"),
    "a byte too many": ("OLEJNICZAK  ", "OLEJNICZÁK   ", "wrong-length"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_line_with_shifted_fields_is_withheld(what: str, tmp_path: Path) -> None:
    before, after, code = BROKEN[what]
    whole = [PEOPLE[1], PEOPLE[2]] * 10
    data = lines(whole) + lines([PEOPLE[0]]).decode().replace(before, after).encode()
    release = scrub(tmp_path, {"stays.dat": data})
    assert release.exit_code == 4
    told = [json.loads(line) for line in _quarantine(tmp_path)]
    assert [(line["record"], line["code"]) for line in told] == [(21, code)]
    assert len(cells_of(tmp_path / "out" / "stays.dat")) == 20


def test_widths_may_be_counted_in_characters(tmp_path: Path) -> None:
    people = [list(person) for person in PEOPLE]
    people[0][1] = "OLEJNÍČZAK"
    scrub(tmp_path, {"stays.dat": lines(people)})
    rows = cells_of(tmp_path / "out" / "stays.dat")
    assert rows[0][1] == "[NAME]      " and rows[0][3] == "1951    "


def _quarantine(tmp_path: Path) -> list[str]:
    return (tmp_path / "out" / "_release" / "quarantine.jsonl").read_text().splitlines()


def test_the_last_line_end_and_trailing_blanks_may_be_missing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    scrub(tmp_path / "a", {"stays.dat": lines(PEOPLE)[:-1]})
    assert not (tmp_path / "a" / "out" / "stays.dat").read_bytes().endswith(b"\n")
    layout = "name,start,width\nmrn,1,8\nlast_name,9,12\ncomment,21,60\n"
    texts = ("Well.", "A cough for two weeks.", "Fever", "No pain at all today.", "Dyspnea.")
    rows = [f"{10004416 + n:08}{'SMITH':12}{text}" for n, text in enumerate(texts)]
    (tmp_path / "b").mkdir()
    scrub(tmp_path / "b", {"notes.dat": "\n".join(rows).encode()}, layout)
    out = (tmp_path / "b" / "out" / "notes.dat").read_text().split("\n")
    assert out == [f"[ID-{n + 1}]  [NAME]      {text}" for n, text in enumerate(texts)]


def test_fields_that_the_layout_does_not_name_are_blanked_and_counted(tmp_path: Path) -> None:
    layout = LAYOUT.replace("comment,42,40\n", "").replace("birth_date,26,8\n", "")
    release = scrub(tmp_path, {"stays.dat": lines(PEOPLE)}, layout)
    rows = cells_of(tmp_path / "out" / "stays.dat")
    assert {(row[3], row[7]) for row in rows} == {(" " * 8, " " * 40)}
    assert release.manifest["left_behind"] == [
        {"file": 1, "what": "lines-with-unnamed-places", "count": 3}
    ]


def test_files_that_are_not_fixed_width_are_read_in_their_own_format(tmp_path: Path) -> None:
    files = {"a.txt": b"The patient is well.\n", "b.csv": b"mrn,sex\n123,F\n456,M\n"}
    files |= {"c.txt": lines(PEOPLE)}
    assert scrub(tmp_path, files).exit_code == 0
    assert (tmp_path / "out" / "a.txt").read_bytes() == b"The patient is well.\n"
    assert (tmp_path / "out" / "c.txt").read_bytes().startswith(b"[ID-")
    assert next(csv.reader(io.StringIO((tmp_path / "out" / "b.csv").read_text()))) == ["mrn", "sex"]


FILES = {
    "ebcdic.dat": (lines(PEOPLE).decode().encode("cp037"), "ebcdic-text"),
    "empty.dat": (b"", "empty-table"),
    "short.dat": (b"OLEJNICZAK HUBERT\xff\x81", "unreadable-encoding"),
    "other.dat": ("ÓLEJNICZAK\n".encode() * 9, "layout-mismatch"),
    "wide.dat": (lines(PEOPLE).decode().encode("utf-16"), "unreadable-encoding"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_does_not_fit_the_layout_is_withheld(name: str, tmp_path: Path) -> None:
    data, code = FILES[name]
    scrub(tmp_path, {name: data, "whole.dat": lines(PEOPLE)})
    assert [json.loads(line)["code"] for line in _quarantine(tmp_path)] == [code]
    assert b"OLEJN" not in b"".join(
        path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()
    )


LAYOUTS = {
    "no width": "name,start\nmrn,1\n",
    "a start of nothing": "name,start,width\nmrn,0,8\n",
    "overlap": "name,start,width\nmrn,1,8\nsex,8,1\n",
    "end and width": "name,start,width,end\nmrn,1,8,9\n",
    "twice": "name,start,width\nmrn,1,8\nmrn,9,1\n",
    "types without a place": "name,start,width,record\nmrn,1,8,A\n",
    "no places": "name,start,width\n",
    "not text": "\ufeff\x00",
}


@pytest.mark.parametrize("what", LAYOUTS)
def test_an_ambiguous_or_invalid_layout_is_refused(what: str, tmp_path: Path) -> None:
    (tmp_path / "layout.csv").write_text(LAYOUTS[what])
    with pytest.raises(DeidError) as caught:
        read_layout(tmp_path / "layout.csv")
    assert caught.value.code == "layout-invalid" and caught.value.exit_code == 2


def test_a_layout_may_be_yaml(tmp_path: Path) -> None:
    text = "- {name: mrn, start: 1, width: 8}\n- {name: sex, start: 9, end: 9}\n"
    (tmp_path / "layout.yaml").write_text(text)
    assert read_layout(tmp_path / "layout.yaml").columns == ("mrn", "sex")


def test_keys_shortened_to_their_field_width_are_recognized_when_read_again(tmp_path: Path) -> None:
    layout = "name,start,width\nmrn,1,5\nsex,6,1\n"
    data = "".join(f"{10000 + n}F\n" for n in range(120)).encode()
    assert scrub(tmp_path, {"stays.dat": data}, layout).exit_code == 0
    out = (tmp_path / "out" / "stays.dat").read_text().splitlines()
    assert out[0] == "ID-1 F" and out[99] == "#100 F" and len(set(out)) == 120
    options = ReadOptions(layout=read_layout(tmp_path / "layout.csv"), keys=120)
    records = list(open_source(tmp_path / "out" / "stays.dat", options).records())
    assert isinstance(records[99], Record) and records[99].cells == ("[ID-100]", "F")
