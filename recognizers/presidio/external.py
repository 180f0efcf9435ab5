# ruff: noqa: E501 -- a pattern reads best on one line
"""Findings of a hospital's own Presidio recognizers, on a blank spaCy pipeline.

It downloads nothing and does not use the network. The trained model is not part of this pipeline
but of a recognizer (`recognizers.presidio.adapter.FinderRecognizer`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from recognizers.constants import constant
from recognizers.errors import RecognizerError
from recognizers.finding import ENTITIES, Finding
from recognizers.presidio.adapter import (  # before spaCy, so without a socket
    EntityRecognizer,
    LemmaContextAwareEnhancer,
    NlpArtifacts,
    NlpEngine,
)
from safe_harbor import Identifier

# isort: split
import spacy
from spacy.language import Language
from spacy.tokens import Doc


class ClinicalNlpEngine(NlpEngine):
    """An engine for `AnalyzerEngine(nlp_engine=...)` without a downloaded model."""

    engine_name = "clinical"

    def __init__(self) -> None:
        self.pipeline: Language | None = None

    def load(self) -> None:
        pipeline = spacy.blank("en")
        pipeline.max_length = 1_000_000_000
        pipeline.add_pipe("sentencizer")
        self.pipeline = pipeline

    def is_loaded(self) -> bool:
        return self.pipeline is not None

    def loaded(self) -> Language:
        if self.pipeline is None:
            self.load()
        assert self.pipeline is not None
        return self.pipeline

    def process_text(self, text: str, language: str) -> NlpArtifacts:
        return self.artifacts(self.loaded()(text), language)

    def process_batch(
        self,
        texts: Iterable[str],
        language: str,
        batch_size: int = 1,
        n_process: int = 1,
        **_: Any,
    ) -> Iterator[tuple[str, NlpArtifacts]]:
        for text in texts:
            yield text, self.process_text(text, language)

    def artifacts(self, doc: Doc, language: str) -> NlpArtifacts:
        return NlpArtifacts(
            entities=[],
            tokens=doc,
            tokens_indices=[token.idx for token in doc],
            lemmas=[token.lower_ for token in doc],
            nlp_engine=self,
            language=language,
            scores=[],
        )

    def is_stopword(self, word: str, language: str) -> bool:
        return bool(self.loaded().vocab[word].is_stop)

    def is_punct(self, word: str, language: str) -> bool:
        return bool(self.loaded().vocab[word].is_punct)

    def get_supported_entities(self) -> list[str]:
        return []

    def get_supported_languages(self) -> list[str]:
        return ["en"]


THRESHOLD = constant("presidio", "threshold")
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
