"""Presidio recognizers of this engine: one patient's known values, and unlisted words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from recognizers.entities import ENTITIES
from recognizers.known.values import KnownValues
from recognizers.presidio.adapter import EntityRecognizer, NlpArtifacts, RecognizerResult
from recognizers.words.gazetteers import is_listed_word

_UNLISTED_WORD = re.compile(r"[^\W\d_]{3,}(?:['’][^\W\d_]+)?")
SCORE = 0.4


class UnlistedWords(EntityRecognizer):
    """`--strict`: finds every word of three letters or more that is in no list.

    This costs retention: it also removes brand names, abbreviations and typing errors.
    """

    def __init__(self) -> None:
        super().__init__(supported_entities=["OTHER_ID"], name="unlisted", supported_language="en")

    def load(self) -> None:
        """Do nothing: the lists are read on first use."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: Any = None
    ) -> list[RecognizerResult]:
        """A result for every unlisted word."""
        return [
            RecognizerResult("OTHER_ID", match.start(), match.end(), SCORE)
            for match in _UNLISTED_WORD.finditer(text)
            if not is_listed_word(match[0])
        ]


class KnownValuesRecognizer(EntityRecognizer):
    """One patient's known values, to be added to a registry or passed as an ad-hoc recognizer."""

    def __init__(self, known: KnownValues) -> None:
        super().__init__(supported_entities=list(ENTITIES), name="KnownValuesRecognizer")
        self._known = known

    def load(self) -> None:
        """Do nothing: there is nothing to load."""

    def analyze(
        self, text: str, entities: Sequence[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Presidio results for the requested entities, or for all if none is requested."""
        return [
            RecognizerResult(finding.entity, finding.start, finding.end, finding.score)
            for finding in self._known.find(text)
            if not entities or finding.entity in entities
        ]
