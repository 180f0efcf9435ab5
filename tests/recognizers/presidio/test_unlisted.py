"""`--strict` takes what no list knows, and nothing that one does."""

from __future__ import annotations

import pytest

from recognizers.presidio.own_recognizers import UnlistedWords
from recognizers.words.gazetteers import is_listed_word


@pytest.mark.parametrize("word", ["patient", "lisinopril", "Hypertension", "Crohn", "wheezes"])
def test_words_of_the_lists_stay(word: str) -> None:
    assert is_listed_word(word)


@pytest.mark.parametrize("word", ["Quorblatt", "zyxandra", "Vexnorth's"])
def test_others_are_found_whole(word: str) -> None:
    text = f"The {word} was seen."
    spans = [(r.start, r.end) for r in UnlistedWords().analyze(text, ["OTHER_ID"])]
    assert spans == [(4, 4 + len(word))]
