"""The whole job: the same bytes however it is run, no record lost, and refusals in one sentence."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from canaries import seen_in
from small_extract import REFERENCE, KnownOnly, digest, job, write_extract

from deid.decision import ColumnDecision
from deid.errors import DeidError
from deid.jobs import done_already, job_folder_path, run_job, unfinished
from deid.jobs import folder as folding
from deid.jobs.local import local_workers
from deid.policy.model import parse_policy, policy_text
from deid.release.releasing import Release
from deid.tables.table_batch import ReadRows
from deid.tables.table_flow import TableFlow


def _manifest(release: Release) -> Any:
    assert release.out is not None
    return json.loads((release.out / "_release" / "manifest.json").read_text("utf-8"))


def _lines(out: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in (out / "_release" / name).read_text("utf-8").splitlines()]


def test_the_bytes_do_not_depend_on_the_number_of_workers(extract: Path, tmp_path: Path) -> None:
    digests = set()
    for workers in (0, 1, 2, 3):
        out = tmp_path / f"out{workers}"
        release = run_job(job(extract, out, workers=workers), KnownOnly())
        assert release.exit_code == 0
        digests.add(digest(out))
        assert not job_folder_path(out).exists()
    assert len(digests) == 1


def test_numbered_tags_do_not_depend_on_the_workers_either(extract: Path, tmp_path: Path) -> None:
    text = policy_text("safe_harbor").replace("tags: plain", "tags: numbered")
    for name, workers in (("one", 0), ("two", 2)):
        wanted = job(extract, tmp_path / name, workers=workers, policy=parse_policy(text))
        assert run_job(wanted, KnownOnly()).exit_code == 0
    assert digest(tmp_path / "one") == digest(tmp_path / "two")
    assert "[NAME-1]" in next((tmp_path / "one").rglob("file_1.txt")).read_text("utf-8")


class Stopped(KeyboardInterrupt):
    pass


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """Interrupts the job after the given number of files."""
    left = {"files": 3}
    really = local_workers.stage_file

    def stage_file(*arguments: Any) -> Any:
        if left["files"] == 0:
            raise Stopped
        left["files"] -= 1
        return really(*arguments)

    monkeypatch.setattr(local_workers, "stage_file", stage_file)
    yield left
    left["files"] = -1


def test_a_resumed_job_reuses_the_finished_files(
    extract: Path, tmp_path: Path, stop: dict[str, int]
) -> None:
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        run_job(job(extract, out), KnownOnly())
    before = unfinished(out)
    assert before is not None and before[0] == 3
    assert not out.exists() and job_folder_path(out).stat().st_mode & 0o077 == 0
    stop["files"] = 9
    assert run_job(job(extract, out, resume=True), KnownOnly()).exit_code == 0
    assert stop["files"] == 0  # three of the twelve files were not scrubbed again
    assert not job_folder_path(out).exists()
    stop["files"] = -1
    run_job(job(extract, tmp_path / "whole"), KnownOnly())
    assert digest(out) == digest(tmp_path / "whole")


def test_resume_without_an_interrupted_job_starts_a_new_one(extract: Path, tmp_path: Path) -> None:
    assert run_job(job(extract, tmp_path / "out", resume=True), KnownOnly()).exit_code == 0


@pytest.fixture
def halted(extract: Path, tmp_path: Path, stop: dict[str, int]) -> Path:
    """The OUT of an interrupted job."""
    with pytest.raises(KeyboardInterrupt):
        run_job(job(extract, tmp_path / "out"), KnownOnly())
    stop["files"] = -1
    return tmp_path / "out"


def test_another_job_does_not_replace_an_interrupted_one(extract: Path, halted: Path) -> None:
    with pytest.raises(DeidError) as refused:
        run_job(job(extract, halted), KnownOnly())
    assert refused.value.code == "job-unfinished"
    assert "--resume" in refused.value.hint
    assert unfinished(halted) is not None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("input", "resume-input-changed"),
        ("more", "resume-inputs-changed"),
        ("known", "resume-known-changed"),
        ("policy", "resume-policy-changed"),
        ("engine", "resume-engine-changed"),
        ("date", "resume-date-changed"),
        ("option", "resume-options-changed"),
        ("crosswalk", "resume-crosswalk-changed"),
    ],
)
def test_a_job_is_resumed_only_with_unchanged_inputs_and_settings(
    extract: Path, halted: Path, tmp_path: Path, change: str, code: str
) -> None:
    again = job(extract, halted, resume=True)
    more: dict[str, Any] = {}
    if change == "input":
        with (extract / "visits.csv").open("a") as file:
            file.write("77999-A,00402801,1.5\n")
    elif change == "more":
        (extract / "new.txt").write_text("Well child check.")
    elif change == "known":
        (tmp_path / "k.csv").write_text("patient_id,last_name\n00402801,Lowe\n")
        again = replace(again, known=(tmp_path / "k.csv",))
    elif change == "policy":
        text = policy_text("safe_harbor").replace("  names: tag", "  names: remove")
        again = replace(again, policy=parse_policy(text))
    elif change == "engine":
        more["engine"] = {"model": "another"}
    elif change == "date":
        again = replace(again, reference_date=REFERENCE + timedelta(days=1))
    elif change == "option":
        again = replace(again, strict_columns=True)
    else:
        more["crosswalk"] = {"generation": 1, "audit_head": "another.1.1.x"}
    with pytest.raises(DeidError) as refused:
        run_job(again, KnownOnly(), **more)
    assert refused.value.code == code
    assert seen_in(f"{refused.value} {refused.value.place} {refused.value.hint}".encode()) == []
    assert unfinished(halted) is not None, "what is done is kept"


def test_files_lost_in_a_power_failure_are_scrubbed_again(extract: Path, halted: Path) -> None:
    lost = next(path for path in (job_folder_path(halted) / "out").rglob("*.txt"))
    lost.write_bytes(lost.read_bytes()[:9])
    next((job_folder_path(halted) / "parts").glob("*.changes")).write_bytes(b"")
    assert run_job(job(extract, halted, resume=True), KnownOnly()).exit_code == 0
    run_job(job(extract, halted.parent / "whole"), KnownOnly())
    assert digest(halted) == digest(halted.parent / "whole")


def test_a_job_killed_between_its_last_two_steps_ends_with_the_same_release(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    page = tmp_path / "diff.html"
    wanted = job(extract, out, workers=0, diff=page)

    def die(*_: Any, **__: Any) -> None:
        os._exit(9)

    child = os.fork()
    if child == 0:
        monkeypatch.setattr("deid.jobs.joining.shutil.move", die)
        run_job(wanted, KnownOnly())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert out.exists() and job_folder_path(out).exists()
    before = digest(out)
    assert run_job(replace(wanted, resume=True), KnownOnly()).exit_code == 0
    assert digest(out) == before
    assert not job_folder_path(out).exists()
    assert page.stat().st_mode & 0o077 == 0


def test_a_job_killed_after_its_last_step_is_done(extract: Path, tmp_path: Path) -> None:
    wanted = job(extract, tmp_path / "out")
    assert done_already(wanted) is None
    run_job(wanted, KnownOnly())
    manifest = done_already(wanted)
    assert manifest is not None and manifest["records_out"] == 12 + 36 + 8 * 3
    (extract / "new.txt").write_text("Well child check.")
    assert done_already(wanted) is None


def test_a_job_killed_while_its_folder_is_removed_is_done(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    child = os.fork()
    if child == 0:
        really = folding.shutil.rmtree

        def rmtree(path: Path, ignore_errors: bool) -> None:
            if path.name == "parts" and out.exists():
                next(path.iterdir()).unlink()
                os._exit(9)
            really(path, ignore_errors=ignore_errors)

        monkeypatch.setattr(folding.shutil, "rmtree", rmtree)
        run_job(job(extract, out), KnownOnly())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    before = digest(out)
    assert run_job(job(extract, out, resume=True), KnownOnly()).exit_code == 0
    assert digest(out) == before
    assert not job_folder_path(out).exists()


def test_a_second_job_on_the_same_out_is_refused(extract: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    refusals: list[str] = []

    def meanwhile(_: object) -> None:
        if not refusals:
            refusals.append("")
            with pytest.raises(DeidError) as refused:
                run_job(job(extract, out, resume=True), KnownOnly())
            refusals.append(refused.value.code)

    assert run_job(job(extract, out), KnownOnly(), progress=meanwhile).exit_code == 0
    assert refusals == ["", "out-in-use"]


def test_an_input_that_changes_during_the_job_is_an_error(extract: Path, tmp_path: Path) -> None:
    def meddle(standing: Any) -> None:
        if standing.phase == "scrub" and standing.done == 2:
            (extract / "visits.csv").write_text("account_number,patient_id,hemoglobin\n")

    with pytest.raises(DeidError) as refused:
        run_job(job(extract, tmp_path / "out"), KnownOnly(), progress=meddle)
    assert refused.value.code == "input-changed"
    assert refused.value.place == "file 12"
    assert list(tmp_path.iterdir()) == [extract]


def _raise(text: str) -> None:
    if "POISON" in text:
        raise ValueError("cannot read: " + text)


def _die(text: str) -> None:
    if "POISON" in text:
        os.kill(os.getpid(), signal.SIGKILL)


def _poisoned(extract: Path) -> None:
    poison = "POISON Quorblatt"
    (extract / "letters" / "00402801_9.txt").write_text(poison)
    with (extract / "notes.csv").open("a") as file:
        file.write(f"00402801,{poison}\n")
    with (extract / "more.jsonl").open("a") as file:
        file.write(json.dumps({"id": "9", "text": poison, "patient": "00402802"}) + "\n")


@pytest.mark.parametrize("workers", [0, 2])
def test_a_record_that_breaks_the_engine_is_withheld_alone(
    extract: Path, tmp_path: Path, workers: int
) -> None:
    _poisoned(extract)
    out = tmp_path / "out"
    release = run_job(job(extract, out, workers=workers), KnownOnly(_raise))
    assert release.exit_code == 4
    manifest = _manifest(release)
    assert manifest["records_in"] == manifest["records_out"] + manifest["quarantined"]
    fallen = _lines(out, "quarantine.jsonl")
    assert [(f["place"], f["code"]) for f in fallen] == [("record", "engine-error")] * 3
    assert manifest["quarantined"] == 3
    assert not [*out.rglob("file_3.txt")]
    assert b"POISON" not in b"".join(p.read_bytes() for p in out.rglob("*") if p.is_file())


def test_a_row_of_a_structured_table_that_breaks_the_engine_is_withheld_alone(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visits = extract / "visits.csv"
    lines = visits.read_text("utf-8").splitlines()
    lines[21] = lines[21].rpartition(",")[0] + ",6.75"
    visits.write_text("\n".join(lines) + "\n", "utf-8")
    really = ColumnDecision.refuses

    def refuses(decision: ColumnDecision, value: str) -> Any:
        if value == "6.75":
            raise ArithmeticError("cannot take " + value)
        return really(decision, value)

    monkeypatch.setattr(ColumnDecision, "refuses", refuses)
    out = tmp_path / "out"
    release = run_job(job(extract, out, workers=2), KnownOnly())
    assert release.exit_code == 4
    assert _lines(out, "quarantine.jsonl") == [
        {"file": 12, "record": 21, "place": "record", "code": "engine-error"}
    ]
    assert len((out / "visits.csv").read_text("utf-8").splitlines()) == 1 + 35


def test_a_file_that_kills_its_worker_is_withheld_and_the_others_are_done(
    extract: Path, tmp_path: Path
) -> None:
    (extract / "letters" / "00402801_9.txt").write_text("POISON Quorblatt")
    out = tmp_path / "out"
    release = run_job(job(extract, out, workers=2), KnownOnly(_die))
    assert release.exit_code == 4
    assert _lines(out, "quarantine.jsonl") == [
        {"file": 3, "record": None, "place": "file", "code": "worker-died"}
    ]
    manifest = _manifest(release)
    assert manifest["records_in"] == manifest["records_out"] + 1
    (extract / "letters" / "00402801_9.txt").write_text("Well child check.")
    run_job(job(extract, tmp_path / "clean", workers=2), KnownOnly())
    assert (out / "notes.csv").read_bytes() == (tmp_path / "clean" / "notes.csv").read_bytes()


@pytest.mark.parametrize(("workers", "late"), [(0, True), (2, True), (0, False)])
def test_a_file_that_breaks_its_reader_is_withheld_as_a_whole(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int, late: bool
) -> None:
    from deid.formats.delimited import csv_table

    really, by_column = csv_table.CsvSource.records, csv_table.CsvSource.batches
    began: list[int] = [] if late else [1]

    def records(self: csv_table.CsvSource) -> Any:
        for number, record in enumerate(really(self)):
            if self.path.name == "visits.csv" and number == 20 and began:
                raise RuntimeError("row was " + str(record))
            yield record

    def batches(self: csv_table.CsvSource) -> Any:
        for batch in by_column(self):
            if self.path.name == "visits.csv" and began:
                raise RuntimeError("rows were " + str(batch.to_pylist()))
            yield batch

    def begin(standing: Any) -> None:
        if standing.phase == "scrub":
            began.append(1)

    monkeypatch.setattr(csv_table.CsvSource, "records", records)
    monkeypatch.setattr(csv_table.CsvSource, "batches", batches)
    out = tmp_path / "out"
    release = run_job(job(extract, out, workers=workers), KnownOnly(), progress=begin)
    assert release.exit_code == 4
    assert not (out / "visits.csv").exists()
    assert _lines(out, "quarantine.jsonl") == [
        {"file": 12, "record": None, "place": "file", "code": "engine-error"}
    ]
    assert not any(line["file"] == 12 for line in _lines(out, "changes.jsonl"))
    assert (out / "patients.csv").exists()


def test_a_fault_in_every_file_is_reported_and_leaves_no_output(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def boom(*_: Any) -> Any:
        raise RuntimeError("row was Quorblatt")

    monkeypatch.setattr(TableFlow, "run", boom)
    with pytest.raises(DeidError) as told:
        run_job(job(extract, tmp_path / "out", workers=2), KnownOnly())
    assert (told.value.code, told.value.exit_code) == ("internal", 1)
    assert "Quorblatt" not in str(told.value)
    assert list(tmp_path.iterdir()) == [extract]


def test_records_lost_in_the_table_flow_are_detected(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = TableFlow.run

    def lossy(flow: TableFlow, read: ReadRows) -> Any:
        return really(flow, replace(read, rows=read.rows[:-1]) if len(read) > 30 else read)

    monkeypatch.setattr(TableFlow, "run", lossy)
    with pytest.raises(DeidError) as told:
        run_job(job(extract, tmp_path / "out", workers=2), KnownOnly())
    assert (told.value.code, told.value.exit_code) == ("records-lost", 3)
    assert list(tmp_path.iterdir()) == [extract]


def test_changes_of_a_table_without_notes_are_listed_by_range_of_records(
    extract: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    release = run_job(job(extract, out), KnownOnly())
    lines = _lines(out, "changes.jsonl")
    patients = [line for line in lines if line["file"] == 11]
    assert [(line["records"], line["column"]) for line in patients] == [
        ([1, 12], 1),
        ([1, 12], 2),
        ([1, 12], 3),
        ([1, 12], 4),
    ]
    assert [line["whole_cells"][0]["cells"] for line in patients] == [12] * 4
    assert patients[1]["whole_cells"][0]["identifier"] == "names"
    notes = [line for line in lines if line["file"] == 10]
    assert {line["record"] for line in notes} == set(range(1, 9))
    assert _manifest(release)["identifiers"]["names"]["replaced"] >= 24


def test_progress_grows_to_the_end(extract: Path, tmp_path: Path) -> None:
    seen: list[Any] = []
    run_job(job(extract, tmp_path / "out", workers=2), KnownOnly(), progress=seen.append)
    assert seen[0].phase == "read"
    shares = [s.share for s in seen if s.phase == "scrub"]
    assert shares == sorted(shares) and shares[-1] == 1
    assert seen[-1].phase == "release"


def test_an_unwritable_target_is_reported(extract: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.write_text("a file where a folder should be")
    with pytest.raises(DeidError) as refused:
        run_job(job(extract, closed / "out"), KnownOnly())
    assert refused.value.code == "out-not-writable"


def test_the_ledger_and_the_job_folder_contain_no_value(extract: Path, halted: Path) -> None:
    names = (*(b"Theodora", b"Hoekstra", b"Quillfeather"), b"00402801", b"802-555")
    files = [path for path in job_folder_path(halted).rglob("*") if path.is_file()]
    assert "ledger.sqlite" in {path.name for path in files}
    for path in files:
        assert not any(name in path.read_bytes() for name in names)


def test_an_extract_of_one_patient_and_no_note(tmp_path: Path) -> None:
    small = write_extract(tmp_path / "small", patients=1, notes=0)
    assert run_job(job(small, tmp_path / "out", workers=3), KnownOnly()).exit_code == 0


def test_the_outcome_of_every_filled_cell_is_counted(extract: Path, tmp_path: Path) -> None:
    for name, workers in (("one", 0), ("two", 2)):
        run_job(job(extract, tmp_path / name, workers=workers), KnownOnly())
    out = tmp_path / "one"
    manifest = json.loads((out / "_release" / "manifest.json").read_text("utf-8"))
    two = json.loads((tmp_path / "two" / "_release" / "manifest.json").read_text("utf-8"))
    assert manifest["cells"] == two["cells"] and manifest["columns"] == two["columns"]
    whole: Counter[str] = Counter()
    for column in manifest["columns"]:
        whole += Counter(column["cells"])
    assert manifest["cells"] == dict.fromkeys(manifest["cells"], 0) | whole
    visits = next(c["file"] for c in manifest["columns"] if c["header"] == "hemoglobin")
    fates = {c["header"]: c["cells"] for c in manifest["columns"] if c["file"] == visits}
    assert fates["hemoglobin"] == {"kept": 36}
    assert fates["account_number"] == fates["patient_id"] == {"replaced": 36}
