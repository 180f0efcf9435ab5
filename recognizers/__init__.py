"""Where is it? Finds in text what `safe_harbor` names."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from recognizers.offline import disable_telemetry

if TYPE_CHECKING:
    from recognizers.ad_hoc import AdHocPattern
    from recognizers.columns import explains, holds_value, profile
    from recognizers.columns_cells import fits, held_shape
    from recognizers.columns_doubts import is_unknown_word
    from recognizers.columns_genomic import GENOMIC, are_genomic, is_genomic, is_genomic_header
    from recognizers.columns_headers import header_words, is_header_word
    from recognizers.columns_labels import is_answer_header, is_label_header, labelled_identifier
    from recognizers.columns_profiles import ColumnKind, ColumnProfile
    from recognizers.columns_scores import is_score, is_short_form
    from recognizers.columns_shapes import (
        is_borne,
        is_given_name,
        is_lone_name,
        is_medical_code,
        is_null,
        is_placeholder,
        is_snomed,
        listed,
        names_somebody,
        nothing_words,
    )
    from recognizers.cover import Cover
    from recognizers.dates_ages import years_of
    from recognizers.entities import ENTITIES, LABELS
    from recognizers.errors import FindingError, RecognizerError
    from recognizers.finding import Finding
    from recognizers.gazetteers import is_listed_word
    from recognizers.hashes import provenance
    from recognizers.known_forms import KnownValueError
    from recognizers.known_recognizer import KnownValuesRecognizer
    from recognizers.known_sieve import Sieve
    from recognizers.known_values import PARTS, KnownValue, KnownValues
    from recognizers.lexicon import WordEvidence, is_town_name, word_evidence
    from recognizers.life_events import life_event_named
    from recognizers.model import Model, ModelError
    from recognizers.offline import import_urllib3
    from recognizers.phrases import is_published_phrase, may_be_somebody
    from recognizers.presidio import analyzer, read_registry, registry
    from recognizers.search import Finder, find
    from recognizers.unlisted import UnlistedWords

__all__ = [
    "ENTITIES",
    "GENOMIC",
    "LABELS",
    "PARTS",
    "AdHocPattern",
    "ColumnKind",
    "ColumnProfile",
    "Cover",
    "Finder",
    "Finding",
    "FindingError",
    "KnownValue",
    "KnownValueError",
    "KnownValues",
    "KnownValuesRecognizer",
    "Model",
    "ModelError",
    "RecognizerError",
    "Sieve",
    "UnlistedWords",
    "WordEvidence",
    "analyzer",
    "are_genomic",
    "explains",
    "find",
    "fits",
    "header_words",
    "held_shape",
    "holds_value",
    "import_urllib3",
    "is_answer_header",
    "is_borne",
    "is_genomic",
    "is_genomic_header",
    "is_given_name",
    "is_header_word",
    "is_label_header",
    "is_listed_word",
    "is_lone_name",
    "is_medical_code",
    "is_null",
    "is_placeholder",
    "is_published_phrase",
    "is_score",
    "is_short_form",
    "is_snomed",
    "is_town_name",
    "is_unknown_word",
    "labelled_identifier",
    "life_event_named",
    "listed",
    "may_be_somebody",
    "names_somebody",
    "nothing_words",
    "profile",
    "provenance",
    "read_registry",
    "registry",
    "word_evidence",
    "years_of",
]

# Every door of this package and of `deid` passes here before it can import onnxruntime.
disable_telemetry()

# Resolved on first use: reading a policy must not load Presidio, spaCy or the model's runtime, and
# importing a package reads no table, so that an altered one is refused by a command and not by it.
LATER = {
    "ENTITIES": "entities",
    "LABELS": "entities",
    "FindingError": "errors",
    "RecognizerError": "errors",
    "Finding": "finding",
    "provenance": "hashes",
    "AdHocPattern": "ad_hoc",
    "ColumnKind": "columns_profiles",
    "ColumnProfile": "columns_profiles",
    "Cover": "cover",
    "Finder": "search",
    "PARTS": "known_values",
    "KnownValue": "known_values",
    "KnownValueError": "known_forms",
    "KnownValues": "known_values",
    "KnownValuesRecognizer": "known_recognizer",
    "Sieve": "known_sieve",
    "UnlistedWords": "unlisted",
    "WordEvidence": "lexicon",
    "is_town_name": "lexicon",
    "word_evidence": "lexicon",
    "is_listed_word": "gazetteers",
    "life_event_named": "life_events",
    "Model": "model",
    "ModelError": "model",
    "analyzer": "presidio",
    "find": "search",
    "explains": "columns",
    "fits": "columns_cells",
    "header_words": "columns_headers",
    "held_shape": "columns_cells",
    "holds_value": "columns",
    "is_answer_header": "columns_labels",
    "is_header_word": "columns_headers",
    "is_label_header": "columns_labels",
    "labelled_identifier": "columns_labels",
    "import_urllib3": "offline",
    "is_borne": "columns_shapes",
    "is_given_name": "columns_shapes",
    "is_lone_name": "columns_shapes",
    "is_null": "columns_shapes",
    "is_placeholder": "columns_shapes",
    "is_snomed": "columns_shapes",
    "is_unknown_word": "columns_doubts",
    "nothing_words": "columns_shapes",
    "profile": "columns",
    "GENOMIC": "columns_genomic",
    "are_genomic": "columns_genomic",
    "is_genomic": "columns_genomic",
    "is_genomic_header": "columns_genomic",
    "is_score": "columns_scores",
    "is_short_form": "columns_scores",
    "is_medical_code": "columns_shapes",
    "listed": "columns_shapes",
    "names_somebody": "columns_shapes",
    "is_published_phrase": "phrases",
    "may_be_somebody": "phrases",
    "read_registry": "presidio",
    "registry": "presidio",
    "years_of": "dates_ages",
}


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(name)
    return getattr(import_module(f"recognizers.{LATER[name]}"), name)
