"""Data frames of a program get the same decisions as `deid scrub`, cell by cell."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import deid
from deid import Deidentifier, DeidError

FIRST = ("Ewa", "Bo", "Maria", "Hubert", "Kasia", "Linh", "Amara", "Tomás")
LAST = ("Zubrowka", "Quispe", "Olejniczak", "Okafor", "Nguyen", "Brandtner", "Achterberg")


@pytest.fixture(scope="module")
def engine() -> Deidentifier:
    return Deidentifier()


def clinic(rows: int) -> pd.DataFrame:
    chance = random.Random(7)
    names = [f"{chance.choice(FIRST)} {chance.choice(LAST)}" for _ in range(rows)]
    return pd.DataFrame(
        {
            "mrn": [f"A-{100000 + n}" for n in range(rows)],
            "patient_name": names,
            "birth_date": [f"19{chance.randint(20, 99)}-03-{n % 27 + 1:02}" for n in range(rows)],
            "age": [chance.randint(20, 97) for _ in range(rows)],
            "sex": [chance.choice("FM") for _ in range(rows)],
            "zip": [f"0213{n % 9}" for n in range(rows)],
            "potassium": [round(3 + chance.random() * 2, 1) for _ in range(rows)],
            "comment": [f"{name} seen, K rechecked on 03/{n % 27 + 1:02}/2021." if n % 3 else ""
                        for n, name in enumerate(names)],
        },
        index=[f"row{n}" for n in range(rows)],
    )  # fmt: skip


def as_text(frame: pd.DataFrame) -> list[list[str]]:
    return [["" if cell is None or cell != cell else str(cell) for cell in row]
            for row in frame.itertuples(index=False)]  # fmt: skip


def test_the_frame_equals_the_job_on_its_csv(engine: Deidentifier, tmp_path: Path) -> None:
    frame = clinic(300)
    place = tmp_path / "frame.csv"
    frame.to_csv(place, index=False)
    release = deid.scrub(place, tmp_path / "out")
    assert release.out is not None
    with (release.out / "frame.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    result = engine.scrub_frame(frame)
    assert list(result.frame.columns) == header
    assert as_text(result.frame) == rows
    assert result.verdict["supported"] == release.manifest["verdict"]["supported"]
    assert list(result.frame.index) == list(range(300))
    assert not any(name in str(rows) for name in LAST)


def test_findings_name_record_and_column(engine: Deidentifier) -> None:
    frame = clinic(30)
    result = engine.scrub_frame(frame)
    for found in result.findings:
        cell = str(frame.iloc[found["record"] - 1, found["column"] - 1])
        assert 0 <= found["start"] < found["end"] <= len(cell)
    assert {found["identifier"] for found in result.findings} >= {"names", "mrns", "dates"}


def test_polars_and_arrow_frames_keep_their_type(engine: Deidentifier) -> None:
    frame = clinic(20)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    scrubbed = engine.scrub_frame(arrow).frame
    assert isinstance(scrubbed, pa.Table)
    assert as_text(scrubbed.to_pandas()) == as_text(engine.scrub_frame(frame).frame)
    polars = pytest.importorskip("polars")
    result = engine.scrub_frame(polars.from_arrow(arrow)).frame
    assert isinstance(result, polars.DataFrame)
    assert result.to_arrow().to_pylist() == scrubbed.to_pylist()


def test_a_text_column_is_read_as_notes(engine: Deidentifier) -> None:
    frame = pd.DataFrame({"f7": ["Ewa Zubrowka here", "Bo Quispe there", "stable"] * 4})
    result = engine.scrub_frame(frame, text_columns=["f7"])
    assert list(result.frame.iloc[:, 0])[:3] == ["[NAME] here", "[NAME] there", "stable"]
    with pytest.raises(DeidError) as raised:
        engine.scrub_frame(frame, text_columns=["Zubrowka"])
    assert raised.value.code == "column-missing"
    assert "Zubrowka" not in str(raised.value)


def test_known_patients_are_found_in_the_comments(engine: Deidentifier) -> None:
    notes = pd.DataFrame({"mrn": ["A-1001", "A-1002"], "note": ["zubrowka seen", "quispe seen"]})
    known = pd.DataFrame({"mrn": ["A-1001", "A-1002"], "last_name": ["Zubrowka", "Quispe"]})
    result = engine.scrub_frame(notes, text_columns=["note"], known=known, patient_key="mrn")
    assert list(result.frame["note"]) == ["[NAME] seen", "[NAME] seen"]
    assert result.verdict["status"] == "NONE_KNOWN_LEFT"


def test_an_object_that_is_not_a_frame_is_refused_without_showing_it(engine: Deidentifier) -> None:
    mixed = pd.DataFrame({"a": ["Zubrowka", 7, None]})
    for wrong in (mixed, [{"a": "Zubrowka"}], "Zubrowka"):
        with pytest.raises(DeidError) as raised:
            engine.scrub_frame(wrong)
        assert raised.value.code == "frame-invalid"
        assert "Zubrowka" not in str(raised.value) + repr(raised.value.__cause__)


def test_nothing_is_left_in_the_temporary_folder(
    engine: Deidentifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    engine.scrub_frame(clinic(5))
    assert list(tmp_path.iterdir()) == []


def test_row_labels_are_not_released(engine: Deidentifier) -> None:
    names = pd.Index(["Ewa Zubrowka", "Bo Quispe", "Linh Nguyen"], name="Olejniczak")
    frame = pd.DataFrame({"sex": ["F", "M", "F"], "note": ["ok", "%PDF-1.4 Quispe", "ok"]}, names)
    result = engine.scrub_frame(frame, text_columns=["note"])
    assert list(result.kept) == list(result.frame.index) == [0, 2]
    assert result.frame.index.name is None


def test_bytes_in_a_text_column_are_searched_or_withheld(engine: Deidentifier) -> None:
    texts = [b"tel 715-555-0142", b"\xff\xfe tel 715-555-0142", "Tomás ate".encode(), b"stable"]
    result = engine.scrub_frame(pd.DataFrame({"note": texts}), text_columns=["note"])
    assert list(result.frame["note"])[0::2] == ["tel [PHONE]", "stable"]
    assert list(result.kept) == [0, 2, 3]
    assert [one["code"] for one in result.quarantine] == ["encoded-file"]


@pytest.mark.parametrize("table", ["../../Zubrowka", "/tmp/Zubrowka", "a/Zubrowka", "\0"])
def test_a_table_name_that_is_a_path_is_refused(engine: Deidentifier, table: str) -> None:
    with pytest.raises(DeidError) as raised:
        engine.scrub_frame(pd.DataFrame({"sex": ["F"]}), table=table)
    assert raised.value.code == "frame-invalid"
    assert "Zubrowka" not in str(raised.value) + repr(raised.value.__cause__)


def test_a_frame_with_two_columns_of_one_name_is_refused(engine: Deidentifier) -> None:
    frame = pd.DataFrame([["a", "b"]], columns=["note", "note"])
    with pytest.raises(DeidError) as raised:
        engine.scrub_frame(frame)
    assert (raised.value.code, raised.value.place) == ("column-twice", "column 2")
