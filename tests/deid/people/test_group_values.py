"""A value that most patients share is no known value; the number of one patient always is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from deid.formats import open_source
from deid.people.gathering import gather_people
from deid.people.linking import LEAST_GROUP
from deid.people.patients import People

STUDY = "QRX-4471-02"
MODEL = "Accula SARS-CoV-2 Test"


def _people(folder: Path, known: Sequence[Path] = (), /, **tables: Sequence[str]) -> People:
    sources = []
    for name, lines in tables.items():
        path = folder / f"{name}.csv"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        sources.append((path.name, open_source(path)))
    return gather_people(sources, known, None)


def _known(people: People) -> set[str]:
    return {known.value for _, values in people.all() for known in values}


def _doses(patients: int, study: str = STUDY) -> list[str]:
    rows = (f"{study},S{4000 + n},{n % 7}" for n in range(patients) for _ in range(3))
    return ["STUDYID,SUBJECT,AMT", *rows]


@pytest.mark.parametrize(("patients", "is_known"), [(LEAST_GROUP - 1, True), (LEAST_GROUP, False)])
def test_the_number_of_a_study_is_known_only_in_a_small_group(
    tmp_path: Path, patients: int, is_known: bool
) -> None:
    known = _known(_people(tmp_path, pk=_doses(patients)))
    assert (STUDY in known) == is_known
    assert {f"S{4000 + n}" for n in range(patients)} <= known


def test_a_small_table_does_not_bring_the_number_of_the_study_back(tmp_path: Path) -> None:
    assert STUDY not in _known(_people(tmp_path, pk=_doses(30), few=_doses(3)))


def test_a_number_of_half_of_the_patients_stays_known(tmp_path: Path) -> None:
    rows = [*_doses(20), *(f"QRX-9980-07,T{5000 + n},1" for n in range(20))]
    assert {STUDY, "QRX-9980-07"} <= _known(_people(tmp_path, pk=rows))


@pytest.mark.parametrize("header", ["patient_id", "mrn", "USUBJID"])
def test_the_key_of_an_extract_of_one_patient_stays_known(tmp_path: Path, header: str) -> None:
    rows = [f"{header},encounter_id,result", *(f"PT-77120-K,E{90000 + n},{n}" for n in range(60))]
    people = _people(tmp_path, labs=rows)
    assert len(people) == 1 and "PT-77120-K" in _known(people)


@pytest.mark.parametrize("header", ["patient_event_id", "subject_sample_id"])
def test_numbers_of_events_do_not_make_the_number_of_one_patient_shared(
    tmp_path: Path, header: str
) -> None:
    rows = [f"record_id,{header},result", *(f"PT-77120-K,E{90000 + n},{n}" for n in range(60))]
    assert "PT-77120-K" in _known(_people(tmp_path, labs=rows))


@pytest.mark.parametrize(("patients", "is_known"), [(LEAST_GROUP - 1, True), (LEAST_GROUP, False)])
def test_a_word_of_a_withheld_column_that_all_patients_have_is_no_known_value(
    tmp_path: Path, patients: int, is_known: bool
) -> None:
    """Before, the names of two scores (`PASI`) cost all rows that kept them in another column."""
    rows = ["USUBJID,zbrwk,AVAL"]
    scores = ("PASI", "BSA 4", "PGA", "EQ-5D")
    rows += [f"S-{4000 + n},{score},{n % 7}" for n in range(patients) for score in scores]
    rows += ["S-4000,Kowalczyk,3"]
    known = _known(_people(tmp_path, scores=rows))
    assert ("PASI" in known) == is_known
    assert "Kowalczyk" in known


def test_mrns_ssns_and_names_stay_known_although_patients_share_them(tmp_path: Path) -> None:
    rows = ["patient_id,mrn,ssn,last_name"]
    rows += [f"PT{3000 + n},00402817,219-09-9999,Osterhagen" for n in range(30)]
    assert {"00402817", "219-09-9999", "Osterhagen"} <= _known(_people(tmp_path, people=rows))


def test_values_of_a_table_that_the_user_names_stay_known(tmp_path: Path) -> None:
    table = tmp_path / "known.csv"
    table.write_text("\n".join(_doses(30)), "utf-8")
    assert STUDY in _known(_people(tmp_path, [table]))


def test_a_product_is_no_device_number(tmp_path: Path) -> None:
    devices = [MODEL, "BinaxNOW COVID-19 Ag Card", "PM-88120734", "Pump 88120735", "BLX123456S"]
    rows = [f"PT{3000 + n},{device}" for n, device in enumerate(devices * 2)]
    known = _known(_people(tmp_path, devices=["patient_id,Device_ID", *rows]))
    assert known.isdisjoint(devices[:2]) and known.issuperset(devices[2:])


def test_a_person_under_a_header_of_devices_stays_known(tmp_path: Path) -> None:
    devices = ["Quenby Harrowgate", "Maria Lopez", "PM-88120734"]
    rows = [f"PT{3000 + n},{device}" for n, device in enumerate(devices * 3)]
    assert _known(_people(tmp_path, devices=["patient_id,Device_ID", *rows])) >= set(devices)


def test_the_number_of_a_site_does_not_join_its_patients(tmp_path: Path) -> None:
    rows = [f"{7 + n % 2:04},PT{3000 + n},{n}" for n in range(40)]
    assert len(_people(tmp_path, visits=["patient_site_id,patient_id,weight", *rows])) == 40


def test_a_retired_number_still_joins_the_rows_of_its_patient(tmp_path: Path) -> None:
    rows = [f"PT{3000 + n},{f'0077{n}' if n < 3 else ''}" for n in range(40)]
    people = _people(tmp_path, people=["patient_id,old_patient_number", *rows])
    labs = _people(
        tmp_path,
        people=["patient_id,old_patient_number", *rows],
        labs=["patient_id,result", "00771,4.2"],
    )
    assert len(people) == len(labs) == 40
