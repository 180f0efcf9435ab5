"""Recognizers of Presidio that the engine brings: one patient's known values, unlisted words."""

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
    """`--strict`: takes every word of three letters or more that no list knows.

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


class KnownValuesRecognizer(EntityRecognizer):
    """Built for one patient, added to a registry or passed as an ad-hoc recognizer."""

    def __init__(self, known: KnownValues) -> None:
        super().__init__(supported_entities=list(ENTITIES), name="KnownValuesRecognizer")
        self._known = known

    def load(self) -> None:
        """Nothing to load."""

    def analyze(
        self, text: str, entities: Sequence[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Presidio results for the entities asked for, all where none is."""
        return [
            RecognizerResult(finding.entity, finding.start, finding.end, finding.score)
            for finding in self._known.find(text)
            if not entities or finding.entity in entities
        ]
