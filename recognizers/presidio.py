"""The door to Presidio: its contracts, and an analyzer built of this folder's recognizers.

A hospital's own Presidio recognizers and registry YAML plug in here, and ours plug into a plain
`AnalyzerEngine`. None of Presidio's predefined recognizers is loaded: some ask the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from presidio_analyzer import (
    AnalyzerEngine,
    EntityRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine
from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider

__all__ = [
    "AnalyzerEngine",
    "EntityRecognizer",
    "LemmaContextAwareEnhancer",
    "NlpArtifacts",
    "NlpEngine",
    "RecognizerRegistry",
    "RecognizerResult",
    "analyzer",
    "read_registry",
    "registry",
]


def registry(extra: Sequence[EntityRecognizer] = ()) -> RecognizerRegistry:
    """All recognizers of this folder, then the hospital's own."""
    from recognizers.register import recognizers

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
