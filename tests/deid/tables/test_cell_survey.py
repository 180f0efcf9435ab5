"""The pass that learns which cells a column supports gives the same result by row, by column, and
in parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from deid.decision import ColumnDecision
from deid.formats import ReadOptions, open_source
from deid.policy.model import read_policy
from deid.tables.cell_survey import Surveys, survey_columns, with_vouchers
from deid.tables.column_decisions import decide_columns

HEADER = "patient_id,severity,heart_rate,local_type\n"


def _vouched(folder: Path, parts: list[str]) -> tuple[ColumnDecision, ...]:
    return _vouched_first(folder, [HEADER + text for text in parts])


def _vouched_first(folder: Path, tables: list[str]) -> tuple[ColumnDecision, ...]:
    """The vouched columns of the first table, surveyed together with the others."""
    surveys: Surveys = {}
    opened = []
    for number, text in enumerate(tables):
        path = folder / f"table{number}.csv"
        path.write_text(text)
        source = open_source(path, ReadOptions())
        decisions = decide_columns(
            read_policy("safe_harbor"), path.name, source, False, ReadOptions()
        )
        survey_columns(surveys, source, decisions, (0,))
        opened.append((source, decisions))
    return with_vouchers(surveys, *opened[0], lambda _header, _values: ())


def _rows(first: int, count: int, value: str) -> str:
    chance = Random(first)
    return "".join(f"P{first + n},Mild,{chance.gauss(78, 11):.0f},{value}\n" for n in range(count))


def test_tables_with_the_same_columns_are_counted_as_one(tmp_path: Path) -> None:
    parts = [_rows(0, 60, "routine") + _rows(60, 3, "Zorbic"), _rows(100, 60, "routine")]
    once = _vouched(tmp_path, parts)
    more = _vouched(tmp_path, [*parts, _rows(200, 20, "routine") + _rows(220, 3, "Zorbic")])
    assert once[3].refuses("Zorbic") is not None
    assert more[3].refuses("Zorbic") is None
    assert once[2].refuses("5551234567") is not None


def test_the_survey_gives_the_same_result_by_row_and_by_column(tmp_path: Path) -> None:
    text = _rows(0, 90, "routine") + _rows(90, 9, "Zorbic") + "P1,Rose Long,72,routine\n"
    decisions = _vouched(tmp_path, [text])
    # A broken record at the end makes the reader go row by row; the record itself is not counted.
    by_row = _vouched(tmp_path, [text + "P1,Mild\n"])
    assert [d.voucher for d in by_row] == [d.voucher for d in decisions]
    assert decisions[3].voucher is not None and decisions[3].refuses("Zorbic") is None


def test_a_value_that_names_a_place_is_refused_even_if_many_persons_have_it(
    tmp_path: Path,
) -> None:
    surveys: Surveys = {}
    path = tmp_path / "part.csv"
    path.write_text(HEADER + _rows(0, 60, "routine") + _rows(60, 30, "Zorbic"))
    source = open_source(path, ReadOptions())
    decisions = decide_columns(read_policy("safe_harbor"), path.name, source, False, ReadOptions())
    survey_columns(surveys, source, decisions, (0,))
    asked: list[tuple[str, tuple[str, ...]]] = []

    def naming(header: str, values: Sequence[str]) -> set[str]:
        asked.append((header, tuple(values)))
        return {"Zorbic"} & set(values)

    vouched = with_vouchers(surveys, source, decisions, naming)
    assert vouched[3].refuses("Zorbic") is not None and vouched[3].refuses("routine") is None
    assert ("local_type", ("Zorbic",)) in asked


def test_in_a_small_table_a_value_that_many_persons_have_in_other_tables_is_accepted(
    tmp_path: Path,
) -> None:
    small = "USUBJID,STUDYID,ARMCD,SEX\n" + "".join(f"S{n},QUV-101,Zrb_Hi,F\n" for n in range(2))
    large = "USUBJID,STUDYID,ARMCD,SEX,RACE\n" + "".join(
        f"S{n},QUV-101,{'Zrb_Hi' if n < 40 else 'Zrb_Lo'},F,WHITE\n" for n in range(60)
    )
    rare = "USUBJID,STUDYID,ARMCD,SEX,AGE\n" + "S1,QUV-101,Kzw_9,F,41\n"
    alone = _vouched_first(tmp_path, [small])
    assert alone[1].refuses("QUV-101") is not None and alone[2].refuses("Zrb_Hi") is not None
    among = _vouched_first(tmp_path, [small, large, rare])
    assert among[1].refuses("QUV-101") is None and among[2].refuses("Zrb_Hi") is None
    # Values that the table does not have, that few persons have, or that may be names.
    assert among[2].refuses("Zrb_Lo") is not None and among[2].refuses("Kzw_9") is not None


def test_a_possible_name_is_not_accepted_because_other_tables_have_it(tmp_path: Path) -> None:
    small = "USUBJID,STUDYID,ARMCD,SEX\n" + "S1,QUV-101,Kowalski,F\n"
    large = "USUBJID,STUDYID,ARMCD,SEX,RACE\n" + "".join(
        f"S{n},QUV-101,Kowalski,F,WHITE\n" for n in range(60)
    )
    assert _vouched_first(tmp_path, [small, large])[2].refuses("Kowalski") is not None
