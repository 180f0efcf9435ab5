"""A Presidio NLP engine on a blank spaCy pipeline: tokens and sentence bounds.

It downloads nothing and does not use the network. The trained model is not part of this engine but
of a recognizer (`recognizers.presidio.adapter.FinderRecognizer`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from recognizers.presidio.adapter import (  # before spaCy, so without a socket
    NlpArtifacts,
    NlpEngine,
)

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
