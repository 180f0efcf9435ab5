"""The known values of a column are counted as the rows count them, cell by cell."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pa_parquet
import pytest

from deid.formats import ColumnSource, open_source
from deid.people.known_cells import CountedCells, KnownColumn, KnownColumns
from deid.residual.column_search import OwnRows
from safe_harbor import Identifier

CELLS = ["ICU", "Cardiology", "Mercy Cardiology", "Theodora Okonkwo", "heart-rate", "K-77120", ""]


@pytest.mark.parametrize("identifier", [Identifier.PLACES, Identifier.NAMES, Identifier.OTHERS])
@pytest.mark.parametrize("counted", CountedCells)
@pytest.mark.parametrize("ignored", [frozenset[str](), frozenset({"icu"})])
def test_a_batch_has_the_known_values_of_its_rows(
    identifier: Identifier, counted: CountedCells, ignored: frozenset[str], tmp_path: Path
) -> None:
    pa_parquet.write_table(pa.table({"c": CELLS}), tmp_path / "t.parquet")
    source = open_source(tmp_path / "t.parquet")
    assert isinstance(source, ColumnSource)
    column = KnownColumn(0, identifier, "other", "", counted, ignored)
    rows = OwnRows(source, KnownColumns((column,), ()), len(CELLS))
    each = Counter(v.identifier for values in rows if values is not None for v in values)
    assert sum((rows.count(batch) for batch in source.batches()), Counter()) == each
