"""A policy that coarsens columns, applied to a whole table."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from deid.errors import DeidError
from deid.formats import ReadOptions, open_source
from deid.jobs import Job, run_job
from deid.policy.model import parse_policy, policy_text
from deid.tables.column_decisions import decide_columns
from deid.tables.transformed_cells import CellChanges
from recognizers import Finder
from safe_harbor import Residue

ROWS = """PATIENT_ID,AGE,ADMITTED,DISCHARGED,WEIGHT,DX,BIRTH_DATE
K-100417,67,2024-02-28,2024-03-04,81.7,I21.4,1957-01-02
K-100418,93,2024-05-01,2024-05-03,55.2,E11.9,1930-07-08
"""
COLUMNS = """columns:
  - {name: AGE, identifier: dates, entity: AGE, action: band(10)}
  - {name: DISCHARGED, identifier: dates, action: interval(ADMITTED)}
  - {name: WEIGHT, action: round(5), reason: a measurement}
  - {name: DX, action: truncate(3), reason: diagnoses}
"""


def _policy(columns: str = COLUMNS):  # type: ignore[no-untyped-def]
    return parse_policy(policy_text("safe_harbor").replace("columns: []\n", columns))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "visits.csv"
    path.write_text(ROWS)
    return path


def test_a_coarsened_table_is_safe_harbor(table: Path, tmp_path: Path) -> None:
    job = Job((table,), tmp_path / "out", _policy(), date(2026, 11, 21))
    release = run_job(job, Finder.load(model=False, reference_date=date(2026, 11, 21)))
    assert release.manifest["verdict"]["supported"] == "safe_harbor"
    rows = list(csv.DictReader((tmp_path / "out" / "visits.csv").open()))
    left = [(r["AGE"], r["DISCHARGED"], r["WEIGHT"], r["DX"]) for r in rows]
    assert left == [("60-69", "5", "80", "I21"), ("90+", "2", "55", "E11")]


def test_a_pooled_age_also_pools_its_birth_year(table: Path, tmp_path: Path) -> None:
    # The person is 93 at the visit, although the birth year alone would show less than 90 by that
    # date.
    table.write_text("PATIENT_ID,AGE,BIRTH_DATE\nK-100418,93,1937-07-08\n")
    rule = "columns:\n  - {name: AGE, identifier: dates, entity: AGE, action: top_code(85)}\n"
    job = Job((table,), tmp_path / "out", _policy(rule), date(2026, 11, 21))
    run_job(job, Finder.load(model=False, reference_date=date(2026, 11, 21)))
    (row,) = csv.DictReader((tmp_path / "out" / "visits.csv").open())
    assert (row["AGE"], row["BIRTH_DATE"]) == ("85+", "90+")


@pytest.mark.parametrize(
    ("index", "code"),
    [("BIRTH_DATE", "interval-from-birth"), ("NOWHERE", "interval-index-missing")],
)
def test_an_interval_from_a_birth_date_or_a_missing_column_is_refused(
    table: Path, index: str, code: str
) -> None:
    rule = f"columns:\n  - {{name: DISCHARGED, identifier: dates, action: interval({index})}}\n"
    with pytest.raises(DeidError) as caught:
        decide_columns(_policy(rule), "visits.csv", open_source(table), False, ReadOptions())
    assert caught.value.code == code


def test_an_interval_of_a_birth_date_declared_as_a_date_is_refused(table: Path) -> None:
    rule = "columns:\n  - {name: BIRTH_DATE, identifier: dates, action: interval(ADMITTED)}\n"
    with pytest.raises(DeidError) as caught:
        decide_columns(_policy(rule), "visits.csv", open_source(table), False, ReadOptions())
    assert caught.value.code == "interval-from-birth"


def test_the_list_of_changes_does_not_show_the_map_of_a_dictionary(table: Path) -> None:
    rule = """columns:
  - {name: DX, identifier: others, action: dictionary, map: {I21.4: heart, "*": none}}
"""
    policy = _policy(rule)
    (decision,) = (
        d
        for d in decide_columns(policy, "visits.csv", open_source(table), False, ReadOptions())
        if d.header == "DX"
    )
    column = CellChanges(decision, [Residue.VALUE], np.array([0]), ["heart"])
    change = column.at(0, "I21.4")
    assert change is not None and change.transform == decision.shown_action == "dictionary"
