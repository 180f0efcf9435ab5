"""Rows of a table in which a known value is left are withheld; the other rows are released."""

from __future__ import annotations

import csv
import json
import sqlite3
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nearby import Nearby, cluster
from small_extract import KnownOnly, coded_policy, digest, job

import deid
from deid.arrow import prefilter
from deid.crosswalk import Crosswalk, open_for_job
from deid.crosswalk.keys.master_keys import create_key_file
from deid.jobs import orchestration, run_job
from deid.jobs.resume_terms import refuse_changed_while_read
from deid.people import single_table
from deid.residual import table_search
from deid.tables import table_batch
from deid.tables.kept_cells import KeptCells

PEOPLE = ("Lowe,Theodora", "Brandt,Harlan", "Refused AM meds,Ines")
# A clerk typed a remark into a name column. In another table the same words are a remark.
ODD = "took 2 pills, refused am meds ines, seen later"
OWN = "Brandt came for a well child check"
MARK = "well child check"


class MissesMarkedTexts(KnownOnly):
    """A finder that finds nothing in texts that contain the mark."""

    def find_all(self, texts: Sequence[str], knowns: Any = None, groups: Any = None) -> Any:
        found = super().find_all(texts, knowns, groups)
        return [() if MARK in text else one for text, one in zip(texts, found, strict=True)]


def _comments(odd: Mapping[int, str]) -> str:
    """A table of twelve comments about the first two patients."""
    told = {n: odd.get(n, f"slept well, day {n}") for n in range(1, 13)}
    lines = [f'{4028000 + n % 2},"{comment}"' for n, comment in told.items()]
    return "\n".join(["patient_id,comment", *lines]) + "\n"


def _extract(folder: Path, comments: str) -> Path:
    folder.mkdir()
    people = [f"{4028000 + n},{name}" for n, name in enumerate(PEOPLE)]
    lines = ["patient_id,last_name,first_name", *people]
    (folder / "patients.csv").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "comments.csv").write_text(comments, "utf-8")
    return folder


def _withheld(out: Path) -> list[dict[str, Any]]:
    text = (out / "_release" / "quarantine.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _comments_left(out: Path) -> list[str]:
    with (out / "comments.csv").open(encoding="utf-8", newline="") as file:
        return [row[1] for row in csv.reader(file)][1:]


def test_only_rows_with_a_known_value_of_any_patient_are_withheld(tmp_path: Path) -> None:
    extract = _extract(tmp_path / "in", _comments({3: ODD, 9: ODD}))
    out = tmp_path / "out"
    wanted = job(extract, out, workers=1, diff=tmp_path / "diff.html")
    release = run_job(wanted, KnownOnly())
    lines = _withheld(out)
    assert [(line["record"], line["place"], line["code"]) for line in lines] == [
        (3, "record", "known-value-left"),
        (9, "record", "known-value-left"),
    ]
    assert lines[0]["hits"] == [
        {"record": 3, "identifier": "names", "kind": "name in another order"}
    ]
    left = _comments_left(out)
    assert len(left) == 10 and not any("refused" in comment for comment in left)
    manifest = release.manifest
    assert (release.exit_code, manifest["quarantined"], manifest["residual"]["hits"]) == (4, 2, 0)
    assert manifest["records_in"] == manifest["records_out"] + 2 == 15
    assert "refused" not in (tmp_path / "diff.html").read_text("utf-8")
    assert deid.check(out).clean
    run_job(job(extract, tmp_path / "many", workers=2), KnownOnly())
    run_job(job(extract, tmp_path / "far"), KnownOnly(), cluster=cluster(Nearby()))
    assert digest(out) == digest(tmp_path / "many") == digest(tmp_path / "far")


def test_the_release_equals_one_of_a_table_without_the_withheld_rows(tmp_path: Path) -> None:
    _extract(tmp_path / "with", _comments({3: ODD}))
    table = _comments({})
    _extract(tmp_path / "without", table.replace('4028001,"slept well, day 3"\n', ""))
    for name in ("with", "without"):
        run_job(job(tmp_path / name, tmp_path / f"{name}.out"), KnownOnly())
    left, right = (tmp_path / f"{name}.out" / "comments.csv" for name in ("with", "without"))
    assert left.read_bytes() == right.read_bytes()


def test_a_row_with_a_value_of_its_patient_is_withheld_by_its_number_in_the_input(
    tmp_path: Path,
) -> None:
    """The table is read row by row because row 2 is broken; the rows with hits come after it."""
    table = _comments({7: OWN, 10: ODD}).replace('"slept well, day 2"', "slept, well, day 2")
    extract = _extract(tmp_path / "in", table)
    out = tmp_path / "out"
    run_job(job(extract, out), MissesMarkedTexts())
    lines = _withheld(out)
    assert [line["record"] for line in lines] == [2, 7, 10]
    assert [line["code"] for line in lines] == ["ragged-row", *["known-value-left"] * 2]
    assert {hit["record"] for line in lines[1:] for hit in line["hits"]} == {7, 10}
    assert len(_comments_left(out)) == 9 and deid.check(out).clean
    run_job(job(extract, tmp_path / "many", workers=2), MissesMarkedTexts())
    assert digest(out) == digest(tmp_path / "many")


def test_a_hit_over_two_rows_withholds_the_file(tmp_path: Path) -> None:
    """This holds also if the name is in a third row as well: without that row it is still found."""
    for name, odd in (("two", {}), ("three", {2: "rang Theodora Lowe"})):
        lines = [f"slept well,4028001,day {n}" for n in range(1, 13)]
        lines[4:6] = ["slept well,4028001,asked for Theodora", "Lowe was out,4028001,day 6"]
        for place, text in odd.items():
            lines[place] = f"{text},4028001,day {place}"
        table = "\n".join(["comment,patient_id,remarks", *lines]) + "\n"
        out = tmp_path / f"{name}.out"
        release = run_job(job(_extract(tmp_path / name, table), out), KnownOnly())
        [line] = _withheld(out)
        assert (line["record"], line["code"], line["records"]) == (None, "known-value-left", 12)
        assert not (out / "comments.csv").exists() and release.exit_code == 4


@pytest.mark.parametrize(("odd", "records"), [(6, 6), (7, None)])
def test_hits_in_more_than_half_of_the_rows_withhold_the_whole_table(
    tmp_path: Path, odd: int, records: int | None
) -> None:
    extract = _extract(tmp_path / "in", _comments(dict.fromkeys(range(1, odd + 1), ODD)))
    out = tmp_path / "out"
    run_job(job(extract, out), KnownOnly())
    lines = _withheld(out)
    assert len(lines) == (records or 1)
    assert (out / "comments.csv").exists() is (records is not None)


def test_a_document_is_withheld_as_a_whole_and_a_json_lines_record_alone(tmp_path: Path) -> None:
    extract = _extract(tmp_path / "in", _comments({}))
    lines = [json.dumps({"text": ODD if n == 3 else "well"}) for n in range(8)]
    (extract / "notes.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (extract / "letter.txt").write_text(f"Dear all, {ODD}.\n", "utf-8")
    run_job(job(extract, tmp_path / "out"), KnownOnly())
    letter, note = _withheld(tmp_path / "out")
    assert (letter["record"], letter["records"]) == (None, 1)
    assert (note["record"], note["place"]) == (4, "record")


def test_an_interrupted_job_withholds_the_same_rows_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extract = _extract(tmp_path / "in", _comments({3: ODD}))
    key = create_key_file(tmp_path / "key")
    Crosswalk.create(tmp_path / "book.db", key).close()
    calls = []

    def stop(*told: Any) -> None:
        calls.append(told)
        if len(calls) == 2:
            raise KeyboardInterrupt
        refuse_changed_while_read(*told)

    def run(name: str, resume: bool = False) -> str:
        made = job(extract, tmp_path / name, policy=coded_policy(), resume=resume)
        with open_for_job(tmp_path / "book.db", tmp_path / "key") as (desk, account):
            run_job(made, KnownOnly(), allocate=desk, crosswalk=account)
        return digest(tmp_path / name)

    monkeypatch.setattr(orchestration, "refuse_changed_while_read", stop)
    twin = run("twin")
    with pytest.raises(KeyboardInterrupt):
        run("out")
    assert run("out", resume=True) == twin
    [line] = _withheld(tmp_path / "out")
    assert line["record"] == 3 and line["hits"]


def _zipped(folder: Path, comments: str) -> None:
    with zipfile.ZipFile(folder / "visit.zip", "w") as archive:
        archive.writestr("comments.csv", comments)
        archive.writestr("labs.csv", "patient_id,hemoglobin\n4028000,13.1\n4028001,12.4\n")


def _database(folder: Path, comments: str) -> None:
    with sqlite3.connect(folder / "visit.sqlite") as db:
        db.execute("create table labs(patient_id text, hemoglobin text)")
        db.execute("insert into labs values ('4028000', '13.1'), ('4028001', '12.4')")
        db.execute("create table comments(patient_id text, comment text)")
        rows = [*csv.reader(comments.splitlines())][1:]
        db.executemany("insert into comments values (?, ?)", rows)


def _workbook(folder: Path, comments: str) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "comments"
    for row in csv.reader(comments.splitlines()):
        sheet.append(row)
    book.save(folder / "visit.xlsx")


@pytest.mark.parametrize(
    ("pack", "odd"),
    [(_zipped, ODD), (_zipped, OWN), (_database, ODD), (_database, OWN), (_workbook, ODD)],
)
def test_rows_with_hits_are_withheld_from_a_table_in_a_container(
    tmp_path: Path, pack: Any, odd: str
) -> None:
    extract = _extract(tmp_path / "in", _comments({}))
    place = 5 if odd == OWN else 4  # a row of the patient who has this name
    pack(extract, _comments({place: odd}))
    out = tmp_path / "out"
    release = run_job(job(extract, out), MissesMarkedTexts())
    [line] = _withheld(out)
    assert (line["record"], line["code"]) == (place, "known-value-left")
    assert release.manifest["records_in"] == release.manifest["records_out"] + 1
    assert len([*out.glob("visit.*")]) == 1 and deid.check(out).clean


@pytest.mark.parametrize("workers", [0, 2, None])
def test_rows_with_hits_are_withheld_from_a_single_table_without_known_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int | None
) -> None:
    """No other table has data about its patients, and there is no other file to release. The job
    runs in this process, in two processes, and on executors.
    """
    rows = [f"{4028000 + n},Quillfeather,Oluwaseun,F,negative" for n in range(40)]
    rows[7] = "4028007,Sokolov,Dmitri,M,negative"
    rows[20] = "4028020,Lowe,Theodora,F,Dmitri Sokolov"
    place = tmp_path / "patients.csv"
    header = "patient_id,last_name,first_name,sex,result"
    place.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    monkeypatch.setattr(KeptCells, "check", lambda *_: {})
    monkeypatch.setattr(single_table, "MIN_SINGLE_TABLE_ROWS", 10)
    for module in (table_batch, table_search):
        monkeypatch.setattr(module, "BATCH_ROWS", 8)
        monkeypatch.setattr(module, "rebatch", lambda batches, _=0: prefilter.rebatch(batches, 8))
    out = tmp_path / "out"
    made = job(tmp_path, out, workers=workers or 0)
    made = replace(made, inputs=(place,), known=(), patient_key=None)
    far = cluster(Nearby()) if workers is None else None
    release = run_job(made, KnownOnly(), cluster=far)
    assert release.out is not None
    [line] = _withheld(out)
    assert (line["record"], line["code"]) == (21, "known-value-left")
    assert release.manifest["records_out"] == 39
    assert b"Sokolov" not in place.with_name("out").joinpath("patients.csv").read_bytes()
