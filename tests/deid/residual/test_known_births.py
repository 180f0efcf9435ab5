"""Birth years and ages over 89 of known persons, searched for in the released text."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from deid.release.release_check import released_on
from deid.residual.search import ResidualSearch
from recognizers import KnownValue, KnownValues
from safe_harbor import Identifier

REFERENCE = date(2026, 11, 23)


def hits(text: str, birth: str, reference: date | None = REFERENCE) -> int:
    known = KnownValues((KnownValue(Identifier.DATES, birth, "patient", "birth"),))
    search = ResidualSearch([("P1", known)], reference=reference)
    search.records(1, [(1, (text,), "P1")])
    return search.result().hits


@pytest.mark.parametrize(
    "text",
    ["She was born in 1931 here.", "YOB: 1931, well.", "Pt is a 94 y/o man.", "a 95-year-old man"],
)
def test_text_that_shows_the_age_is_a_hit(text: str) -> None:
    assert hits(text, "1931-03-04") == 1


@pytest.mark.parametrize(
    "text", ["Seen in 1931 units.", "born in [BIRTHYEAR]", "90+ y/o", "a 79 yo man", "WBC 1931"]
)
def test_text_that_does_not_show_the_age_is_no_hit(text: str) -> None:
    assert hits(text, "1931-03-04") == 0


def test_a_later_birth_is_no_hit_and_without_a_reference_date_there_is_no_search() -> None:
    assert hits("born in 1961", "1961-03-04") == 0
    assert hits("born in 1931", "1931-03-04", None) == 0
    assert hits("born in 1931", "1931-03-04", date(2010, 1, 1)) == 0


def test_the_manifest_names_the_reference_date(tmp_path: Path) -> None:
    assert released_on(tmp_path) is None
    (tmp_path / "_release").mkdir()
    manifest = tmp_path / "_release" / "manifest.json"
    manifest.write_text('{"reference_date": "2026-11-23"}')
    assert released_on(tmp_path) == REFERENCE
    manifest.write_text("[]")
    assert released_on(tmp_path) is None
