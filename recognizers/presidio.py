# ruff: noqa: E402
"""The door to Presidio: its contracts, and an analyzer built of this folder's recognizers.

A hospital's own Presidio recognizers and registry YAML plug in here, and ours plug into a plain
`AnalyzerEngine`. None of Presidio's predefined recognizers is loaded: some ask the network. Nothing
else of this folder imports Presidio unasked (docs/decisions/0008-presidio-on-demand.md).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from types import SimpleNamespace

from recognizers.offline import import_urllib3

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

from recognizers.page import Page
from recognizers.register import rules
from recognizers.rules import SIEVE, Rules

__all__ = [
    "AnalyzerEngine",
    "EntityRecognizer",
    "LemmaContextAwareEnhancer",
    "NlpArtifacts",
    "NlpEngine",
    "RecognizerRegistry",
    "RecognizerResult",
    "RuleRecognizer",
    "analyzer",
    "read_registry",
    "recognizers",
    "registry",
]

# A registry file may name Presidio's e-mail recognizer, which downloads the list of domain suffixes
# and keeps it below HOME. It reads the copy inside the package instead.
sys.modules[EmailRecognizer.__module__].tldextract = SimpleNamespace(  # type: ignore[attr-defined]
    extract=tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
)


class RuleRecognizer(EntityRecognizer):
    """A file of rules as Presidio asks for it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        super().__init__(
            supported_entities=rules.supported(), name=rules.word, supported_language="en"
        )

    def load(self) -> None:
        """Compiles every pattern, so that a fault shows at start."""
        # Presidio calls this in its own constructor.
        self.rules.load()

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Presidio results for the entities asked for, all where none is."""
        return [
            RecognizerResult(f.entity, f.start, f.end, f.score)
            for f in self.rules.search(Page.of(text))
            if f.score and (not entities or f.entity in entities)
        ]


def recognizers(reference_date: date | None = None) -> tuple[RuleRecognizer, ...]:
    """One recognizer a file; `reference_date` says which birth years show an age over 89."""
    found = tuple(RuleRecognizer(each) for each in rules(reference_date))
    SIEVE.gather()
    return found


def registry(extra: Sequence[EntityRecognizer] = ()) -> RecognizerRegistry:
    """All recognizers of this folder, then the hospital's own."""
    return RecognizerRegistry(recognizers=[*recognizers(), *extra], supported_languages=["en"])


def read_registry(path: Path) -> list[EntityRecognizer]:
    """The recognizers a Presidio registry YAML names, for `Finder.load(extra_recognizers=...)`."""
    provider = RecognizerRegistryProvider(conf_file=path)
    return list(provider.create_recognizer_registry().recognizers)


def analyzer(extra: Sequence[EntityRecognizer] = (), *, model: bool = True) -> AnalyzerEngine:
    """A Presidio engine over our tokenizer and recognizers; it neither loads nor asks for more."""
    from recognizers.nlp import ClinicalNlpEngine

    return AnalyzerEngine(
        registry=registry(extra),
        nlp_engine=ClinicalNlpEngine(model=model),
        supported_languages=["en"],
    )
