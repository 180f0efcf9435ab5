"""Processing in large batches or row by row gives the same cells, changes, counts and hits."""

from __future__ import annotations

import json
import random
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.arrow import prefilter as sifting
from deid.arrow.work_partitions import local_processes
from deid.decision import ColumnDecision
from deid.formats import ReadOptions, Record, RecordSource, format_of, open_source
from deid.jobs.local.table_worker import TableWork
from deid.jobs.table_account import BatchAccountant
from deid.people import single_table as alone
from deid.people.gathering import gather_people
from deid.people.key_numbers import number_keys
from deid.people.linking import Owners
from deid.people.patients import People
from deid.policy.model import Policy, read_policy
from deid.residual import table_search as residual_tables
from deid.residual.column_search import OwnRows
from deid.residual.search import ResidualSearch
from deid.residual.table_search import search_columns
from deid.tables import cell_prefilter, kept_cells, row_ages, table_batch
from deid.tables.column_decisions import decide_columns
from deid.tables.table_batch import ReadRows, TableBatch, read_row_batches
from deid.tables.table_flow import TableFlow
from deid.text.scrubber import Scrubber

REFERENCE = date(2026, 11, 21)
CLINIC = Path(__file__).parents[3] / "corpora" / "clinic"
HEADER = "mrn,last_name,first_name,ssn,birth_date,zip,city,phone,sex,test_name,result_value,unit"
CELLS = {
    "mrn": ["00402817", "402817", "A-77", "0", "N/A", "", "5551234"],
    "last_name": ["Quillfeather", "O'Brien", "Li", "Norma", "Unit", "", "unknown", "Peñasco"],
    "first_name": ["Ann", "William", "Mo", "J", "", "Mary Ann"],
    "ssn": ["912-34-4471", "912344471", "999-99-9999", "", "400-12-3456"],
    "birth_date": ["1936-11-22", "05/12/1994", "May 1950", "", "1900-01-01", "1931-01-02"],
    "zip": ["05301", "5301", "05301-2218", "J1H 4C4", "", "00000"],
    "city": ["Brattleboro", "St. Johnsbury", "Reno", "", "Valentine"],
    "phone": ["802-555-0143", "(802) 555-0188", "", "+1 819 555 0136"],
    "sex": ["F", "M", "female", "", "Quillfeather"],
    "test_name": [
        "Glucose", "MCH", "Quillfeather antigen", "St. J. factor", "wm. test", "Bill level", "HDL",
        "call 802-555-0143", "Norman index", "Sodium (quilfeather)", "Reno", "5301 assay", "A.B.",
        "Factor 4471", "May 12 pool", "test of 05/12", "smithann", "", "n/a", "AML", "titre 1/40",
    ],
    "result_value": ["1.5", "402817", "402817.0", "<5", "neg", "912344471", "90+", "4471", ""],
    "unit": ["mg/dL", "Ann/L", "10*3/uL", "", "%", "0143 U", "mmol/L"],
}  # fmt: skip


@dataclass
class Outcome:
    """Everything that is written and recorded about a table."""

    data: bytes
    cells: Counter[Any] = field(default_factory=Counter)
    singles: list[str] = field(default_factory=list)
    hits: Any = None
    known: int = 0


def _opened_as_single_table(path: Path) -> tuple[RecordSource, People]:
    source = open_source(path)
    people = gather_people([(path.name, source)], [], None, alone=True)
    assert people.is_single_table(path.name)
    return source, people


def _decided(
    path: Path, source: RecordSource, people: People, policy: Policy
) -> tuple[ColumnDecision, ...]:
    decisions = decide_columns(policy, path.name, source, False, ReadOptions())
    number_keys(source, decisions, people.keys)
    return decisions


def _scrubber(policy: Policy) -> Scrubber:
    return Scrubber(policy, None, REFERENCE)  # type: ignore[arg-type]  # no text is searched


def _flow(
    path: Path, source: RecordSource, people: People, policy: Policy
) -> tuple[TableFlow, Sequence[ColumnDecision]]:
    decisions = _decided(path, source, people, policy)
    return TableFlow(path.name, decisions, _scrubber(policy), people), decisions


def _both(path: Path, policy: Policy) -> tuple[Outcome, Outcome]:
    source, people = _opened_as_single_table(path)
    flow, decisions = _flow(path, source, people, policy)
    rows, _ = _flow(path, source, people, policy)
    return _columns(path, source, decisions, flow), _rows(path, source, decisions, rows)


def _columns(
    path: Path,
    source: RecordSource,
    decisions: Sequence[ColumnDecision],
    flow: TableFlow,
    processes: int = 1,
) -> Outcome:
    target = path.with_name(f"columns{path.suffix}")
    sink = _sink(target, path, source, decisions)
    outcome, count = Outcome(b""), 0
    work = TableWork(
        flow,
        BatchAccountant(1, decisions, whole=False, by_stretch=True),
        tuple(d.index for d in decisions if d.leaves),
        is_single=True,
        diff=False,
    )
    spread = local_processes(processes)
    for batch in spread(partial(read_row_batches, source, texts=False), work):
        sink.write_columns(batch.columns)
        outcome.cells += batch.account.cells
        outcome.singles += batch.account.lines.splitlines()
        count += batch.account.counts.records_out
    sink.close()
    outcome.data = target.read_bytes()
    search = ResidualSearch([])
    owners = OwnRows(source, flow.own, count, spread)  # type: ignore[arg-type]
    search_columns(search, 1, open_source(target), owners, frozenset())  # type: ignore[arg-type]
    outcome.hits, outcome.known = Counter(search.hits), search.known_values
    return outcome


class AllSuspected(cell_prefilter.CellPrefilter):
    """A prefilter that passes every cell, so that each row is searched."""

    def live(self, words: Sequence[str | None]) -> np.ndarray:
        return np.ones(len(words), bool)

    def cell_may_hold(self, cell: str, known: object) -> bool:
        return True

    def sifts(self, cell: str) -> bool:
        return False


class AllJudged(row_ages.AgeJudge):
    """A judge that examines every row."""

    def _may_be_old(self, batch: TableBatch, owners: Owners, known: object) -> np.ndarray:
        return np.ones(len(batch), bool)


def _rows(
    path: Path, source: RecordSource, decisions: Sequence[ColumnDecision], flow: TableFlow
) -> Outcome:
    target = path.with_name(f"rows{path.suffix}")
    sink = _sink(target, path, source, decisions)
    leaving = [d.index for d in decisions if d.leaves]
    outcome, told = Outcome(b""), []
    accountant = BatchAccountant(1, decisions, whole=False, by_stretch=True)
    ages = flow._ages
    flow._kept._prefilter = AllSuspected(flow.own)
    flow._ages = AllJudged(ages.births, ages.reference, ages.latest)
    for record in source.records():
        out = flow.run(ReadRows(record.ordinal, [record]))
        sink.write([out.columns[index][0] for index in leaving])
        told += out.owners()
        account = accountant.account(out)
        outcome.cells += account.cells
        outcome.singles += account.lines.splitlines()
    sink.close()
    outcome.data = target.read_bytes()
    search = ResidualSearch([])
    records = (r for r in open_source(target).records() if isinstance(r, Record))
    search.records(1, ((r.ordinal, r.cells, o) for r, o in zip(records, told, strict=True)))
    outcome.hits, outcome.known = Counter(search.hits), search.known_values
    return outcome


def _sink(
    target: Path, path: Path, source: RecordSource, decisions: Sequence[ColumnDecision]
) -> Any:
    found = format_of(path)
    assert found is not None
    return found.create(target, source, {d.index: d.out_header for d in decisions if d.leaves})


@pytest.fixture(autouse=True)
def small_tables_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(alone, "MIN_SINGLE_TABLE_ROWS", 1)
    yield


def _write(path: Path, rows: Sequence[Sequence[str]], header: str = HEADER) -> None:
    quoted = [[f'"{cell}"' if "," in cell else cell for cell in row] for row in rows]
    path.write_text("\n".join([header, *(",".join(row) for row in quoted)]) + "\n", "utf-8")


ROW = st.tuples(*(st.sampled_from(CELLS[name]) for name in HEADER.split(",")))
PLAIN = [("00402817", "Pickett", "Ada", "400-12-3456", "1950-01-01", "05301", "Reno",
          "802-555-0100", "F", "Glucose", "1.5", "mg/dL")] * 40  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(ROW, min_size=1, max_size=8))
def test_a_table_gives_the_same_result_by_column_and_by_row(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]]
) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    _write(path, [*PLAIN, *rows])
    by_columns, by_rows = _both(path, read_policy("safe_harbor"))
    assert by_columns.data == by_rows.data
    assert by_columns.cells == by_rows.cells
    assert by_columns.singles == by_rows.singles
    assert by_columns.known == by_rows.known
    assert set(by_rows.hits) <= set(by_columns.hits)


AGED = "PATIENT_ID,AGE,BIRTH_DATE,BIRTH_YEAR,VISIT_DATE,SEX"
AGED_CELLS = {
    "PATIENT_ID": ["K-100417", "K-100418", ""],
    "AGE": ["41", "88", "89", "90", "93 y", "6 days", "", "unknown", "87.5"],
    "BIRTH_DATE": [
        "1936-11-20",
        "1936-11-21",
        "1936-11-22",
        "1937-02-03",
        "1985-04-01",
        "",
        "1936",
    ],
    "BIRTH_YEAR": ["1936", "1937", "1985", ""],
    "VISIT_DATE": ["2026-11-01", "2023-05-06", "2011-01-31", "2031-01-01", "", "n/a"],
    "SEX": ["F", "M"],
}
AGED_ROW = st.tuples(*(st.sampled_from(AGED_CELLS[name]) for name in AGED.split(",")))
AGED_PLAIN = [("K-100419", "41", "1985-04-01", "1985", "2023-05-06", "F")] * 40


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(AGED_ROW, min_size=1, max_size=8))
def test_ages_are_judged_with_the_dates_of_their_row(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]]
) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    _write(path, [*AGED_PLAIN, *rows], AGED)
    by_columns, by_rows = _both(path, read_policy("safe_harbor"))
    assert by_columns.data == by_rows.data
    assert by_columns.cells == by_rows.cells
    assert by_columns.singles == by_rows.singles


def test_ages_in_months_are_judged_with_the_dates_of_their_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [("K-100417", "1050", "2020-01-01", "F"), ("K-100418", "500", "2020-01-01", "M")]
    _write(path, rows, "PATIENT_ID,AGE_MONTHS,VISIT_DATE,SEX")
    by_columns, by_rows = _both(path, read_policy("safe_harbor"))
    assert by_columns.data == by_rows.data
    assert by_columns.data.splitlines()[1] == b"[ID-1],90+,2020,F"


def test_a_person_over_89_is_pooled_by_column_too(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    old = ("K-100418", "87", "1936-11-20", "1936", "2024-05-06", "M")
    _write(path, [*AGED_PLAIN, old], AGED)
    by_columns, _ = _both(path, read_policy("safe_harbor"))
    assert by_columns.data.splitlines()[-1].endswith(b",90+,90+,90+,2024,M")


def test_thousands_of_rows_that_repeat_their_known_values_give_the_same_result(
    tmp_path: Path,
) -> None:
    chance = random.Random(3)
    rows = [[chance.choice(CELLS[name]) for name in HEADER.split(",")] for _ in range(1500)]
    path = tmp_path / "t.csv"
    _write(path, [*PLAIN * 20, *rows])
    by_columns, by_rows = _both(path, read_policy("safe_harbor"))
    assert by_columns.data == by_rows.data
    assert by_columns.singles == by_rows.singles
    assert len(by_rows.singles) > 300
    own = [line for row, line in zip(rows, by_columns.data.splitlines()[801:], strict=True)
           if row[1] == "Quillfeather"]  # fmt: skip
    assert own and not any(b"Quillfeather" in line for line in own)


@pytest.mark.parametrize("name", ["patients", "encounters", "results", "devices"])
def test_the_clinics_tables_are_the_same_by_columns_and_by_rows(tmp_path: Path, name: str) -> None:
    lines = (CLINIC / f"{name}.csv").read_text("utf-8-sig").splitlines(keepends=True)
    path = tmp_path / f"{name}.csv"
    path.write_text("".join(lines), "utf-8")
    source = open_source(path)
    people = gather_people([(path.name, source)], [], None, alone=True)
    policy = read_policy("safe_harbor")
    decisions = decide_columns(policy, path.name, source, False, ReadOptions())
    texts = any(d.action == "text" for d in decisions)
    if not people.is_single_table(path.name):
        assert texts or not source.is_regular()  # type: ignore[attr-defined]
        return
    by_columns, by_rows = _both(path, policy)
    assert by_columns.data == by_rows.data and by_columns.cells == by_rows.cells


@pytest.mark.parametrize("policy", ["limited_data_set", "safe_harbor"])
def test_parquet_gives_the_same_result_by_column_and_by_row(
    tmp_path: Path, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sifting, "BATCH_ROWS", 64)
    chance = random.Random(5)
    names = HEADER.split(",")
    rows = [[chance.choice(CELLS[name]) for name in names] for _ in range(300)]
    _write(tmp_path / "t.csv", [*PLAIN * 10, *rows])
    text = dict.fromkeys(names, pa.string())
    table = pa_csv.read_csv(
        tmp_path / "t.csv", convert_options=pa_csv.ConvertOptions(column_types=text)
    )
    nulls = [None if n % 7 == 0 else cell for n, cell in enumerate(table["unit"].to_pylist())]
    table = table.set_column(11, "unit", pa.array(nulls, pa.string()))
    pa_parquet.write_table(table, tmp_path / "t.parquet")
    by_columns, by_rows = _both(tmp_path / "t.parquet", read_policy(policy))
    assert by_columns.data == by_rows.data
    assert by_columns.singles == by_rows.singles


@pytest.mark.parametrize("most_standing", [2, 100])
def test_more_distinct_cells_than_fit_in_memory_give_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_standing: int
) -> None:
    for module in (table_batch, residual_tables):
        monkeypatch.setattr(module, "BATCH_ROWS", 50)
        monkeypatch.setattr(module, "rebatch", lambda batches, _=0: sifting.rebatch(batches, 50))
    for module in (cell_prefilter, residual_tables):
        monkeypatch.setattr(module, "MOST_CELLS", 5)
    monkeypatch.setattr(kept_cells, "MOST_PENDING", most_standing)
    chance = random.Random(11)
    rows = [[chance.choice(CELLS[name]) for name in HEADER.split(",")] for _ in range(300)]
    path = tmp_path / "t.csv"
    _write(path, [*PLAIN, *rows])
    by_columns, by_rows = _both(path, read_policy("safe_harbor"))
    assert by_columns.data == by_rows.data
    assert by_columns.singles == by_rows.singles
    assert set(by_rows.hits) <= set(by_columns.hits)


@pytest.mark.parametrize("processes", [2, 3])
def test_many_processes_write_the_same_table_as_one(
    tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (table_batch, residual_tables):
        monkeypatch.setattr(module, "BATCH_ROWS", 100)
        monkeypatch.setattr(module, "rebatch", lambda batches, _=0: sifting.rebatch(batches, 100))
    chance = random.Random(7)
    rows = [[chance.choice(CELLS[name]) for name in HEADER.split(",")] for _ in range(450)]
    path = tmp_path / "t.csv"
    _write(path, [*PLAIN, *rows])
    policy = read_policy("safe_harbor")
    source, people = _opened_as_single_table(path)
    outcomes = []
    for number in (1, processes):
        flow, decisions = _flow(path, source, people, policy)
        outcomes.append(_columns(path, source, decisions, flow, number))
    assert outcomes[0] == outcomes[1]
    assert max(json.loads(line)["record"] for line in outcomes[0].singles) > 400


def test_a_batch_is_released_from_memory_after_its_result_is_used(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    _write(path, PLAIN)
    source, people = _opened_as_single_table(path)
    flow, decisions = _flow(path, source, people, read_policy("safe_harbor"))
    held: list[weakref.ref[Any]] = []

    def batches() -> Iterator[ReadRows]:
        for read in read_row_batches(source, texts=False):
            for start in range(0, len(read), 4):
                rows = read.rows.slice(start, 4)  # type: ignore[union-attr]
                held.append(weakref.ref(rows))
                yield ReadRows(start + 1, rows)
                del rows

    accountant = BatchAccountant(1, decisions, whole=False, by_stretch=True)
    work = TableWork(flow, accountant, (0,), is_single=True, diff=False)
    for _ in work(batches()):
        assert sum(rows() is not None for rows in held) < 3
    assert len(held) == len(PLAIN) // 4


def test_a_remaining_value_of_a_person_is_found_in_the_rows_of_others(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [list(row) for row in PLAIN]
    rows[3][1], rows[3][2] = "Quillfeather", "Rosamund"
    _write(path, rows)
    source, people = _opened_as_single_table(path)
    policy = read_policy("safe_harbor")
    flow, _ = _flow(path, source, people, policy)
    assert sum(len(flow.run(read)) for read in read_row_batches(source, texts=False)) == len(rows)
    leaked = [["[ID-1]", "F", "Rosamund Quillfeather"], *[["[ID-1]", "F", "Glucose"]] * 39]
    _write(tmp_path / "o.csv", leaked, "mrn,sex,test_name")
    search = ResidualSearch([])
    owners = OwnRows(source, flow.own, len(rows))  # type: ignore[arg-type]
    search_columns(search, 1, open_source(tmp_path / "o.csv"), owners, frozenset())  # type: ignore[arg-type]
    assert {hit.kind for hit in search.hits} == {"name"}


def test_a_header_and_a_file_named_after_a_patient_are_recognized_in_a_single_table(
    tmp_path: Path,
) -> None:
    path = tmp_path / "quillfeather_labs.csv"
    path.write_text(
        "mrn,last_name,sex,A4471\n" + "A-4471,Quillfeather,F,1.5\n00402818,Pickett,M,2.5\n" * 20
    )
    _, people = _opened_as_single_table(path)
    assert people.names_somebody(path.name)
    assert people.header_names_somebody("A4471")
    assert not people.names_somebody("labs.csv")
    assert not people.header_names_somebody("last_name")


def test_a_row_whose_key_names_its_file_is_checked_against_its_own_values(tmp_path: Path) -> None:
    path = tmp_path / "patient_402817.csv"
    path.write_text(
        "mrn,last_name,sex,test_name\n"
        "402817,Pickett,F,Norma index\n402817,Norma,F,Norma index\n402818,Li,M,Glucose\n"
    )
    columns, rows = _both(path, read_policy("safe_harbor"))
    assert columns.data == rows.data
    assert columns.data.splitlines()[1:3] == [
        b"[ID-1],[NAME],F,Norma index",
        b"[ID-1],[NAME],F,",
    ]


def test_small_tables_and_tables_among_others_are_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alone, "MIN_SINGLE_TABLE_ROWS", 50)
    path = tmp_path / "t.csv"
    _write(path, PLAIN)
    source = open_source(path)
    assert len(gather_people([(path.name, source)], [], None, alone=True)) == 1
    monkeypatch.setattr(alone, "MIN_SINGLE_TABLE_ROWS", 1)
    two = [(path.name, source), ("u.csv", source)]
    assert len(gather_people(two, [], None, alone=True)) == 1
    assert len(gather_people([(path.name, source)], [], None)) == 1
