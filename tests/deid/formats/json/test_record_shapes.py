"""A document of records reads back as the same records, whatever values are removed from it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from deid.errors import DeidError
from deid.formats import Record, RecordFault, format_of, open_source
from deid.formats.json.record_tree import KeyNames

WORDS = ["mrn", "name", "data", "encounters", "date", "total", "qx", "zed", "patients", "meta"]
VALUES = ["00441672", "2021-03-04", "7", "Okafor", "44-1", "u7f3k"]
KEYS = st.sampled_from([*WORDS, *VALUES])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(0, 99), st.sampled_from(VALUES))
JSON = st.recursive(
    SCALARS,
    lambda below: st.one_of(st.lists(below, max_size=4), st.dictionaries(KEYS, below, max_size=5)),
    max_leaves=25,
)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.lists(JSON, max_size=4), st.dictionaries(KEYS, JSON, max_size=5)), st.data())
def test_the_remaining_values_read_back_record_by_record(
    document: Any, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "d.json"
        path.write_text(json.dumps(document), "utf-8")
        try:
            source = open_source(path)
        except DeidError:
            return
        found = format_of(path)
        assert found is not None
        names = sorted(set(source.columns))
        kept = data.draw(st.sets(st.sampled_from(names))) if names else set()
        leaving = {i: name for i, name in enumerate(source.columns) if name in kept}
        target = Path(folder) / "out.json"
        sink = found.create(target, source, leaving)
        records = [record for record in source.records() if isinstance(record, Record)]
        for record in records:
            cells = [record.cells[i] and "[MRN]" for i in leaving]
            sink.write(cells, record.skeleton)
        sink.close()
        if not records:
            return
        again = list(open_source(target).records())
        assert not any(isinstance(record, RecordFault) for record in again)
        assert len(again) == len(records)
        written = target.read_text("utf-8")
        assert not any(value in written for value in VALUES if len(value) > 4)


def test_a_key_is_written_only_if_a_value_at_or_below_it_is_released() -> None:
    paths = ["lab.qx[].zed", "labs", "okafor-1", "lab.zz"]
    names = KeyNames(list(zip(paths[:3], [*paths[:2], "column_3"], strict=True)), paths)
    assert names.leaves_under("lab") and names.leaves_under("lab.qx")
    assert not names.leaves_under("la") and not names.leaves_under("lab.q")
    assert names.name("qx", "lab.qx") == "qx"
    assert names.name("okafor-1", "okafor-1") == "column_3"
    assert names.name("zz", "lab.zz") == "column_4"


def test_records_with_very_many_keys_are_named_in_linear_time() -> None:
    paths = [f"a{n}.b" for n in range(40_000)]
    names = KeyNames([(path, path) for path in paths], paths)
    start = perf_counter()
    assert all(names.name("b", path) == "b" for path in paths)
    assert perf_counter() - start < 10
