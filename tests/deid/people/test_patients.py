"""Patient linkage: rows of every table are linked to their patient, who has the values of all
tables.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deid.arrow.work_partitions import local_processes
from deid.errors import DeidError
from deid.formats import Record, RecordSource, open_source
from deid.formats.delimited import column_reader
from deid.jobs import Job, list_inputs, plan_job
from deid.people import gathering, patient_values
from deid.people.gathering import gather_people
from deid.people.linking import KeyBook, normal_key
from deid.people.patients import People
from deid.policy.model import read_policy
from recognizers import Finder
from safe_harbor import Identifier

CLINIC = Path(__file__).parents[3] / "corpora" / "clinic"
TABLES = ("patients", "contacts", "encounters", "results", "devices", "notes")


def _sources() -> list[tuple[str, RecordSource]]:
    return [(f"{name}.csv", open_source(CLINIC / f"{name}.csv")) for name in TABLES]


@pytest.fixture(scope="module")
def people() -> People:
    return gather_people(_sources(), [], None)


def test_every_row_of_the_clinic_has_its_patient(people: People) -> None:
    assert len(people) == 36
    for name, source in _sources():
        for record in source.records():
            assert isinstance(record, Record)
            assert people.key_for(name, record.cells) is not None, (name, record.ordinal)


class _ByRecord:
    """A table that cannot be read by column."""

    def __init__(self, source: RecordSource) -> None:
        self.columns, self.records = source.columns, source.records


def test_rows_gathered_in_batches_give_the_same_people_as_single_rows(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "ROWS_AT_ONCE", 1)
    single = gather_people([(name, _ByRecord(source)) for name, source in _sources()], [], None)
    assert list(single.all()) == list(people.all())
    assert list(single.persons) == list(people.persons)
    for name, source in _sources():
        for record in source.records():
            assert isinstance(record, Record)
            assert single.key_for(name, record.cells) == people.key_for(name, record.cells)


@pytest.mark.parametrize("is_cut", [False, True])
def test_several_processes_gather_the_values_that_one_process_gathers(
    people: People, monkeypatch: pytest.MonkeyPatch, is_cut: bool
) -> None:
    """If a process cannot read a table to its end, this process reads what it can."""
    monkeypatch.setattr(gathering, "LEAST_BATCHES", 1)
    monkeypatch.setattr(column_reader, "ROWS_PER_BLOCK", 7)
    read: list[int] = []

    def spread(batches: Any, work: Any) -> Any:
        results = list(local_processes(2)(batches, work))
        read.append(len(results))
        return [*results[:1], None] if is_cut and read == [read[0]] else results

    shared = gather_people(_sources(), [], None, spread=spread)
    assert list(shared.all()) == list(people.all()) and shared.summary == people.summary
    assert len(read) > 1 and max(read) > 3


def test_several_processes_pack_the_features_that_one_process_packs(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def spread(batches: Any, work: Any) -> Any:
        asked.append(sum(map(len, batches())))
        return local_processes(2)(batches, work)

    monkeypatch.setattr(patient_values, "PATIENTS_AT_ONCE", 5)
    alone = {key: _packed(people, key) for key in people.persons}
    before, summary = list(people.all()), people.summary
    people.settle(spread)
    assert asked == [36]
    assert {key: _packed(people, key) for key in people.persons} == alone
    assert list(people.all()) == before and people.summary == summary


def _packed(people: People, key: str) -> bytes:
    features = people.features(key)
    return b"" if features is None else features.packed()


def test_keys_without_zeros_and_retired_numbers_link_to_the_same_patient(people: People) -> None:
    patients = dict(_sources())["patients.csv"]
    index = {name: i for i, name in enumerate(patients.columns)}
    for record in patients.records():
        assert isinstance(record, Record)
        key, mrn = record.cells[index["patientId"]], record.cells[index["mrn"]]
        retired = record.cells[index["priorMrn"]]
        assert people.of(key) is people.of(mrn)
        assert people.of(str(mrn).lstrip("0")) is people.of(mrn)
        if retired:
            assert people.of(retired) is people.of(mrn)


def test_a_patient_has_the_values_of_all_tables(people: People) -> None:
    known = people.of("P004")
    assert known is not None
    found = {(value.identifier, value.role) for value in known}
    assert {
        (Identifier.NAMES, "patient"),
        (Identifier.NAMES, "relative"),
        (Identifier.NAMES, "provider"),
        (Identifier.NAMES, "employer"),
        (Identifier.PHONES, "relative"),
        (Identifier.MRNS, "patient"),
        (Identifier.ACCOUNTS, "patient"),
    } <= found
    assert {value.part for value in known} >= {"first", "last", "birth", "event", "street", "city"}


def test_placeholders_are_not_known_values(people: People) -> None:
    unknown = people.of("P016")
    assert unknown is not None
    values = {value.value for value in unknown}
    assert not values & {"UNKNOWN", "000-00-0000", "01/01/1900", "00000", "000-000-0000"}


def test_a_table_without_the_patients_name_is_linked_by_its_values(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(
        "person_key,family_name,visit_no\nAA-0017,Marchetti,V900417\nAA-0018,Lowe,V900418\n"
    )
    (tmp_path / "odd.csv").write_text("reference_number,remarks\nV900418,call Mr Lowe\n")
    sources = [(n, open_source(tmp_path / n)) for n in ("odd.csv", "people.csv")]
    people = gather_people(sources, [], None)
    assert people.key_for("odd.csv", ("V900418", "")) == people.key_for(
        "people.csv", ("AA-0018", "", "")
    )


def test_the_patient_key_of_the_command_line_must_exist(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("Id,name\n1,x\n")
    with pytest.raises(DeidError) as raised:
        gather_people([], [tmp_path / "known.csv"], "PatientId")
    assert raised.value.code == "patient-key-missing"


def test_keys_are_compared_without_case_punctuation_and_lost_zeros() -> None:
    assert normal_key("0040 2817") == normal_key("402817") == normal_key("402817.0")
    assert normal_key("V26-000918") == normal_key("v26000918")


def test_a_key_shared_by_two_persons_links_to_no_one() -> None:
    book = KeyBook()
    book.add_others([("7730-118", "a"), ("7730-118", "b")])
    assert book.owner("7730-118") is None


def test_short_numbers_of_visits_are_not_patients() -> None:
    book = KeyBook()
    book.add("21", "p")
    assert book.person("21") == "p" and book.owner("21") is None


@pytest.mark.parametrize("path", ["00402817.txt", "Theodora_Marchetti.txt", "note_402817.csv"])
def test_a_file_name_that_names_a_patient_is_recognized(people: People, path: str) -> None:
    assert people.names_somebody(path)


@pytest.mark.parametrize("path", ["patients.csv", "notes/0001.txt", "lab_results_2.csv"])
def test_a_file_named_after_its_content_names_no_patient(people: People, path: str) -> None:
    assert not people.names_somebody(path)


def test_no_repr_shows_a_value(people: People) -> None:
    shown = f"{people!r}{people.of('P001')!r}{people._book!r}"
    assert "Marchetti" not in shown and "402817" not in shown


def test_a_header_with_the_name_or_key_of_a_patient_is_recognized(people: People) -> None:
    assert people.header_names_somebody("Hale Robert")
    assert people.header_names_somebody("00402817 score") is (
        people._book.owner("00402817") is not None
    )
    assert not people.header_names_somebody("Score A")
    assert not people.header_names_somebody("Patient Name")


def test_a_column_of_keys_under_any_header_links_rows_and_is_withheld(tmp_path: Path) -> None:
    known = tmp_path / "k.csv"
    known.write_text("mrn,last_name\n" + "".join(f"00{700300 + i},Lowe\n" for i in range(9)))
    other = tmp_path / "o.csv"
    other.write_text("qty,hgb\n" + "".join(f"{700300 + i // 3}.0,12.{i}\n" for i in range(27)))
    job = Job((other,), tmp_path / "out", read_policy("safe_harbor"), date(2026, 11, 21), (known,))
    made = plan_job(job, list_inputs(job.inputs), Finder.load(model=False))
    assert made.people.leading("o.csv") == (0,)
    assert [d.action for d in made.opened[0].decisions] == ["withhold", "keep"]


def _written(folder: Path, tables: dict[str, str]) -> list[tuple[str, RecordSource]]:
    for name, text in tables.items():
        (folder / name).write_text(text)
    return [(name, open_source(folder / name)) for name in tables]


def test_tables_are_linked_through_keys_under_the_same_header(tmp_path: Path) -> None:
    sources = _written(
        tmp_path,
        {
            "person.csv": "person_id,location_id\n1001,501\n1002,501\n1003,502\n",
            "location.csv": "location_id,address_1,city\n501,12 Foundry Lane,Ashland\n",
            "note.csv": "note_id,person_id,note_text\n7,1001,Seen today\n",
            "note_nlp.csv": "note_nlp_id,note_id,snippet\n1,7,Seen\n2,9,Seen\n",
        },
    )
    people = gather_people(sources, [], None)
    assert people.key_for("note_nlp.csv", ("1", "7", "Seen")) == "1001"
    assert people.key_for("note_nlp.csv", ("2", "9", "Seen")) is None
    for key, lives in (("1001", True), ("1002", True), ("1003", False)):
        known = people.of(key)
        assert known is not None
        assert ("12 Foundry Lane" in {v.value for v in known}) is lives
    assert people.key_for("location.csv", ("501", "12 Foundry Lane", "Ashland")) is None


def test_a_key_of_many_people_links_no_values(tmp_path: Path) -> None:
    rows = "".join(f"{1000 + n},501\n" for n in range(9))
    sources = _written(
        tmp_path,
        {
            "person.csv": "person_id,location_id\n" + rows,
            "location.csv": "location_id,address_1\n501,12 Foundry Lane\n",
        },
    )
    people = gather_people(sources, [], None)
    assert all("12 Foundry Lane" not in {v.value for v in known} for _, known in people.all())
