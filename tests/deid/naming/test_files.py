"""Names of files, folders, tables and sheets are kept where a vocabulary contains their words."""

from __future__ import annotations

import pytest

from deid.naming.files import released_names, thing_name
from deid.vocabularies.data_models import is_table


def nobody(name: str) -> bool:
    return False


@pytest.mark.parametrize(
    "name",
    ["PAT_ENC_HSP.csv", "i2b2_obs.csv", "pivot.csv", "lab_results.csv", "Encounter.000.ndjson",
     "notes.txt", "note_00017.txt", "visits_2021.csv", "labs.csv.gz", "stdin.csv"],
)  # fmt: skip
def test_a_file_name_of_vocabulary_words_is_kept(name: str) -> None:
    assert released_names([name], [1], nobody) == [name]


@pytest.mark.parametrize(
    ("name", "released"),
    [
        ("abernathy_kwame.csv", "file_1.csv"),
        ("AdamEveryman.csv", "file_1.csv"),
        ("0402817x.csv", "file_1.csv"),
        ("labs_2021-03-04.csv", "file_1.csv"),
        ("Kwame_Ruiz.csv.gz", "file_1.csv.gz"),
        ("kwame.ruiz.gz", "file_1.gz"),
        ("labs.Quartermaine", "file_1"),
    ],
)
def test_a_file_name_outside_the_vocabulary_is_replaced(name: str, released: str) -> None:
    assert released_names([name], [1], nobody) == [released]


@pytest.mark.parametrize("stem", ["Brown", "mark", "li", "mark_notes", "Green visits"])
def test_a_file_name_that_is_only_a_surname_is_replaced_even_if_headers_use_the_word(
    stem: str,
) -> None:
    assert released_names([f"{stem}.txt"], [1], nobody) == ["file_1.txt"]
    assert thing_name("table", "mark", 1, nobody) == "mark"


@pytest.mark.parametrize("stem", ["person_visits", "case_notes", "field_notes", "summary"])
def test_a_file_named_after_its_content_keeps_its_name(stem: str) -> None:
    assert released_names([f"{stem}.txt"], [1], nobody) == [f"{stem}.txt"]


def test_a_folder_has_the_same_name_for_all_its_files() -> None:
    names = ["kwame5/person.csv", "kwame5/abernathy.csv", "data/visit.csv", "kwame5/visit.csv"]
    assert released_names(names, [1, 2, 3, 4], nobody) == [
        "folder_1/person.csv",
        "folder_1/file_2.csv",
        "data/visit.csv",
        "folder_1/visit.csv",
    ]


def test_a_known_value_in_a_file_name_is_always_replaced() -> None:
    released = released_names(["rash/labs.csv", "rash.csv"], [1, 2], lambda name: "rash" in name)
    assert released == ["folder_1/labs.csv", "file_2.csv"]


def test_no_two_files_get_the_same_name() -> None:
    released = released_names(["file_2.csv", "abernathy.csv", "File_1.csv"], [1, 2, 3], nobody)
    assert released == ["file_1.csv", "file_2.csv", "file_3.csv"]
    assert thing_name("sheet", "sheet_2", 2, nobody) == "sheet_2"


@pytest.mark.parametrize(
    ("stem", "told"),
    [
        ("Encounter.000", True),
        ("DocumentReference.012", True),
        ("patient-1", True),
        ("person", True),
        ("Patient-41729", False),
        ("Encounter.417", False),
        ("Ruiz.000", False),
    ],
)
def test_parts_of_a_bulk_export_are_named_for_their_resource(stem: str, told: bool) -> None:
    assert is_table(stem) is told


def test_an_ambiguous_folder_name_is_replaced_beside_replaced_names() -> None:
    beside = ["Yazzie/labs.csv", "Begay/labs.csv"]
    assert released_names(["Fields/labs.csv"], [1], nobody) == ["Fields/labs.csv"]
    found = released_names(["Fields/labs.csv", "Chart/labs.csv", *beside], [1, 2, 3, 4], nobody)
    assert found == [
        "folder_1/labs.csv",
        "Chart/labs.csv",
        "folder_3/labs.csv",
        "folder_4/labs.csv",
    ]


def test_an_ambiguous_file_name_is_replaced_beside_replaced_names() -> None:
    names = ["Yazzie.csv", "Begay.csv", "Fish.csv", "labs.csv"]
    assert released_names(["Fish.csv", "labs.csv"], [1, 2], nobody) == ["Fish.csv", "labs.csv"]
    assert released_names(names, [1, 2, 3, 4], nobody)[2:] == ["file_3.csv", "labs.csv"]
