"""Which values of a column name a person, a place or an organization, by the shipped engine."""

from __future__ import annotations

from functools import cache

import pytest

from deid.text.column_values import naming_values
from recognizers import Finder

NAMING = [
    ("disposition", "Discharged to Sunrise Senior Living"),
    ("specimen_source", "Quest Akron"),
    ("status", "Transferred to Massachusetts General"),
    ("insurance", "Kaiser Permanente Oakland"),
    ("source", "Outside hospital Tulsa"),
    ("diagnosis", "COPD (seen at Cleveland Clinic)"),
    ("source", "Mercy ED"),
    ("panel", "Dr. Patel panel"),
    ("cohort", "Boston"),
    ("cohort", "Framingham"),
    ("arm", "Toledo"),
    ("treatment_arm", "Arm A Toledo"),
]
PLAIN = [
    ("disposition", "Discharged to home"),
    ("disposition", "Skilled nursing facility"),
    ("admission_location", "EMERGENCY ROOM"),
    ("department", "Pediatrics"),
    ("department", "General Medicine"),
    ("insurance", "Blue Cross Blue Shield"),
    ("arm", "Placebo"),
    ("status", "Transferred to ICU"),
    ("race", "Black or African American"),
    ("diagnosis", "Crohn disease"),
    ("exam", "Chest X-Ray, PA and Lateral"),
    ("species", "Rhesus"),
    ("grade", "Gleason 3+4"),
    ("result", "Normal"),
    ("result", "Positive"),
    ("color", "Orange"),
    ("sex", "Man"),
    ("SCALE", "Ord"),
    ("DOMAIN", "VS"),
    ("VSTESTCD", "DIABP"),
]


@cache
def finder() -> Finder:
    return Finder.load()


@pytest.mark.parametrize(("header", "value"), NAMING)
def test_values_that_name_somebody(header: str, value: str) -> None:
    assert naming_values(finder(), header, [value]) == {value}


@pytest.mark.parametrize(("header", "value"), PLAIN)
def test_values_that_name_nobody(header: str, value: str) -> None:
    assert not naming_values(finder(), header, [value])


def test_numbers_are_not_searched() -> None:
    assert not naming_values(finder(), "score", ["44", "1.5", ""])
