# ruff: noqa: E402
"""The interface to Presidio: its classes, an analyzer, and the recognizers of this package.

A hospital's own Presidio recognizers and registry YAML plug in here, and ours plug into a plain
`AnalyzerEngine`. None of Presidio's predefined recognizers is loaded: some use the network. Other
modules here import Presidio only on demand (docs/decisions/0008-presidio-on-demand.md).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from recognizers.constants import constant
from recognizers.finding import ENTITIES, Finding
from recognizers.known.values import KnownValues
from recognizers.offline import import_urllib3
from recognizers.words.gazetteers import is_listed_word

import_urllib3()

import tldextract
from presidio_analyzer import (
    AnalyzerEngine,
    EntityRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine
from presidio_analyzer.predefined_recognizers import EmailRecognizer
from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider

from recognizers.search import Finder

__all__ = [
    "AnalyzerEngine",
    "EntityRecognizer",
    "FinderRecognizer",
    "LemmaContextAwareEnhancer",
    "NlpArtifacts",
    "NlpEngine",
    "RecognizerRegistry",
    "RecognizerResult",
    "analyzer",
    "read_registry",
    "registry",
]

# A registry file may name Presidio's e-mail recognizer, which would download the list of domain
# suffixes and keep it below HOME. Here it reads the copy inside the tldextract package instead.
sys.modules[EmailRecognizer.__module__].tldextract = SimpleNamespace(  # type: ignore[attr-defined]
    extract=tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
)

# Presidio drops results with a score of 0.
LEAST = constant("presidio", "least score")


class FinderRecognizer(EntityRecognizer):
    """The whole engine (rules, model, propagation) as one Presidio recognizer."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        super().__init__(supported_entities=list(ENTITIES), name="Finder", supported_language="en")

    def load(self) -> None:
        """Do nothing: the finder is already loaded."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Presidio results for the requested entities, or for all if none is requested.

        Raises `RecognizerError` if the text was not searched in full.
        """
        return results(self.finder.find(text), entities)


def results(found: Iterable[Finding], entities: Sequence[str]) -> list[RecognizerResult]:
    """Presidio results for the requested entities, or for all if none is requested."""
    return [
        RecognizerResult(one.entity, one.start, one.end, max(one.score, LEAST))
        for one in found
        if not entities or one.entity in entities
    ]


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
        recognizers=[FinderRecognizer(finder), *extra], supported_languages=["en"]
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
    from recognizers.presidio.external import ClinicalNlpEngine

    return AnalyzerEngine(
        registry=registry(extra, model=model, fast=fast, reference_date=reference_date),
        nlp_engine=ClinicalNlpEngine(),
        supported_languages=["en"],
    )


_UNLISTED_WORD = re.compile(r"[^\W\d_]{3,}(?:['’][^\W\d_]+)?")
SCORE = constant("presidio", "score of an unlisted word")


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
        return results(self._known.find(text), entities)
