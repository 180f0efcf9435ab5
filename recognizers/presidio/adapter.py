# ruff: noqa: E402
"""The interface to Presidio: an analyzer, our recognizers, and a hospital's own recognizers.

A hospital's own Presidio recognizers and registry YAML plug in here, and ours plug into a plain
`AnalyzerEngine`. None of Presidio's predefined recognizers is loaded: some use the network. The
pipeline of spaCy is blank: it downloads nothing. Other modules here import Presidio only on demand
(docs/decisions/0008-presidio-on-demand.md).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from types import SimpleNamespace

from recognizers.constants import constant
from recognizers.errors import guarded
from recognizers.finding import ENTITIES, Finding
from recognizers.known.values import KnownValues
from recognizers.presidio import import_urllib3
from recognizers.words.gazetteers import is_listed_word
from safe_harbor import Identifier, csv_rows

import_urllib3()

import spacy
import tldextract
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, RecognizerResult
from presidio_analyzer import EntityRecognizer as EntityRecognizer
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts, SpacyNlpEngine
from presidio_analyzer.predefined_recognizers import EmailRecognizer
from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider
from spacy.language import Language
from spacy.tokens import Doc

from recognizers.search import Finder

# A registry file may name Presidio's e-mail recognizer, which would download the list of domain
# suffixes and keep it below HOME. Here it reads the copy inside the tldextract package instead.
sys.modules[EmailRecognizer.__module__].tldextract = SimpleNamespace(  # type: ignore[attr-defined]
    extract=tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
)

# Presidio drops results with a score of 0.
LEAST = constant("presidio", "least score")
SCORE = constant("presidio", "score of an unlisted word")
THRESHOLD = constant("presidio", "threshold")
_UNLISTED_WORD = re.compile(r"[^\W\d_]{3,}(?:['’][^\W\d_]+)?")
# Presidio's other names for our entity types.
SYNONYMS = {
    row["name"]: row["entity"] for row in csv_rows(Path(__file__).with_name("synonyms.csv"))
}


class FindingRecognizer(EntityRecognizer):
    """A search of this package as one Presidio recognizer, which needs no loading."""

    def __init__(
        self, name: str, search: Callable[[str], Iterable[Finding]], entities: Iterable[str]
    ) -> None:
        self._search = search
        super().__init__(supported_entities=list(entities), name=name, supported_language="en")

    def load(self) -> None:
        """Do nothing: everything is loaded before, or on first use."""

    def analyze(
        self, text: str, entities: Sequence[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Presidio results for the requested entities, or for all if none is requested.

        Raises `RecognizerError` if the text was not searched in full.
        """
        return [
            RecognizerResult(one.entity, one.start, one.end, max(one.score, LEAST))
            for one in self._search(text)
            if not entities or one.entity in entities
        ]


class KnownValuesRecognizer(FindingRecognizer):
    """One patient's known values, to be added to a registry or passed as an ad-hoc recognizer."""

    def __init__(self, known: KnownValues) -> None:
        super().__init__("KnownValuesRecognizer", known.find, ENTITIES)


class UnlistedWords(FindingRecognizer):
    """`--strict`: finds every word of three letters or more that is in no list.

    This costs retention: it also removes brand names, abbreviations and typing errors.
    """

    def __init__(self) -> None:
        super().__init__("unlisted", self.unlisted, ["OTHER_ID"])

    def unlisted(self, text: str) -> Iterator[Finding]:
        """A finding for every unlisted word."""
        for match in _UNLISTED_WORD.finditer(text):
            if not is_listed_word(match[0]):
                yield Finding(*match.span(), Identifier.OTHERS, "OTHER_ID", SCORE, "unlisted")


def registry(
    extra: Sequence[EntityRecognizer] = (),
    *,
    model: bool = True,
    fast: bool = False,
    reference_date: date | None = None,
) -> RecognizerRegistry:
    """A registry of the engine, then the hospital's recognizers; arguments as in `Finder.load`."""
    finder = Finder.load(model=model, fast=fast, reference_date=reference_date)
    return RecognizerRegistry(
        recognizers=[FindingRecognizer("Finder", finder.find, ENTITIES), *extra],
        supported_languages=["en"],
    )


def read_registry(path: Path) -> list[EntityRecognizer]:
    """The recognizers in a Presidio registry YAML, for `Finder.load(extra_recognizers=...)`."""
    provider = RecognizerRegistryProvider(conf_file=path)
    return list(provider.create_recognizer_registry().recognizers)


def analyzer(
    extra: Sequence[EntityRecognizer] = (),
    *,
    model: bool = True,
    fast: bool = False,
    reference_date: date | None = None,
) -> AnalyzerEngine:
    """A Presidio engine that covers what `Finder` covers, without other models or network access.

    `extra` are the hospital's own recognizers; the other arguments are those of `Finder.load`.
    """
    return AnalyzerEngine(
        registry=registry(extra, model=model, fast=fast, reference_date=reference_date),
        nlp_engine=ClinicalNlpEngine(),
        supported_languages=["en"],
    )


@Language.component("with_lemmas")
def with_lemmas(doc: Doc) -> Doc:
    """The tokens with their words in small letters as lemmas, which Presidio's enhancer reads."""
    for token in doc:
        token.lemma_ = token.lower_
    return doc


class ClinicalNlpEngine(SpacyNlpEngine):
    """An engine for `AnalyzerEngine(nlp_engine=...)` without a downloaded model."""

    engine_name = "clinical"

    def __init__(self) -> None:
        super().__init__()
        pipeline = spacy.blank("en")
        pipeline.max_length = 1_000_000_000
        pipeline.add_pipe("sentencizer")
        pipeline.add_pipe(with_lemmas.__name__)
        self.nlp = {"en": pipeline}  # type: ignore[assignment]


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
        artifacts = self.engine.process_text(text, "en")
        pairs = zip(self.names, self.recognizers, strict=True)
        return [
            found
            for name, each in pairs
            for found in guarded(name, self.asked, each, name, text, artifacts)
        ]

    def asked(
        self, recognizer: EntityRecognizer, name: str, text: str, artifacts: NlpArtifacts
    ) -> list[Finding]:
        told = recognizer.analyze(text, recognizer.supported_entities, artifacts) or []
        told = self.enhancer.enhance_using_context(text, told, artifacts, [recognizer], None)
        found = []
        for result in told:
            if result.score < THRESHOLD or result.start >= result.end:
                continue
            entity = SYNONYMS.get(result.entity_type, result.entity_type)
            word = ENTITIES.get(entity, Identifier.OTHERS)
            score = min(float(result.score), 1.0)
            found.append(Finding(result.start, result.end, word, entity, score, name))
        return found
