"""`--strict`: words that stand in no clinical and no common word list go, too."""

from __future__ import annotations

import re
from typing import Any

from recognizers.presidio.adapter import EntityRecognizer, RecognizerResult
from recognizers.words.gazetteers import is_listed_word

_UNLISTED_WORD = re.compile(r"[^\W\d_]{3,}(?:['’][^\W\d_]+)?")
SCORE = 0.4


class UnlistedWords(EntityRecognizer):
    """Takes every word of three letters or more that no list knows.

    Costs retention: brand names, abbreviations and typing errors go with the names.
    """

    def __init__(self) -> None:
        super().__init__(supported_entities=["OTHER_ID"], name="unlisted", supported_language="en")

    def load(self) -> None:
        """The lists are read on first use."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: Any = None
    ) -> list[RecognizerResult]:
        """A result for every unlisted word."""
        return [
            RecognizerResult("OTHER_ID", match.start(), match.end(), SCORE)
            for match in _UNLISTED_WORD.finditer(text)
            if not is_listed_word(match[0])
        ]
