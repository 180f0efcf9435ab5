"""Names of files: kept where they say nothing of anybody."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from deid.filenames import released_names

from deid.people import People
from deid.schema import is_table
from recognizers import Finding
from safe_harbor import Identifier


class FindsAll:
    """A finder that takes the whole name for a person's."""

    def find_all(
        self, texts: Sequence[str], knowns: object = None, groups: object = None
    ) -> list[tuple[Finding, ...]]:
        return [
            (Finding(0, len(text), Identifier.NAMES, "PERSON", 0.9, "model"),) for text in texts
        ]


@pytest.mark.parametrize(
    "name", ["PAT_ENC_HSP.csv", "i2b2_obs.csv", "pivot.csv", "lab_results.csv"]
)
def test_words_of_tables_do_not_make_a_file_suspect(name: str) -> None:
    assert released_names([name], People(), FindsAll(), [1]) == [name]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["abernathy_kwame.csv", "labs_abernathy.csv", "0402817x.csv"])
def test_a_name_among_the_words_makes_it_suspect(name: str) -> None:
    assert released_names([name], People(), FindsAll(), [1]) == ["file-1.csv"]  # type: ignore[arg-type]


def test_a_suspect_folder_does_not_take_the_names_of_tables_along() -> None:
    names = ["kwame5/person.csv", "kwame5/abernathy.csv", "data/visit.csv", "kwame5/visit.csv"]
    assert released_names(names, People(), FindsAll(), [1, 2, 3, 4]) == [
        "folder-1/person.csv",
        "folder-1/file-2.csv",
        "data/visit.csv",
        "folder-1/visit.csv",
    ]


def test_a_folder_has_one_name_for_all_that_lies_in_it() -> None:
    class FindsSome(FindsAll):
        def find_all(self, texts, knowns=None, groups=None):  # type: ignore[no-untyped-def]
            found = super().find_all(texts)
            return [hit if "visit" in text else () for text, hit in zip(texts, found, strict=True)]

    names = ["blorvig5/person.csv", "blorvig5/visit.csv"]
    released = released_names(names, People(), FindsSome(), [1, 2])  # type: ignore[arg-type]
    assert released == ["folder-2/person.csv", "folder-2/visit.csv"]


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


@pytest.mark.parametrize(
    ("name", "told"),
    [("Kwame_Ruiz.csv.gz", "file-1.csv.gz"), ("kwame.ruiz.gz", "file-1.gz")],
)
def test_a_packed_file_still_says_how_it_is_read(name: str, told: str) -> None:
    assert released_names([name], People(), FindsAll(), [1]) == [told]  # type: ignore[arg-type]
