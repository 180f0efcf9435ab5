"""DICOM JSON: listed elements stay in the form of their value representation, and names leave."""

from __future__ import annotations

import csv
import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deid.formats import Record, format_of, open_source
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

DAY = date(2026, 11, 21)
SET: dict[str, Any] = {
    "00080008": {"vr": "CS", "Value": ["ORIGINAL", "PRIMARY"]},
    "00080016": {"vr": "UI", "Value": ["1.2.840.10008.5.1.4.1.1.4"]},
    "00080018": {"vr": "UI", "Value": ["1.3.46.670589.11.4471.2"]},
    "00080020": {"vr": "DA", "Value": ["20230314"]},
    "00080030": {"vr": "TM", "Value": ["202215"]},
    "00080050": {"vr": "SH", "Value": ["11791306742801"]},
    "00080060": {"vr": "CS", "Value": ["MR"]},
    "00080080": {"vr": "LO", "Value": ["Kildare Memorial"]},
    "00080090": {"vr": "PN", "Value": [{"Alphabetic": "Okafor^Ngozi^^Dr."}]},
    "00081010": {"vr": "SH", "Value": ["MRROOM7KLD"]},
    "00081032": {
        "vr": "SQ",
        "Value": [
            {
                "00080100": {"vr": "SH", "Value": ["241601008"]},
                "00080102": {"vr": "SH", "Value": ["SCT"]},
                "00080104": {"vr": "LO", "Value": ["MRI of head"]},
            }
        ],
    },
    "00091001": {"vr": "LO", "Value": ["Olejniczak private"]},
    "00100010": {"vr": "PN", "Value": [{"Alphabetic": "Olejniczak^Hubert"}]},
    "00100020": {"vr": "LO", "Value": ["44MRN7788"]},
    "00100030": {"vr": "DA", "Value": ["19510719"]},
    "00100040": {"vr": "CS", "Value": ["M"]},
    "00101010": {"vr": "AS", "Value": ["072Y"]},
    "00101030": {"vr": "DS", "Value": [87.5]},
    "00104000": {"vr": "LT", "Value": ["Mr. Olejniczak has a cough."]},
    "00180087": {"vr": "DS", "Value": [1.5]},
    "00181000": {"vr": "LO", "Value": ["SN-99887766"]},
    "00200013": {"vr": "IS", "Value": ["12"]},
    "00324000": {"vr": "LT", "Value": []},
    "00380040": {"vr": "LO", "Value": ["Ward of Olejniczak"]},
    "7FE00010": {"vr": "OW", "InlineBinary": "T2xlam5pY3phaw=="},
}
LEAKS = (
    *("OLEJNICZAK", "HUBERT", "OKAFOR", "NGOZI", "KILDARE", "44MRN7788", "0314", "0719", "2022"),
    *("11791306742801", "670589", "KLD", "99887766", "T2XLAM5PY3PHAW"),
)


def scrubbed(tmp_path: Path, content: Any) -> tuple[Any, dict[str, Any]]:
    """The data sets after a job, and its manifest."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "study.json").write_text(json.dumps(content))
    job = Job((tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY)
    release = run_job(job, Finder.load(model=False, reference_date=DAY))
    assert release.exit_code == 0
    return json.loads((tmp_path / "out" / "study.json").read_text()), release.manifest


@pytest.mark.parametrize("listed", [False, True])
def test_codes_and_measurements_stay_and_identifiers_leave(listed: bool, tmp_path: Path) -> None:
    found, manifest = scrubbed(tmp_path, [SET, SET] if listed else SET)
    assert [word for word in LEAKS if word in json.dumps(found).upper()] == []
    first = found[0] if listed else found
    kept = ("00080008", "00080016", "00080060", "00081032", "00100040", "00101010", "00101030")
    for tag in (*kept, "00180087", "00200013"):
        assert first[tag] == SET[tag], tag
    assert first["00080020"]["Value"] == ["20230101"]
    assert first["00100030"]["Value"] == ["19510101"]
    assert re.fullmatch(r"2\.25\.\d+", first["00080018"]["Value"][0])
    assert first["00104000"]["Value"][0].endswith("has a cough.")
    assert manifest["records_out"] == 1 + listed
    told = {line["what"]: line["count"] for line in manifest["left_behind"]}
    assert told == {"unnamed-elements": 1 + listed, "unnamed-values": 1 + listed}


def test_an_age_over_89_is_left_out(tmp_path: Path) -> None:
    old = SET | {
        "00101010": {"vr": "AS", "Value": ["093Y"]},
        "00100030": {"vr": "DA", "Value": ["19300719"]},
    }
    found, _ = scrubbed(tmp_path, old)
    assert "093" not in json.dumps(found) and "1930" not in json.dumps(found)


@pytest.mark.parametrize("name", ["LEWIS", "TOLEDO", "MERCY CARDIOLOGY", "BATH", "READING"])
def test_a_code_that_may_be_a_name_is_left_out(name: str, tmp_path: Path) -> None:
    code = {"00080100": {"vr": "SH", "Value": [name]}, "00080104": {"vr": "LO", "Value": [name]}}
    named = SET | {
        "00180015": {"vr": "CS", "Value": [name]},
        "00181020": {"vr": "LO", "Value": [name]},
        "00321064": {"vr": "SQ", "Value": [code]},
    }
    found, _ = scrubbed(tmp_path, named)
    assert name not in json.dumps(found)


def test_codes_that_are_parts_of_the_body_or_answers_stay(tmp_path: Path) -> None:
    codes = {"00180015": ["HAND"], "00280301": ["NO"], "00100040": ["F"]}
    told = {tag: {"vr": "CS", "Value": value} for tag, value in codes.items()}
    found, _ = scrubbed(tmp_path, SET | told)
    assert {tag: found[tag] for tag in told} == told


def test_an_object_of_tags_is_of_dicom_and_other_json_is_not(tmp_path: Path) -> None:
    study, other = tmp_path / "study.json", tmp_path / "other.json"
    study.write_text(json.dumps([SET]))
    other.write_text('{"00441672": {"name": "Ada"}}')
    for path, name in ((study, "dicom_json"), (other, "json")):
        found = format_of(path)
        assert found is not None and found.name == name


def test_a_data_set_that_is_no_object_is_withheld_alone(tmp_path: Path) -> None:
    path = tmp_path / "study.json"
    path.write_text(json.dumps([SET, 7]))
    first, second = open_source(path).records()
    assert isinstance(first, Record) and not isinstance(second, Record)


def test_every_line_of_the_dicom_table_is_a_tag_or_a_representation() -> None:
    folder = Path(__file__).parents[4] / "deid" / "formats" / "dicom_json"
    paths = [row["path"] for row in csv.DictReader((folder / "loci.csv").open())]
    assert len(set(paths)) == len(paths) > 90
    assert all(re.fullmatch(r"[0-9A-F]{8}|[A-Z]{2}(\[\w+\])?", path) for path in paths)
