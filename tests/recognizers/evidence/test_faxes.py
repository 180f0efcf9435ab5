"""A number labeled as a fax is a fax number, even beside a telephone number."""

from __future__ import annotations

from functools import cache

import pytest

from recognizers import Finder


@cache
def finder() -> Finder:
    return Finder.load()


def types(text: str) -> list[str]:
    return [finding.entity for finding in finder().find(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Clinic phone 715-555-0142, fax 715-555-0199.",
        "Ph: 715-555-0142 Fax: 715-555-0199",
        "Tel 715-555-0142 / Fax (715) 555-0199",
        "P: 715-555-0142 F: 715-555-0199",
    ],
)
def test_a_phone_and_a_fax_number_each_get_their_type(text: str) -> None:
    assert types(text) == ["PHONE_NUMBER", "FAX_NUMBER"]


def test_a_fax_with_brackets_is_a_fax() -> None:
    assert types("Please fax: (715) 555-0199 for the records.") == ["FAX_NUMBER"]
