"""SAS: transport files and data sets are read; transport version 5 is written where it can hold the
values.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from deid.errors import DeidError
from deid.formats import Record, left_behind, open_source, sink_path
from deid.formats.typed.sas_file import FORMAT

EXTRACT = Path(__file__).parents[5] / "shared" / "data" / "extracts" / "xpt-cdisc"


def _transport(path: Path, frame: pd.DataFrame, version: int = 5, **facts: object) -> Path:
    pyreadstat.write_xport(frame, str(path), file_format_version=version, **facts)
    return path


def _subjects() -> pd.DataFrame:
    days = [date(1951, 7, 19), date(1990, 1, 1)]
    return pd.DataFrame({"USUBJID": ["01-001", "01-002"], "AGE": [63.0, None], "BRTHDT": days})


def test_kept_sas_values_are_unchanged(tmp_path: Path, through: Callable) -> None:
    path = _transport(tmp_path / "dm.xpt", _subjects(), column_labels={"AGE": "Age"})
    out, _ = through(path)
    frame, meta = pyreadstat.read_xport(str(out))
    assert frame["AGE"].tolist()[0] == 63.0 and frame["AGE"].isna().tolist() == [False, True]
    assert frame["BRTHDT"].tolist() == _subjects()["BRTHDT"].tolist()
    assert meta.column_names_to_labels["AGE"] == "Age"


def test_sas_dates_are_read_as_iso_dates(tmp_path: Path) -> None:
    source = open_source(_transport(tmp_path / "dm.xpt", _subjects()))
    cells = [r.cells for r in source.records() if isinstance(r, Record)]
    assert cells == [("01-001", "63", "1951-07-19"), ("01-002", None, "1990-01-01")]


def test_pandas_reads_the_written_transport_file(tmp_path: Path, through: Callable) -> None:
    path = _transport(tmp_path / "dm.xpt", _subjects(), version=8)
    out, _ = through(path, lambda name, cell: "1951" if name == "BRTHDT" else cell)
    frame = pd.read_sas(out, format="xport", encoding="utf-8")
    assert frame["BRTHDT"].tolist() == [1951.0, 1951.0]


def test_the_same_rows_are_the_same_bytes(tmp_path: Path, through: Callable) -> None:
    path = _transport(tmp_path / "dm.xpt", _subjects())
    first, _ = through(path, out="one")
    other = bytearray(path.read_bytes())
    other[144:160] = b"01JAN26:01:02:03"  # written at another time
    path.write_bytes(other)
    second, _ = through(path, out="two")
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"LONGER_THAN_EIGHT": ["x"]}),
        pd.DataFrame({"NOTE": ["x" * 201]}),
    ],
    ids=["a long name", "a long text"],
)
def test_values_that_version_5_cannot_hold_are_written_as_parquet(
    tmp_path: Path, through: Callable, frame: pd.DataFrame
) -> None:
    out, _ = through(_transport(tmp_path / "t.xpt", frame, version=8))
    assert out.name == "t.xpt.parquet"
    assert pd.read_parquet(out).equals(frame)


def test_a_long_replacement_for_a_name_is_shortened_and_told_in_the_label(
    tmp_path: Path, through: Callable
) -> None:
    frame = pd.DataFrame({"AGE": [1.0], "column_12": [2.0]})
    out, _ = through(_transport(tmp_path / "t.xpt", frame, version=8))
    assert out.name == "t.xpt"
    assert pyreadstat.read_xport(str(out))[1].column_names_to_labels["COL12"] == "column_12"
    out, _ = through(_transport(tmp_path / "u.xpt", frame.assign(COL12=[3.0]), version=8))
    assert out.name == "u.xpt.parquet"


def test_a_label_that_contains_a_value_is_not_released(tmp_path: Path, through: Callable) -> None:
    labels = {"AGE": "Age on 07/19/1951", "USUBJID": "Subject"}
    out, _ = through(_transport(tmp_path / "t.xpt", _subjects(), column_labels=labels))
    assert pyreadstat.read_xport(str(out))[1].column_labels == ["Subject", None, None]


def test_file_labels_are_not_released(tmp_path: Path, through: Callable) -> None:
    path = _transport(tmp_path / "t.xpt", _subjects(), file_label="OLEJNICZAK", table_name="ABEL")
    out, _ = through(path)
    assert b"OLEJNICZAK" not in out.read_bytes() and b"ABEL" not in out.read_bytes()
    assert left_behind(path)["file-labels"] == 1


def test_a_library_of_two_data_sets_is_refused(tmp_path: Path) -> None:
    one = _transport(tmp_path / "a.xpt", _subjects()).read_bytes()
    path = tmp_path / "b.xpt"
    path.write_bytes(one + one[240:])
    with pytest.raises(DeidError) as refused:
        open_source(path)
    assert refused.value.code == "several-datasets"


@pytest.mark.skipif(not EXTRACT.exists(), reason="the shared extracts are absent")
@pytest.mark.parametrize("name", ["sdtm__cdiscpilot01__dm.xpt", "adam__cdiscpilot01__adsl.xpt"])
def test_published_sas_files_survive_writing_and_reading(through: Callable, name: str) -> None:
    out, _ = through(EXTRACT / name)
    before, _ = pyreadstat.read_xport(str(EXTRACT / name))
    after, _ = pyreadstat.read_xport(str(out))
    assert before.equals(after)


@pytest.mark.skipif(not EXTRACT.exists(), reason="the shared extracts are absent")
def test_a_sas7bdat_file_is_written_as_parquet_and_counted(through: Callable) -> None:
    path = EXTRACT / "tested__SAS__DS__data__FDA__dm.sas7bdat"
    out, _ = through(path)
    assert out.name == f"{path.name}.parquet"
    before, _ = pyreadstat.read_sas7bdat(str(path))
    assert len(pd.read_parquet(out)) == len(before)
    assert left_behind(path)["written-as-parquet"] == 1


def test_bare_numbers_under_the_name_of_a_date_count_from_1960(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "STUDYID": ["S1", "S1"],
            "USUBJID": ["01-001", "01-002"],
            "BRTHDT": [-3000.0, 14000.0],
            "TRTSDT": [23500.0, None],
            "ADTM": [2.03e9, 2.02e9],
            "VISDT": [20240314.0, 20240315.0],
            "AGE": [72.0, 26.0],
        }
    )
    source = open_source(_transport(tmp_path / "adsl.xpt", frame))
    found = [r.cells[2:] for r in source.records() if isinstance(r, Record)]
    assert found == [
        ("1951-10-15", "2024-05-04", "2024-04-29 08:53:20.000000", "20240314", "72"),
        ("1998-05-01", None, "2024-01-04 15:06:40.000000", "20240315", "26"),
    ]


def test_a_datetime_close_to_1960_does_not_change_how_others_are_read(tmp_path: Path) -> None:
    moments = [86_400.0, 2.03e9, 2.02e9]
    frame = pd.DataFrame({"STUDYID": ["S1"] * 3, "USUBJID": ["1", "2", "3"], "ADTM": moments})
    source = open_source(_transport(tmp_path / "adsl.xpt", frame))
    found = [r.cells[2] for r in source.records() if isinstance(r, Record)]
    assert [cell and cell[:10] for cell in found] == ["1960-01-02", "2024-04-29", "2024-01-04"]


def test_a_label_outside_the_vocabulary_is_not_released(tmp_path: Path) -> None:
    frame = pd.DataFrame({"WEIGHT": [70.1, 80.2, 64.4], "HEIGHT": [1.7, 1.8, 1.6]})
    labels = ["Weight of Quorblatt", "Height (cm)"]
    source = open_source(_transport(tmp_path / "vs.xpt", frame, column_labels=labels))
    sink = FORMAT.create(tmp_path / "out.xpt", source, {0: "WEIGHT", 1: "HEIGHT"})
    for record in source.records():
        assert isinstance(record, Record)
        sink.write(record.cells)
    sink.close()
    assert pyreadstat.read_xport(str(sink_path(sink, tmp_path)))[1].column_labels == [
        None,
        labels[1],
    ]
