"""The run record: who ran a job and with which software, in full and without a value."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from deid.cli.scrub_arguments import ScrubOptions
from deid.errors import DeidError
from deid.release.run_record import LONGEST_OPERATOR, begin_run, processor, user_from_environment

NOON = datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=-5)))


def test_times_are_in_utc_and_come_from_the_clock() -> None:
    ticks = iter([NOON, NOON + timedelta(minutes=3)])
    run = begin_run("deid scrub", "A. Tester", lambda: next(ticks)).ended()
    assert (run.start, run.end) == ("2026-03-01T17:00:00+00:00", "2026-03-01T17:03:00+00:00")
    assert run.operator == "A. Tester"
    assert run.version and run.processor


def test_without_a_name_the_operator_is_the_system_user() -> None:
    run = begin_run("deid scrub", None, lambda: datetime.now(UTC))
    assert run.operator == user_from_environment() != ""


@pytest.mark.parametrize("name", ["", "  ", "x" * (LONGEST_OPERATOR + 1), "a\x1b[31mb", "a\u202eb"])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    with pytest.raises(DeidError) as refused:
        begin_run("deid scrub", name, lambda: NOON)
    assert refused.value.code == "operator-invalid"
    assert name.strip() == "" or name not in str(refused.value)


def test_the_processor_is_named() -> None:
    assert processor()


def test_the_command_shows_no_path_no_column_and_no_name() -> None:
    asked = ScrubOptions(inputs=[Path("/wards/Ada Stone.txt"), Path("b.csv")])
    full = replace(
        asked,
        out=Path("Ada"),
        policy="/secret/Ada.yaml",
        known=[Path("Ada.csv")],
        patient_key="Stone",
        delimiter=";",
        group_by="Ada",
        workers=4,
        strict=True,
        reference_date=date(2026, 1, 2).isoformat(),
        operator="Ada Stone",
    )
    assert asked.shown == "deid scrub INPUT INPUT"
    assert "Ada" not in full.shown and "Stone" not in full.shown and ";" not in full.shown
    assert full.shown == (
        "deid scrub INPUT INPUT --out OUT --policy NAME-OR-YAML --known TABLE --patient-key COL "
        "--reference-date 2026-01-02 --group-by C --delimiter C --strict --workers 4 "
        "--operator NAME"
    )


def test_a_shipped_policy_is_named() -> None:
    asked = ScrubOptions(inputs=[Path("a")], policy="limited_data_set")
    assert asked.shown == "deid scrub INPUT --policy limited_data_set"
