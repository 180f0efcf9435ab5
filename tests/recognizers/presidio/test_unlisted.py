"""`--strict` finds every word that is on no list, and no other word."""

from __future__ import annotations

import pytest

from recognizers.presidio.adapter import UnlistedWords
from recognizers.words.gazetteers import is_listed_word


@pytest.mark.parametrize("word", ["patient", "lisinopril", "Hypertension", "Crohn", "wheezes"])
def test_listed_words_are_kept_in_strict_mode(word: str) -> None:
    assert is_listed_word(word)


@pytest.mark.parametrize("word", ["Quorblatt", "zyxandra", "Vexnorth's"])
def test_unlisted_words_are_found_as_a_whole_in_strict_mode(word: str) -> None:
    text = f"The {word} was seen."
    spans = [(r.start, r.end) for r in UnlistedWords().analyze(text, ["OTHER_ID"])]
    assert spans == [(4, 4 + len(word))]
