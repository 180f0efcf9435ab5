"""A constant that is misread as an identifier does not withhold the records of other tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_extract import KnownOnly, job

from deid.jobs import run_job

STUDY, MODEL = "QRX-4471-02", "Accula SARS-CoV-2 Test"


def _job(tmp_path: Path, **tables: list[str]) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, lines in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    out = tmp_path / "out"
    run_job(job(folder, out, known=(), patient_key=None), KnownOnly())
    return out


def _withheld(out: Path) -> int:
    manifest = json.loads((out / "_release" / "manifest.json").read_text("utf-8"))
    return int(manifest["records_in"] - manifest["records_out"])


def _subjects(patients: int) -> list[str]:
    rows = (f"{STUDY},{STUDY}-{100 + n},{'FM'[n % 2]},Placebo" for n in range(patients))
    return ["STUDYID,USUBJID,SEX,ARM", *rows]


@pytest.mark.parametrize("header", ["STUDYID", "study_id", "STUDY", "PROTOCOL_ID"])
def test_the_number_of_a_study_withholds_no_table(tmp_path: Path, header: str) -> None:
    rows = [f"{STUDY},{1000 + n},{n % 7},{n}.25" for n in range(12) for _ in range(5)]
    out = _job(tmp_path, pk=[f"{header},SUBJECT,AMT,DV", *rows], dm=_subjects(60))
    assert _withheld(out) == 0
    assert (out / "dm.csv").read_text("utf-8").count(STUDY) == 60
    assert STUDY not in (out / "pk.csv").read_text("utf-8") or header == "STUDY"


def test_the_name_of_a_product_under_a_device_header_withholds_no_row(tmp_path: Path) -> None:
    patients = [f"PT{30000 + n}" for n in range(12)]
    kits = [
        f"{p},{MODEL if n % 4 else 'BinaxNOW COVID-19 Ag Card'}" for n, p in enumerate(patients)
    ]
    tests = [f"{p},{MODEL},negative" for p in patients]
    out = _job(
        tmp_path,
        kits=["patient_id,Device_ID", *kits],
        tests=["patient_id,test_name,result", *tests],
    )
    assert _withheld(out) == 0
    assert "Accula" not in (out / "kits.csv").read_text("utf-8")


def test_the_key_of_one_patient_is_replaced_and_searched_for(tmp_path: Path) -> None:
    labs = [f"PT-77120-K,E{90000 + n},{n}" for n in range(60)]
    notes = ["PT-77120-K,Seen again. PT-77120-K asked for a refill."]
    out = _job(
        tmp_path,
        labs=["patient_id,encounter_id,result", *labs],
        notes=["patient_id,note_text", *notes],
    )
    assert all("77120" not in path.read_text("utf-8") for path in out.glob("*.csv"))


def test_the_number_of_a_participant_is_replaced_under_the_header_of_a_study(
    tmp_path: Path,
) -> None:
    rows = [f"RC-{7100 + n},{n},{'FM'[n % 2]}" for n in range(40)]
    out = _job(tmp_path, redcap=["study_id,weight,sex", *rows])
    assert "RC-71" not in (out / "redcap.csv").read_text("utf-8")
