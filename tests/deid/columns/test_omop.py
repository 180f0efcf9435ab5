"""OMOP: keys still join, concepts are kept, birth columns agree, and notes and the findings in
NOTE_NLP are searched.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path

import pandas as pd
import pytest

from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.release.releasing import Release
from deid.text.engine import load_finder
from recognizers import Finder

EXTRACT = Path(__file__).parents[4] / "shared" / "data" / "extracts" / "omop-synthea27nj"
DAY = date(2026, 11, 21)
NOTE = "Hubert Olejniczak was seen on 01/05/2020 by telephone, 715-555-0142. Weight is stable."
Tables = Mapping[str, pd.DataFrame]

MADE: Tables = {
    "person": pd.DataFrame(
        {
            "person_id": [1001, 1002, 1003],
            "gender_concept_id": [8507, 8532, 8507],
            # The second person is 89 until December 25. The year of birth alone does not show that.
            "year_of_birth": [1951, 1936, 1990],
            "month_of_birth": [7, 12, None],
            "day_of_birth": [19, 25, None],
            "birth_datetime": [datetime(1951, 7, 19), datetime(1936, 12, 25), None],
            "race_concept_id": [8527, 0, 8527],
            "ethnicity_concept_id": [0, 0, 0],
            "location_id": [501, 501, 502],
            "care_site_id": [71, 71, None],
            "person_source_value": ["MRN 00441672", "MRN 00441673", "MRN 00441674"],
            "gender_source_value": ["M", "F", "M"],
        }
    ),
    "location": pd.DataFrame(
        {
            "location_id": [501, 502],
            "address_1": ["12 Foundry Lane", "9 Alder Court"],
            "city": ["Ashland", "Wausau"],
            "state": ["WI", "WI"],
            "zip": ["54806", "05301"],
            "county": ["Ashland", None],
            "location_source_value": ["12 Foundry Lane Ashland", None],
        }
    ),
    "visit_occurrence": pd.DataFrame(
        {
            "visit_occurrence_id": [90001, 90002],
            "person_id": [1001, 1002],
            "visit_concept_id": [9202, 9201],
            "visit_start_date": [date(2020, 1, 5), date(2021, 3, 2)],
            "visit_end_date": [date(2020, 1, 5), None],
            "visit_type_concept_id": [44818518, 44818518],
            "care_site_id": [71, None],
            "visit_source_value": ["CSN-88123401", "CSN-88123402"],
        }
    ),
    "note": pd.DataFrame(
        {
            "note_id": [70001],
            "person_id": [1001],
            "note_date": [date(2020, 1, 5)],
            "note_type_concept_id": [44814637],
            "note_class_concept_id": [0],
            "note_title": ["Call with Hubert Olejniczak"],
            "note_text": [NOTE],
            "visit_occurrence_id": [90001],
        }
    ),
    "note_nlp": pd.DataFrame(
        {
            "note_nlp_id": [1, 2],
            "note_id": [70001, 70001],
            "snippet": ["Hubert Olejniczak was seen", "Weight is stable"],
            "offset": ["0", "70"],
            "lexical_variant": ["olejniczak", "weight"],
            "note_nlp_concept_id": [0, 4099154],
            "nlp_date": [date(2020, 1, 6), date(2020, 1, 6)],
        }
    ),
}
KNOWN = "person_id,first_name,last_name,phone\n1001,Hubert,Olejniczak,715-555-0142\n"


@pytest.fixture(scope="module")
def finder() -> Finder:
    return load_finder(DAY)


@pytest.fixture(scope="module", params=["parquet", "csv"])
def release(
    request: pytest.FixtureRequest, finder: Finder, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Release, Tables]:
    folder = tmp_path_factory.mktemp("omop")
    (folder / "known.csv").write_text(KNOWN)
    path = folder / "cdm_5.4.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, table in MADE.items():
            archive.writestr(f"{name}.{request.param}", _content(table, request.param))
    job = Job(
        (path,), folder / "out", read_policy("safe_harbor"), DAY,
        known=(folder / "known.csv",), patient_key="person_id",
    )  # fmt: skip
    done = run_job(job, finder)
    assert done.out is not None
    return done, _tables(next(done.out.glob("*.zip")))


def _content(table: pd.DataFrame, kind: str) -> bytes:
    buffer = io.BytesIO()
    if kind == "csv":
        table.convert_dtypes().to_csv(buffer, index=False)
    else:
        table.to_parquet(buffer, index=False)
    return buffer.getvalue()


def _tables(path: Path) -> Tables:
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("__MACOSX") or name.endswith("/"):
                continue
            content = io.BytesIO(archive.read(name))
            parquet = name.endswith(".parquet")
            table = pd.read_parquet(content) if parquet else pd.read_csv(content, dtype="string")
            found[Path(name).stem.casefold()] = table
    return found


def _texts(table: pd.DataFrame, column: str) -> list[str]:
    return ["" if pd.isna(v) else str(v).removesuffix(".0") for v in table[column]]


def test_the_omop_extract_is_released_as_safe_harbor(release: tuple[Release, Tables]) -> None:
    manifest, tables = release[0].manifest, release[1]
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["residual"]["hits"] == 0
    assert set(tables) == set(MADE)
    assert not [c for c in manifest["columns"] if c["action"] in ("withhold", "drop")]


@pytest.mark.parametrize(
    ("one", "other", "key"),
    [
        ("person", "visit_occurrence", "person_id"),
        ("person", "note", "person_id"),
        ("person", "location", "location_id"),
        ("visit_occurrence", "note", "visit_occurrence_id"),
        ("note", "note_nlp", "note_id"),
    ],
)
def test_keys_join_the_same_rows_as_before(
    release: tuple[Release, Tables], one: str, other: str, key: str
) -> None:
    def pairs(tables: Tables) -> list[tuple[int, int]]:
        left, right = tables[one][key], tables[other][key]
        return [(a, b) for a, x in enumerate(left) for b, y in enumerate(right) if x == y]

    assert pairs(release[1]) == pairs(MADE) != []


def test_released_keys_differ_from_the_original_keys(release: tuple[Release, Tables]) -> None:
    for table, column in (("person", "person_id"), ("person", "location_id"), ("note", "note_id")):
        before, after = _texts(MADE[table], column), _texts(release[1][table], column)
        assert not set(before) & set(after)


def test_omop_concepts_are_kept(release: tuple[Release, Tables]) -> None:
    for name, table in MADE.items():
        for column in (c for c in table if c.endswith("concept_id")):
            assert _texts(release[1][name], column) == _texts(table, column)


def test_all_columns_about_a_birth_agree(release: tuple[Release, Tables]) -> None:
    person = release[1]["person"]
    assert _texts(person, "year_of_birth") == ["1951", "90+", "1990"]
    assert _texts(person, "birth_datetime") == ["1951", "90+", ""]
    assert _texts(person, "month_of_birth") == _texts(person, "day_of_birth") == [""] * 3


def test_source_values_are_numbered_and_places_are_removed(release: tuple[Release, Tables]) -> None:
    tables = release[1]
    assert all(v.startswith("[ID-") for v in _texts(tables["person"], "person_source_value"))
    assert _texts(tables["location"], "zip") == ["548", "053"]
    assert _texts(tables["location"], "state") == ["WI", "WI"]
    assert _texts(tables["location"], "city") == ["[CITY]", "[CITY]"]


def test_notes_and_the_findings_extracted_from_them_are_searched(
    release: tuple[Release, Tables],
) -> None:
    tables = release[1]
    assert _texts(tables["note"], "note_text") == [
        "[NAME] was seen on 2020 by telephone, [PHONE]. Weight is stable."
    ]
    found = [*_texts(tables["note_nlp"], "snippet"), *_texts(tables["note_nlp"], "lexical_variant")]
    assert found == ["[NAME] was seen", "Weight is stable", "[NAME]", "weight"]
    assert _texts(tables["note"], "note_title") == ["Call with [NAME]"]


SMALL = ("person", "death", "visit_occurrence", "condition_occurrence", "provider", "cdm_source")


@pytest.mark.skipif(not EXTRACT.exists(), reason="the shared extracts are absent")
@pytest.mark.parametrize("name", ["Synthea27Nj_5.4.zip", "Synthea27NjParquet_5.4.zip"])
def test_a_published_extract_joins_the_same_rows_as_before(
    name: str, finder: Finder, tmp_path: Path
) -> None:
    path = tmp_path / "cdm.zip"
    with zipfile.ZipFile(EXTRACT / name) as whole, zipfile.ZipFile(path, "w") as some:
        for entry in whole.namelist():
            if Path(entry).stem.casefold() in SMALL or "__MACOSX" in entry:
                some.writestr(entry, whole.read(entry))
    release = run_job(Job((path,), tmp_path / "out", read_policy("safe_harbor"), DAY), finder)
    manifest = release.manifest
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["residual"]["hits"] == 0
    assert manifest["records_in"] == manifest["records_out"]
    assert release.out is not None
    before, after = _tables(path), _tables(next(release.out.glob("*.zip")))
    for column in ("person_id", "visit_occurrence_id"):
        (old, other), (new, another) = (_shared(tables, column) for tables in (before, after))
        assert not old & new
        assert len(new & another) == len(old & other) > 0


def _shared(tables: Tables, column: str) -> tuple[set[str], set[str]]:
    """The keys of visits and conditions."""
    visits = tables["visit_occurrence"].rename(columns=str.lower)
    conditions = tables["condition_occurrence"].rename(columns=str.lower)
    return set(_texts(visits, column)) - {""}, set(_texts(conditions, column)) - {""}
