"""Keys that consist of published words are no known values; all other keys are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from deid.columns.column_profiles import describe_columns
from deid.formats import ColumnSource, Record, open_source
from deid.people.gathering import gather_people
from deid.people.known_cells import telling_columns
from deid.residual.column_search import OwnRows
from safe_harbor import Identifier

KEYS = ("VitalSigns", "RoseLong", "mercyhospital", "Visit2", "Zoltan", "blood_pressure", "CX-4471")
WORDS = ("VitalSigns", "blood_pressure")


def _table(folder: Path) -> Path:
    path = folder / "orders.csv"
    rows = (f"{n},{key},{key}\n" for n, key in enumerate(KEYS, 104_400))
    path.write_text("patient_id,order_id,last_name\n" + "".join(rows), "utf-8")
    return path


@pytest.mark.parametrize("number", range(len(KEYS)))
def test_a_key_of_words_is_no_known_value(tmp_path: Path, number: int) -> None:
    people = gather_people([("orders.csv", open_source(_table(tmp_path)))], [], None)
    known = people.of(str(104_400 + number))
    assert known is not None
    told = {(value.identifier, value.value) for value in known}
    assert ((Identifier.OTHERS, KEYS[number]) in told) == (KEYS[number] not in WORDS)
    assert (Identifier.NAMES, KEYS[number]) in told  # a name stays known, whatever it is


def test_rows_and_columns_count_the_same_known_values(tmp_path: Path) -> None:
    source = open_source(_table(tmp_path))
    assert isinstance(source, ColumnSource)
    own = telling_columns(source.columns, describe_columns("orders.csv", source))
    rows = [record.cells for record in source.records() if isinstance(record, Record)]
    told = Counter(value.identifier for cells in rows for value in own.values(cells))
    counted = OwnRows(source, own, len(rows))
    assert sum(map(counted.count, source.batches()), Counter()) == told
    assert told[Identifier.OTHERS] == 2 * len(KEYS) - len(WORDS)
