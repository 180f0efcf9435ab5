"""Texts inside Spark, DuckDB, pandas and pipelines: each is scrubbed or null, never released
unchanged.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import deid.in_memory.pandas_accessor  # noqa: F401  # registers `frame.deid`
from deid import Deidentifier, DeidError
from deid.in_memory.batches import (
    TextScrubber,
    arrow_batch_function,
    engine_of_process,
    register_duckdb,
    series_function,
)
from deid.in_memory.results import withheld_text

NOTE, SCRUBBED = "Seen by Dr. Okafor on 03/14/2023.", "Seen by Dr. [NAME] on 2023."


class Withholding:
    """An engine that withholds every text that contains FAIL."""

    def scrub_texts(self, texts: Sequence[str]) -> list[Any]:
        real = engine_of_process().scrub_texts(texts)
        return [
            withheld_text("recognizer-failed") if "FAIL" in text else one
            for text, one in zip(texts, real, strict=True)
        ]


def withholding(*settings: Any) -> Any:
    return Withholding()


def batch() -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(
        {"id": [1, 2, 3], "name": ["Ana", "Bo", "Li"], "note": [NOTE, None, "FAIL Mr. Okafor"]}
    )


def test_a_batch_contains_only_the_named_columns() -> None:
    scrub = arrow_batch_function(["note"], ["id"], reasons="why", engine=withholding)
    [out] = scrub([batch()])
    assert out.to_pydict() == {
        "note": [SCRUBBED, None, None],
        "id": [1, 2, 3],
        "why": [None, None, "recognizer-failed"],
    }


def test_a_worker_loads_the_engine_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = []
    monkeypatch.setattr(
        "deid.in_memory.batches.Deidentifier", lambda **settings: loads.append(1) or Withholding()
    )
    engine_of_process.cache_clear()
    try:
        monkeypatch.setattr(Withholding, "scrub_texts", lambda self, texts: [])
        empty = batch().slice(0, 0)
        scrub = arrow_batch_function(["note"])
        assert [out.num_rows for out in scrub([empty, empty])] == [0, 0]
        assert [out.num_rows for out in arrow_batch_function(["note"])([empty])] == [0]
    finally:
        engine_of_process.cache_clear()
    assert loads == [1]


def test_a_missing_column_is_an_error_without_its_name() -> None:
    with pytest.raises(DeidError) as refused:
        list(arrow_batch_function(["Okafor"], engine=withholding)([batch()]))
    assert refused.value.code == "column-missing" and "Okafor" not in str(refused.value)


def test_values_that_are_not_text_are_refused() -> None:
    with pytest.raises(DeidError) as refused:
        list(arrow_batch_function(["id"], engine=withholding)([batch()]))
    assert refused.value.code == "text-invalid"


@pytest.mark.parametrize(("keep", "reasons"), [(["note"], None), ([], "note"), (["id"], "id")])
def test_a_column_is_not_both_scrubbed_and_kept(keep: list[str], reasons: str | None) -> None:
    with pytest.raises(DeidError) as raised:
        arrow_batch_function(["note"], keep=keep, reasons=reasons)
    assert raised.value.code == "column-twice"


def test_a_scrubbed_series_drops_its_labels_and_has_type_hints_for_spark() -> None:
    scrub = series_function(engine=withholding)
    series = pd.Series([NOTE, None, "FAIL"], index=[7, 8, 9])
    out = scrub(series)
    assert list(out.index) == [0, 1, 2] and out[0] == SCRUBBED
    assert out.isna().tolist() == [False, True, True]
    assert typing.get_type_hints(scrub) == {"texts": pd.Series, "return": pd.Series}


def test_duckdb_can_call_the_scrub_function() -> None:
    connection = duckdb.connect()
    register_duckdb(connection, withholding())
    asked = "select deid_scrub(note) from (values (?), (null), ('FAIL')) notes(note)"
    assert connection.execute(asked, [NOTE]).fetchall() == [(SCRUBBED,), (None,), (None,)]


def test_a_pipeline_gets_one_text_for_each_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deid.in_memory.batches.engine_of_process", withholding)
    scrubber = TextScrubber(policy="limited_data_set").set_params(policy="safe_harbor")
    assert scrubber.fit_transform([NOTE, "FAIL"]) == [SCRUBBED, ""]
    assert scrubber.withheld_ == 1
    assert TextScrubber(**scrubber.get_params()).get_params() == scrubber.get_params()
    with pytest.raises(ValueError, match="1 unknown"):
        scrubber.set_params(polciy="")
    with pytest.raises(DeidError):
        scrubber.transform([None])  # type: ignore[list-item]


def test_a_frame_of_pandas_has_the_accessor() -> None:
    frame = pd.DataFrame({"mrn": ["00417723"], "note": [NOTE]})
    result = frame.deid.scrub(text_columns=["note"])
    expected = Deidentifier().scrub_frame(frame, text_columns=["note"])
    assert result.frame.equals(expected.frame)
    assert SCRUBBED in result.frame["note"].tolist()


def test_a_single_text_instead_of_a_list_is_refused() -> None:
    with pytest.raises(DeidError) as raised:
        TextScrubber().transform("Seen by Dr. Okafor.")
    assert raised.value.code == "text-invalid"
