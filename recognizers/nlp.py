# ruff: noqa: E501 -- a pattern reads best on one line
"""A Presidio NLP engine over a blank spaCy pipeline: nothing is downloaded, nothing asks the network.

Tokenizer and sentence bounds, and the trained model as a component that sets `doc.ents`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from recognizers.presidio import NlpArtifacts, NlpEngine  # before spaCy, so without a socket

# isort: split
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import filter_spans

from recognizers.model import Model

COMPONENT = "clinical_model"


@Language.factory(COMPONENT)
def clinical_model(nlp: Language, name: str) -> ModelComponent:
    """The trained model as a spaCy component."""
    return ModelComponent(Model.load())


class ModelComponent:
    """Sets `doc.ents` to what the model finds, widened to whole tokens."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __call__(self, doc: Doc) -> Doc:
        (found,) = self.model.find_all([doc.text])
        spans = (doc.char_span(f.start, f.end, f.entity, alignment_mode="expand") for f in found)
        doc.ents = filter_spans([span for span in spans if span is not None])
        return doc


class ClinicalNlpEngine(NlpEngine):
    """What `AnalyzerEngine(nlp_engine=...)` needs, without a downloaded model."""

    engine_name = "clinical"

    def __init__(self, *, model: bool = True) -> None:
        self.model = model
        self.pipeline: Language | None = None

    def load(self) -> None:
        pipeline = spacy.blank("en")
        pipeline.max_length = 1_000_000_000
        pipeline.add_pipe("sentencizer")
        if self.model:
            pipeline.add_pipe(COMPONENT)
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
            entities=list(doc.ents),
            tokens=doc,
            tokens_indices=[token.idx for token in doc],
            lemmas=[token.lower_ for token in doc],
            nlp_engine=self,
            language=language,
            scores=[0.85] * len(doc.ents),
        )

    def is_stopword(self, word: str, language: str) -> bool:
        return bool(self.loaded().vocab[word].is_stop)

    def is_punct(self, word: str, language: str) -> bool:
        return bool(self.loaded().vocab[word].is_punct)

    def get_supported_entities(self) -> list[str]:
        return []

    def get_supported_languages(self) -> list[str]:
        return ["en"]
