"""The register names every table and function, and broken expressions are detected at start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import re2

from benchmarks.floors import golden
from recognizers.evidence.matching import Seen, matches
from recognizers.evidence.register import Function, Rules, RuleTable, rules, table_names
from recognizers.evidence.rows import Row
from recognizers.text.normalized_text import NormalizedText

FUNCTIONS = [rule for table in rules() for rule in table.rules if isinstance(rule, Function)]


def test_every_table_is_searched_once() -> None:
    searched = [table.name for table in rules() if any(isinstance(r, Row) for r in table.rules)]
    assert sorted(searched) == table_names()


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.hits.__name__)
def test_a_function_sees_nothing_in_ordinary_words(function: Function) -> None:
    assert list(function.hits(NormalizedText.of("Nothing to see."))) == []


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.hits.__name__)
def test_a_function_sees_nothing_in_a_text_without_its_expressions(function: Function) -> None:
    """Otherwise, the rules would not ask it although it would see something."""
    for line in golden() if function.expressions else ():
        page = NormalizedText.of(line.text)
        if any(True for _ in function.hits(page)):
            assert any(matches(regex, page) for regex in function.expressions), line.line


def test_a_broken_expression_is_an_error_when_rules_are_loaded() -> None:
    def broken(page: NormalizedText) -> Iterator[Seen]:
        for start, end in matches("(", page):
            yield Seen(start, end, "PERSON", 0.9, "broken")

    for function in (Function(broken), Function(lambda _: (), ("(",))):
        with pytest.raises(re2.error):
            Rules((RuleTable("broken", (function,)),)).load()
