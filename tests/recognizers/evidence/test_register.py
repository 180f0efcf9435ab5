"""The register lists every file of rules; the rules are named for the eighteen identifiers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import re2

import recognizers.evidence.register as register
from recognizers.evidence.rules import Hit, Rules, matches
from recognizers.text.normalized_text import NormalizedText
from safe_harbor import Identifier

FOLDER = Path(register.__file__).parent
MARK = "(Rules):"


def test_register_is_the_folder() -> None:
    files = {
        ".".join(p.relative_to(FOLDER).with_suffix("").parts)
        for p in FOLDER.rglob("*.py")
        if MARK in p.read_text("utf-8")
    }
    listed = [module for module, _ in register.REGISTER]
    assert files == set(listed)
    assert len(set(listed)) == len(listed)


def test_a_broken_pattern_shows_when_rules_are_loaded() -> None:
    class Broken(Rules):
        word = "broken"

        def more(self, page: NormalizedText) -> Iterator[Hit]:
            for start, end in matches("(", page):
                yield Hit(start, end, "PERSON", 0.9, "broken")

    with pytest.raises(re2.error):
        Broken().load()


def test_every_identifier_has_its_rules() -> None:
    assert {word.value for word in Identifier} <= {rules.word for rules in register.rules()}


def test_rules_are_named_for_an_identifier_and_find_its_entities() -> None:
    from recognizers.entities import ENTITIES

    for rules in register.rules():
        word = rules.word.split("_")[0]
        others = {"OTHER_ID"} if rules.word == "others" else set()
        entities = set(rules.supported()) - others
        assert {ENTITIES[e].value for e in entities} <= {word}, rules.word
