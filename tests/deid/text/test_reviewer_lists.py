"""The reviewers' lists: missed texts are found, and wrongly replaced texts are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.text.reviewer_lists import ListAwareFinder, ReviewerLists
from recognizers import Finder, KnownValues
from safe_harbor import Identifier

TEXT = "Seen with Zorblax Quennith. Mr. Castleman asked of Castleman disease. Call 802-555-0143."


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder.load(model=False)


def _lists(folder: Path, deny: str = "", allow: str = "") -> ReviewerLists:
    (folder / "deny.csv").write_text("word,value\n" + deny)
    (folder / "allow.csv").write_text("word,value\n" + allow)
    return ReviewerLists.read(folder)


def _found(finder: Finder | ListAwareFinder, known: KnownValues | None = None) -> set[str]:
    (found,) = finder.find_all([TEXT], [known], [None])
    return {TEXT[f.start : f.end] for f in found}


def test_a_missed_text_on_the_deny_list_is_found_in_every_text(
    tmp_path: Path, finder: Finder
) -> None:
    taught = ListAwareFinder(finder, _lists(tmp_path, deny="names,Zorblax Quennith\n"))
    assert "Zorblax Quennith" not in _found(finder)
    assert "Zorblax Quennith" in _found(taught)
    mine = KnownValues.of({"names": ["Harlan Lowe"]})
    assert "Zorblax Quennith" in _found(taught, mine)


def test_a_text_on_the_allow_list_is_kept_unless_it_is_the_patients_own(
    tmp_path: Path, finder: Finder
) -> None:
    taught = ListAwareFinder(finder, _lists(tmp_path, allow="phones,802-555-0143\n"))
    assert "802-555-0143" in _found(finder)
    assert "802-555-0143" not in _found(taught)
    mine = KnownValues.of({"phones": ["802-555-0143"]})
    assert "802-555-0143" in _found(taught, mine)


def test_an_allowed_text_is_kept_only_under_its_own_identifier(
    tmp_path: Path, finder: Finder
) -> None:
    taught = ListAwareFinder(finder, _lists(tmp_path, allow="mrns,802-555-0143\n"))
    assert "802-555-0143" in _found(taught)


@pytest.mark.parametrize("line", ["nicknames,Zorblax", "names", "names,Zorblax,Quennith"])
def test_a_broken_list_is_reported_by_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(DeidError) as refused:
        _lists(tmp_path, deny=f"{Identifier.NAMES},Ola Fenwick\n{line}\n")
    assert (refused.value.code, refused.value.place) == ("lists-invalid", "deny.csv line 3")
    assert "Zorblax" not in str(refused.value)


def test_a_folder_without_lists_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeidError, match="neither"):
        ReviewerLists.read(tmp_path)
