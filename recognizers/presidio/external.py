# ruff: noqa: E501 -- a pattern reads best on one line
"""Findings of a hospital's own Presidio recognizers."""

from __future__ import annotations

from collections.abc import Sequence

from recognizers.entities import ENTITIES
from recognizers.errors import RecognizerError
from recognizers.finding import Finding
from recognizers.presidio.adapter import EntityRecognizer, LemmaContextAwareEnhancer, NlpArtifacts
from recognizers.presidio.nlp import ClinicalNlpEngine
from safe_harbor import Identifier

THRESHOLD = 0.35
# Presidio's other names for our entity types.
SYNONYMS = {
    "US_DRIVER_LICENSE": "LICENSE_NUMBER", "US_PASSPORT": "LICENSE_NUMBER", "MEDICAL_LICENSE": "LICENSE_NUMBER",
    "CREDIT_CARD": "ACCOUNT_NUMBER", "US_BANK_NUMBER": "ACCOUNT_NUMBER", "IBAN_CODE": "ACCOUNT_NUMBER",
    "US_ITIN": "US_SSN", "ORGANIZATION": "FACILITY", "GPE": "LOCATION", "US_MBI": "HEALTH_PLAN_NUMBER",
}  # fmt: skip


class ExternalRecognizers:
    """A hospital's Presidio recognizers; only for them, Presidio's context enhancer is used."""

    def __init__(self, recognizers: Sequence[EntityRecognizer]) -> None:
        self.recognizers = tuple(recognizers)
        self.engine = ClinicalNlpEngine()
        self.enhancer = LemmaContextAwareEnhancer()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the recognizers, as in errors and findings."""
        return tuple(str(getattr(each, "name", "extra")) for each in self.recognizers)

    def search(self, text: str) -> list[Finding]:
        """The recognizers' findings; an entity type unknown here gets the identifier `OTHERS`.

        Raises `RecognizerError` naming the recognizer that failed.
        """
        if not self.recognizers:
            return []
        artifacts = self.engine.process_text(text, "en")
        found = []
        for name, recognizer in zip(self.names, self.recognizers, strict=True):
            try:
                found += self.asked(recognizer, name, text, artifacts)
            except Exception:
                # `from None`: the original message may quote the text.
                raise RecognizerError(name) from None
        return found

    def asked(
        self, recognizer: EntityRecognizer, name: str, text: str, artifacts: NlpArtifacts
    ) -> list[Finding]:
        results = recognizer.analyze(text, recognizer.supported_entities, artifacts) or []
        results = self.enhancer.enhance_using_context(text, results, artifacts, [recognizer], None)
        found = []
        for result in results:
            if result.score < THRESHOLD or result.start >= result.end:
                continue
            entity = SYNONYMS.get(result.entity_type, result.entity_type)
            word = ENTITIES.get(entity, Identifier.OTHERS)
            score = min(float(result.score), 1.0)
            found.append(Finding(result.start, result.end, word, entity, score, name))
        return found
