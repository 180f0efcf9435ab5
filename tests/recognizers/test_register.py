"""The register lists every file of rules, in files named for the eighteen words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import re2

import recognizers.register as register
from recognizers.page import Page
from recognizers.rules import Hit, Rules, matches
from safe_harbor import Identifier

FOLDER = Path(register.__file__).parent
MARK = "(Rules):"


def test_register_is_the_folder() -> None:
    files = {p.stem for p in FOLDER.glob("*.py") if MARK in p.read_text("utf-8")}
    assert files == set(register.REGISTER)
    assert len(set(register.REGISTER)) == len(register.REGISTER)


def test_a_broken_pattern_shows_when_rules_are_loaded() -> None:
    class Broken(Rules):
        word = "broken"

        def more(self, page: Page) -> Iterator[Hit]:
            for start, end in matches("(", page):
                yield Hit(start, end, "PERSON", 0.9, "broken")

    with pytest.raises(re2.error):
        Broken().load()


def test_every_word_has_its_file() -> None:
    assert {word.value for word in Identifier} <= set(register.REGISTER)


def test_files_are_named_for_a_word_and_find_its_entities() -> None:
    from recognizers.entities import ENTITIES

    for rules in register.rules():
        word = rules.word.split("_")[0]
        others = {"OTHER_ID"} if rules.word == "others" else set()
        entities = set(rules.supported()) - others
        assert {ENTITIES[e].value for e in entities} <= {word}, rules.word
