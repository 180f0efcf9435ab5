"""The known values of one patient as a Presidio recognizer."""

from __future__ import annotations

from collections.abc import Sequence

from recognizers.entities import ENTITIES
from recognizers.known.values import KnownValues
from recognizers.presidio.adapter import EntityRecognizer, NlpArtifacts, RecognizerResult


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
