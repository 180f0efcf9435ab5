"""JSON records: the output has the same structure, each path is a column, and keys that are values
are treated as values.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deid.decision import ColumnDecision, decisions_as_json
from deid.errors import DeidError
from deid.formats import ReadOptions, Record, RecordFault, format_of, open_source
from deid.jobs import Job, run_job
from deid.policy.model import parse_policy, policy_text, read_policy
from deid.release.releasing import Release
from deid.tables.column_decisions import decide_columns
from deid.text.engine import load_finder
from deid.text.scrubber import TextFinder as Finder

DAY = date(2026, 11, 22)
Through = Callable[..., tuple[Path, tuple[str, ...]]]


def _path(folder: Path, value: Any, name: str = "d.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def _patient(number: int) -> dict[str, Any]:
    family = ("Kowalczyk", "Thibodeaux", "Ramaswamy", "Lindqvist")[number % 4]
    return {
        "mrn": f"{441000 + number * 37:08d}",
        "name": {"given": ["Kasia", "J"], "family": family},
        "dob": f"19{30 + number}-03-14",
        "address": {"line1": f"{40 + number} Maple Street", "city": "Putney", "zip": "05301"},
        "contacts": [{"name": f"Tomasz {family}", "relationship": "son", "phone": "715-555-0188"}],
        "encounters": [
            {
                "date": "2021-04-02",
                "type": ("inpatient", "outpatient")[number % 2],
                "note": f"Ms. {family} came with her son Tomasz, of Maple Street.",
                "labs": [{"name": "Hemoglobin", "value": 9.50 + number / 10, "unit": "g/dL"}],
            }
        ]
        * (1 + number % 2),
        "deceased": number % 3 == 0,
        "smoker": None,
    }


PATIENTS = [_patient(number) for number in range(24)]
GONE = (
    "Kowalczyk",
    "Tomasz",
    "Maple",
    "Putney",
    "05301",
    "555-0188",
    "2021-04-02",
    "-03-14",
    "441",
)


@pytest.fixture(scope="module")
def finder() -> Finder:
    return load_finder(DAY)


def _scrub(folder: Path, out: Path, finder: Finder) -> Release:
    job = Job((folder,), out, read_policy("safe_harbor"), DAY)
    return run_job(job, finder)


def _decide(path: Path) -> dict[str, ColumnDecision]:
    source = open_source(path)
    found = decide_columns(read_policy("safe_harbor"), path.name, source, False, ReadOptions())
    return dict(zip(source.columns, found, strict=True))


# -- structure -------------------------------------------------------------------------------------

SHAPES: dict[str, Any] = {
    "array.json": PATIENTS,
    "envelope.json": {"status": "ok", "total": 24, "data": {"patients": PATIENTS}},
    "keyed.json": {patient["mrn"]: patient for patient in PATIENTS},
    "tables.json": {"patients": PATIENTS, "labs": [{"mrn": "00441037", "value": 4.5}]},
    "single.json": PATIENTS[7],
    "lines.ndjson": "\n".join(map(json.dumps, PATIENTS)) + "\n",
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_document_of_records_is_written_back_unchanged(
    tmp_path: Path, through: Through, name: str
) -> None:
    path = _path(tmp_path, SHAPES[name], name)
    target, _ = through(path)
    before, after = path.read_text("utf-8"), target.read_text("utf-8")
    if name == "keyed.json":
        assert list(json.loads(after).values()) == list(json.loads(before).values())
        assert not any("441" in key for key in json.loads(after))
    elif name == "lines.ndjson":
        assert after == before
    else:
        assert json.loads(after) == json.loads(before)


@pytest.mark.parametrize("name", SHAPES)
def test_a_document_of_records_is_released_with_its_structure(
    tmp_path: Path, finder: Finder, name: str
) -> None:
    (tmp_path / "in").mkdir()
    _path(tmp_path / "in", SHAPES[name], name)
    release = _scrub(tmp_path / "in", tmp_path / "out", finder)
    assert release.manifest["residual"]["hits"] == 0
    assert release.manifest["records_in"] == release.manifest["records_out"]
    text = (tmp_path / "out" / name).read_text("utf-8")
    assert not [value for value in GONE if value in text]
    assert '"inpatient"' in text or '"outpatient"' in text
    assert '"Hemoglobin"' in text and '"g/dL"' in text and "came with her son" in text
    assert '"year"' not in text and '"dob":' in text.replace(" ", "")


def test_an_indented_document_stays_indented_and_numbers_keep_their_spelling(
    tmp_path: Path, through: Through
) -> None:
    text = '[\n  {\n    "mrn": "1",\n    "value": 1.50\n  }\n]\n'
    target, _ = through(_path(tmp_path, text))
    assert target.read_text("utf-8") == text


def test_records_name_their_patient_and_known_values(tmp_path: Path) -> None:
    known = {"names": ["Ruth"]}
    path = _path(tmp_path, [{"id": "1", "text": "t", "patient": "p", "known": known}])
    (record,) = open_source(path).records()
    assert isinstance(record, Record)
    assert record.patient == "p" and record.known == known
    assert "known" not in open_source(path).columns
    assert "Ruth" not in repr(record) and "Ruth" not in repr(record.skeleton)


def test_json_lines_of_notes_are_read_by_the_format_for_notes(tmp_path: Path) -> None:
    notes = _path(tmp_path, '{"id": "1", "text": "t", "spans": [{"a": 1}]}\n', "n.jsonl")
    rows = _path(tmp_path, '{"id": "1", "visit": {"date": "2021-01-01"}}\n', "r.jsonl")
    found, other = format_of(notes), format_of(rows)
    assert found is not None and found.name == "jsonl"
    assert other is not None and other.name == "json"


# -- what cannot be read ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("element", "code"),
    [
        ("7", "not-an-object"),
        ('["a"]', "not-an-object"),
        ('{"a": 1,}', "broken-json"),
        ('{"a": 1, "a": 2}', "broken-json"),
        ('{"a": "half \\ud800"}', "lone-surrogate"),
        ('{"a": "\\u0007"}', "control-character"),
        ('{"a": NaN}', "broken-json"),
        ('{"known": ["x"]}', "broken-known-values"),
        ("", "broken-json"),
        ('{"a": ' + "[" * 80 + "]" * 80 + "}", "too-deep"),
        ('{"a": [' + "1," * 30_000 + "1]}", "too-many-values"),
    ],
)
def test_an_invalid_record_is_a_separate_fault(tmp_path: Path, element: str, code: str) -> None:
    path = _path(tmp_path, f'[{{"a": 1}}, {element}, {{"a": 2}}]')
    records = list(open_source(path).records())
    assert [r.code for r in records if isinstance(r, RecordFault)] == [code]
    assert [r.ordinal for r in records] == [1, 2, 3]


@pytest.mark.parametrize(
    "text",
    ["", "7", '"x"', "[{}", "[{}] {}", '{"a": 1', "not json", '{"data": [{}], "status": {,}}'],
)
def test_a_document_that_is_not_json_is_refused_as_a_whole(tmp_path: Path, text: str) -> None:
    with pytest.raises(DeidError) as raised:
        open_source(_path(tmp_path, text))
    assert raised.value.code in ("broken-json", "no-json")


# -- paths as columns ------------------------------------------------------------------------------


def test_each_path_is_decided_once_as_a_column(tmp_path: Path) -> None:
    seen = _decide(_path(tmp_path, PATIENTS))
    assert seen["mrn"].entity == "MEDICAL_RECORD_NUMBER"
    assert seen["dob"].birth and seen["dob"].action == "year"
    assert seen["address.zip"].entity == "US_ZIP_CODE"
    assert seen["contacts[].name"].identifier is not None
    assert seen["encounters[].note"].action == "text"
    assert seen["encounters[].labs[].value"].action == "keep"
    assert seen["encounters[].date"].action == "year"


def test_a_value_is_classified_by_the_keys_above_it(tmp_path: Path) -> None:
    rows = [
        {
            "identifiers": [{"value": str(4000 + n * 7), "system": "local"}],
            "telecom": [{"value": f"715-555-01{n:02d}"}],
            "results": [{"value": 4.5 + n / 10, "performer": {"name": "Xochitl Vang"}}],
        }
        for n in range(60)
    ]
    seen = _decide(_path(tmp_path, rows))
    assert seen["identifiers[].value"].identifier is not None
    assert seen["telecom[].value"].identifier is not None
    assert seen["results[].performer.name"].identifier is not None
    assert seen["results[].value"].action == "keep"


def test_an_unclassified_path_is_withheld(tmp_path: Path, finder: Finder) -> None:
    (tmp_path / "in").mkdir()
    rows = [{"mrn": f"0044{n:04d}", "zed": {"qx": f"fjk{n}"}, "hgb": 9.5} for n in range(9)]
    _path(tmp_path / "in", rows, "d.json")
    _scrub(tmp_path / "in", tmp_path / "out", finder)
    assert "zed" not in (tmp_path / "out" / "d.json").read_text("utf-8")


def test_a_policy_can_name_a_path(tmp_path: Path) -> None:
    line = "columns:\n- {name: 'zed[].qx', action: keep, reason: a local score}"
    policy = parse_policy(policy_text("safe_harbor").replace("columns: []", line))
    source = open_source(_path(tmp_path, [{"zed": [{"qx": "fjk"}, {"qx": "gul"}]}]))
    found = decide_columns(policy, "d.json", source, False, ReadOptions())
    assert [decision.action for decision in found] == ["keep", "keep"]
    assert len(list(decisions_as_json(1, found))) <= 2


def test_a_column_that_first_appears_late_is_decided_by_its_values(
    tmp_path: Path,
) -> None:
    first = [{"mrn": f"{n:08d}"} for n in range(2500)]
    path = _path(tmp_path, {"patients": first, "labs": [{"unit": "g/dL"}] * 30})
    assert _decide(path)["labs[].unit"].action == "keep"


# -- keys that are values --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys",
    [
        [f"{441000 + n:08d}" for n in range(30)],
        [f"2021-03-{n + 1:02d}" for n in range(30)],
        [f"Okafor, Ngozi {n}" for n in range(30)],
        [f"u{n}f{n}k" for n in range(30)],
        [f"zq-{chr(97 + n % 26)}{chr(97 + n // 26)}x" for n in range(30)],
    ],
    ids=["numbers", "days", "names", "tokens", "words seen once"],
)
def test_keys_that_are_values_are_never_released_unchanged(
    tmp_path: Path, finder: Finder, keys: list[str]
) -> None:
    (tmp_path / "in").mkdir()
    rows = [{"mrn": f"0099{n:04d}", "glucose": {key: 90 + n}} for n, key in enumerate(keys)]
    _path(tmp_path / "in", rows, "rows.json")
    _path(tmp_path / "in", {key: {"sex": "F", "hgb": 9.5} for key in keys}, "keyed.json")
    _scrub(tmp_path / "in", tmp_path / "out", finder)
    for name in ("rows.json", "keyed.json"):
        text = (tmp_path / "out" / name).read_text("utf-8")
        assert not [key for key in keys if f'"{key}"' in text]
    assert len(json.loads((tmp_path / "out" / "rows.json").read_text("utf-8"))) == 30
    assert len(json.loads((tmp_path / "out" / "keyed.json").read_text("utf-8"))) == 30


def test_a_key_that_names_a_known_patient_is_withheld(tmp_path: Path, finder: Finder) -> None:
    (tmp_path / "in").mkdir()
    rows: list[dict[str, Any]] = [
        {"mrn": f"0044{n:04d}", "last_name": "Brennerman", "hgb": 9.5} for n in range(9)
    ]
    rows[0]["score_brennerman"] = 4
    rows[1]["carers"] = {"brennerman": {"sex": "F"}}
    _path(tmp_path / "in", rows, "d.json")
    _scrub(tmp_path / "in", tmp_path / "out", finder)
    assert "brennerman" not in (tmp_path / "out" / "d.json").read_text("utf-8").casefold()


def test_rare_surnames_among_the_keys_are_withheld(tmp_path: Path, finder: Finder) -> None:
    (tmp_path / "in").mkdir()
    names = ("Kowalczyk", "Ogunbanjo", "Brzeczyszczyk", "tsosiewicz")
    rows = [{"mrn": f"0044{n:04d}", "scores": {names[n % 4]: 4, "total": 4}} for n in range(40)]
    _path(tmp_path / "in", rows, "d.json")
    _path(tmp_path / "in", {"Ogunbanjo": {"hgb": 9.5}}, "one.json")
    _scrub(tmp_path / "in", tmp_path / "out", finder)
    text = "".join(path.read_text("utf-8") for path in (tmp_path / "out").glob("*.json"))
    assert not [name for name in names if name in text]


def test_keys_that_become_the_same_year_stay_separate(tmp_path: Path, finder: Finder) -> None:
    (tmp_path / "in").mkdir()
    days = {f"2021-03-0{n}": 90 + n for n in range(1, 4)}
    _path(tmp_path / "in", [{"mrn": f"0044{n:04d}", "glucose": days} for n in range(9)], "d.json")
    _scrub(tmp_path / "in", tmp_path / "out", finder)
    rows = json.loads((tmp_path / "out" / "d.json").read_text("utf-8"))
    assert rows[0]["glucose"] == {"2021": 91, "2021 (2)": 92, "2021 (3)": 93}


# -- ages ------------------------------------------------------------------------------------------


def test_an_age_at_an_early_visit_counts_from_the_earliest_date(
    tmp_path: Path, finder: Finder
) -> None:
    (tmp_path / "in").mkdir()
    visits = [{"date": "2025-05-01", "bmi": 22.5}, {"date": "2005-05-01", "age": 75}]
    rows = [{"mrn": f"0044{n:04d}", "visits": visits} for n in range(9)]
    _path(tmp_path / "in", rows, "d.json")
    _scrub(tmp_path / "in", tmp_path / "out", finder)
    (age,) = {
        v["age"]
        for r in json.loads((tmp_path / "out" / "d.json").read_text())
        for v in r["visits"]
        if "age" in v
    }
    assert age == "90+"


def test_one_object_with_a_value_as_a_key_reads_back_as_one_record(
    tmp_path: Path, through: Through
) -> None:
    path = _path(tmp_path, {"data": {}, "00441672": {}, "qx": {"a": 1}})
    target, _ = through(path, lambda name, cell: "[MRN]")
    assert len(list(open_source(path).records())) == 1
    assert len(list(open_source(target).records())) == 1
