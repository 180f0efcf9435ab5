"""The register names every table and function, and broken expressions are detected at start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import re2

from recognizers.evidence.matching import Hit, matches
from recognizers.evidence.register import FUNCTIONS, Rules, function, rules
from recognizers.evidence.tables import names
from recognizers.text.normalized_text import NormalizedText


def test_every_table_is_searched_once() -> None:
    searched = [rule.name for rule in rules() if rule.rows]
    assert sorted(searched) == names()


@pytest.mark.parametrize("path", [path for paths in FUNCTIONS.values() for path in paths])
def test_every_function_that_is_listed_searches_a_text(path: str) -> None:
    assert list(function(path)(NormalizedText.of("Nothing to see."))) == []


def test_a_broken_expression_is_an_error_when_rules_are_loaded() -> None:
    def broken(page: NormalizedText) -> Iterator[Hit]:
        for start, end in matches("(", page):
            yield Hit(start, end, "PERSON", 0.9, "broken")

    with pytest.raises(re2.error):
        Rules("broken", functions=(broken,)).load()
