"""Whole extracts through the whole job: the linked clinic, and Synthea's CSV files where they are
available.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from deid.jobs import Job, run_job
from deid.policy.model import parse_policy, policy_text, read_policy
from deid.release.releasing import Release
from deid.text.engine import load_finder

ROOT = Path(__file__).parents[2]
CLINIC = ROOT / "corpora" / "clinic"
SYNTHEA = ROOT.parent / "shared" / "data" / "extracts" / "synthea-csv-unmc"
REFERENCE = date(2026, 11, 21)
TABLES = ("patients", "contacts", "encounters", "results", "devices", "notes")
_IDENTIFIERS = """
    BIRTHDATE DEATHDATE SSN DRIVERS PASSPORT FIRST LAST MAIDEN BIRTHPLACE ADDRESS CITY COUNTY FIPS
    ZIP LAT LON ID PATIENT PATIENTID START STOP DATE START_DATE END_DATE NAME PHONE UDI SERIES_UID
    INSTANCE_UID MEMBERID OWNER_NAME
"""
SYNTHEA_IDENTIFIERS = frozenset(_IDENTIFIERS.split())


def _scrub(
    inputs: tuple[Path, ...], out: Path, known: tuple[Path, ...], key: str | None
) -> Release:
    job = Job(
        inputs=inputs,
        out=out,
        policy=read_policy("safe_harbor"),
        reference_date=REFERENCE,
        known=known,
        patient_key=key,
    )
    return run_job(job, load_finder(REFERENCE))


def test_clinician_columns_are_kept_where_the_policy_says_so(tmp_path: Path) -> None:
    policy = parse_policy(
        policy_text("safe_harbor").replace("providers: remove", "providers: keep")
    )
    job = Job(
        inputs=(CLINIC / "patients.csv", CLINIC / "encounters.csv"),
        out=tmp_path / "out",
        policy=policy,
        reference_date=REFERENCE,
        known=(CLINIC / "patients.csv",),
        patient_key="patientId",
    )
    release = run_job(job, load_finder(REFERENCE))
    assert release.out is not None
    before, after = _rows(CLINIC / "encounters.csv"), _rows(release.out / "encounters.csv")
    column = "ATTENDING_MD"
    assert [row[column] for row in after] == [row[column] for row in before]


def _rows(path: Path) -> list[dict[str, str]]:
    delimiter = ";" if path.stem == "contacts" else ","
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Release:
    out = tmp_path_factory.mktemp("clinic") / "out"
    return _scrub(tuple(CLINIC / f"{name}.csv" for name in TABLES), out, (), None)


def test_the_clinic_is_released_as_safe_harbor(clinic: Release) -> None:
    manifest = clinic.manifest
    assert clinic.exit_code == 0
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["residual"]["hits"] == 0
    assert manifest["records_in"] == manifest["records_out"] == 36 + 77 + 80 + 120 + 10 + 44
    assert not [c for c in manifest["columns"] if c["action"] in ("withhold", "drop")]


def test_every_expected_value_of_the_clinics_tables_is_met(clinic: Release) -> None:
    assert clinic.out is not None
    tables = {f"{name}.csv": _rows(clinic.out / f"{name}.csv") for name in TABLES}
    expected = [row for row in _rows(CLINIC / "expected.csv") if row["table"] in tables]
    wrong = [
        (row["table"], row["row"], row["column"])
        for row in expected
        if tables[row["table"]][int(row["row"]) - 1][row["column"]]
        not in (row["expected"], row["also_ok"] or row["expected"])
    ]
    assert len(expected) == 776
    assert wrong == []


def test_no_known_span_of_the_clinics_notes_survives(clinic: Release) -> None:
    assert clinic.out is not None
    covered = _covered(clinic.out)
    missed = []
    lines = (CLINIC / "notes_gold.jsonl").read_text("utf-8").splitlines()
    for number, gold in enumerate(map(json.loads, lines), 1):
        for span in gold["spans"]:
            letters = [i for i in range(span["start"], span["end"]) if gold["text"][i].isalnum()]
            if span["known"] and not covered[number].issuperset(letters):
                missed.append((gold["id"], span["label"]))
    assert missed == []


def _covered(out: Path) -> dict[int, set[int]]:
    """The offsets that were replaced in the BODY of each note."""
    covered: dict[int, set[int]] = defaultdict(set)
    file, column = len(TABLES), 7
    with (out / "_release" / "changes.jsonl").open(encoding="utf-8") as log:
        for line in map(json.loads, log):
            if (line["file"], line["column"]) == (file, column):
                for change in line["changes"]:
                    covered[line["record"]].update(range(change["start"], change["end"]))
    return covered


def test_non_identifying_cells_of_the_clinics_tables_are_kept(clinic: Release) -> None:
    assert clinic.out is not None
    classes = json.loads((CLINIC / "columns.json").read_text("utf-8"))
    kept = whole = 0
    for name in TABLES:
        before, after = _rows(CLINIC / f"{name}.csv"), _rows(clinic.out / f"{name}.csv")
        for header in before[0]:
            if classes[f"{name}.csv"][header]["class"] == "keep":
                pairs = [(b[header], a[header]) for b, a in zip(before, after, strict=True)]
                whole += len(pairs)
                kept += sum(b == a for b, a in pairs)
    # Makers and models in a table of ten devices are on no list.
    assert kept / whole > 0.98


@pytest.fixture(scope="module")
def synthea(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Release]:
    if not SYNTHEA.exists():
        pytest.skip("the shared extracts are absent")
    out = tmp_path_factory.mktemp("synthea") / "out"
    yield _scrub((SYNTHEA,), out, (SYNTHEA / "patients.csv",), "Id")


def test_synthea_is_released_with_every_row_accounted_for(synthea: Release) -> None:
    manifest = synthea.manifest
    rows = sum(len(_rows(path)) for path in SYNTHEA.glob("*.csv"))
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["residual"]["hits"] == 0
    assert manifest["rows"] == rows  # the license beside the tables is a document
    assert manifest["records_in"] == rows + manifest["documents"]
    assert manifest["records_out"] + manifest["quarantined"] == manifest["records_in"]


def test_no_value_of_syntheas_identifier_columns_is_left(synthea: Release) -> None:
    assert synthea.out is not None
    values = {
        value
        for path in SYNTHEA.glob("*.csv")
        if path.stem != "payers"  # names of insurers identify no patient
        for row in _rows(path)
        for header, value in row.items()
        if header.upper() in SYNTHEA_IDENTIFIERS and len(value) >= 4
    }
    left = 0
    for path in synthea.out.glob("*.csv"):
        for row in _rows(path):
            left += sum(cell in values for cell in row.values())
    assert len(values) > 30_000
    assert left == 0


def test_kept_cells_of_synthea_are_unchanged(synthea: Release) -> None:
    assert synthea.out is not None
    kept = (("conditions", "CODE"), ("medications", "DESCRIPTION"), ("patients", "RACE"))
    for name, header in kept:
        before, after = _rows(SYNTHEA / f"{name}.csv"), _rows(synthea.out / f"{name}.csv")
        pairs = [(b[header], a[header]) for b, a in zip(before, after, strict=True)]
        lost = [b for b, a in pairs if a != b]
        assert all(a in ("", b) for b, a in pairs)
        assert len(lost) <= 0.01 * len(pairs), header
