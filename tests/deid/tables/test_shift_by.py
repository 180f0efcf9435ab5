"""Dates are shifted by a column of days, and that column is never released."""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.jobs import Job, run_job
from deid.policy.model import Policy, parse_policy
from deid.transforms import TransformContext, transform
from safe_harbor import Identifier, Residue

ROWS = """visit_id,mrn,offset_days,visit_date,discharge_date
1,10001,-12,2019-03-14,2019-03-20
2,10002,,2019-03-15,2019-03-16
3,10001,-12,04/14/2019,2019-04-15
4,10003,0,2019-04-14,2019-04-15
5,10004,x9,2019-04-14,2019-04-15
6,10005,400,2019-04-14,
"""


def policy(kept: str = "year", more: str = "") -> Policy:
    return parse_policy(
        "name: shifted\nextends: expert_determination\n"
        f"transforms:\n  dates: {{otherwise: {kept}}}\n"
        "columns:\n"
        "- {name: visit_date, identifier: dates, action: shift_by(offset_days)}\n"
        "- {name: discharge_date, identifier: dates, action: shift_by(offset_days)}\n"
        "- {name: offset_days, action: keep, keep_name: true, reason: somebody wants it}\n" + more
    )


def test_dates_shift_by_the_days_of_their_row_and_the_days_are_not_released(tmp_path: Path) -> None:
    source, out = tmp_path / "visits.csv", tmp_path / "out"
    source.write_text(ROWS)
    run_job(Job((source,), out, policy(), date(2026, 1, 1)), None)  # type: ignore[arg-type]
    rows = list(csv.DictReader((out / "visits.csv").open(newline="")))
    assert [(row["visit_date"], row["discharge_date"]) for row in rows] == [
        ("2019-03-02", "2019-03-08"),
        ("", ""),
        ("04/02/2019", "2019-04-03"),
        ("", ""),
        ("", ""),
        ("2020-05-18", ""),
    ]
    assert "offset_days" not in rows[0]
    assert "-12" not in (out / "visits.csv").read_text()
    manifest = json.loads((out / "_release" / "manifest.json").read_text("utf-8"))
    [days] = [c for c in manifest["columns"] if c["header"] == "offset_days"]
    assert days["action"] == "drop"
    assert manifest["cells"]["blanked"] >= 6


@pytest.mark.parametrize(
    ("days", "left"),
    [("7", "2019-03-21"), ("+7.0", "2019-03-21"), (" -7 ", "2019-03-07"), ("0", ""), ("0.0", "")],
)
def test_numbers_of_whole_days_are_accepted(days: str, left: str) -> None:
    context = TransformContext(Identifier.DATES, "DATE_TIME", date(2026, 1, 1), beside=days)
    assert transform("shift_by(days)").apply("2019-03-14", context).text == left


@pytest.mark.parametrize("days", [None, "", "7.5", "seven", "7 days", "9999999", "٧x"])
def test_without_a_number_of_whole_days_the_dates_are_removed(days: str | None) -> None:
    context = TransformContext(Identifier.DATES, "DATE_TIME", date(2026, 1, 1), beside=days)
    outcome = transform("shift_by(days)").apply("2019-03-14", context)
    assert (outcome.text, outcome.residue) == ("", Residue.NOTHING)


@pytest.mark.parametrize(
    ("kept", "more"),
    [("keep", ""), ("year", "- {name: admitted, identifier: dates, action: keep}\n")],
)
def test_kept_dates_beside_shifted_dates_are_refused(kept: str, more: str) -> None:
    with pytest.raises(DeidError) as caught:
        policy(kept, more)
    assert "reveal the days" in str(caught.value)


def test_a_table_without_the_column_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "visits.csv"
    source.write_text("visit_date,mrn\n2019-03-14,1\n")
    with pytest.raises(DeidError) as caught:
        run_job(Job((source,), tmp_path / "out", policy(), date(2026, 1, 1)), None)  # type: ignore[arg-type]
    assert caught.value.code == "shift-column-missing"


def test_shifting_by_a_column_needs_an_identifier_and_breaks_safe_harbor() -> None:
    with pytest.raises(DeidError):
        parse_policy(
            "name: x\nextends: safe_harbor\ncolumns: [{name: d, action: shift_by(n), reason: r}]\n"
        )
    shifted = policy().model_copy(update={"claim": "safe_harbor"})
    assert Residue.SHIFTED_DATE in shifted.residues()[Identifier.DATES]
