"""Find in a text the identifiers of the Safe Harbor rule, which `safe_harbor` names."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from recognizers.offline import disable_telemetry

if TYPE_CHECKING:
    from recognizers.columns.cells.answers import MAKER_LISTS, is_answer, is_answer_list
    from recognizers.columns.cells.composites import is_composite_element
    from recognizers.columns.cells.conformance import conforms, held_shape
    from recognizers.columns.cells.kinds import KIND_SHAPES, is_care_unit, is_kind
    from recognizers.columns.cells.lexicon import WordEvidence, is_town_name, word_evidence
    from recognizers.columns.cells.nemsis import NEMSIS_SHAPES, is_nemsis_cell
    from recognizers.columns.cells.organizations import is_organization
    from recognizers.columns.cells.phrases import (
        is_published_phrase,
        is_told_of_somebody,
        may_be_somebody,
        names_house,
    )
    from recognizers.columns.cells.results import is_duration, is_plain_result
    from recognizers.columns.cells.scores import is_score, is_short_form
    from recognizers.columns.cells.shapes import (
        VALUE_SEPARATORS,
        is_borne,
        is_filler_value,
        is_given_name,
        is_listed,
        is_lone_name,
        is_medical_code,
        is_null,
        is_snomed,
        names_somebody,
        nothing_words,
    )
    from recognizers.columns.deciding import profile
    from recognizers.columns.doubts import is_unknown_word
    from recognizers.columns.genomic import GENOMIC, are_genomic, is_genomic, is_genomic_header
    from recognizers.columns.headers import header_words, is_header_word, is_timed
    from recognizers.columns.judging import explains, holds_value
    from recognizers.columns.labels import is_answer_header, is_label_header, labelled_identifier
    from recognizers.columns.profiles import ColumnKind, ColumnProfile
    from recognizers.columns.telling import identifier_told_by
    from recognizers.decide.decision import Reason
    from recognizers.errors import FindingError, RecognizerError, RowError
    from recognizers.evidence.ages import years_of
    from recognizers.evidence.tables import is_row_table
    from recognizers.finding import ENTITIES, LABELS, Finding
    from recognizers.hashes import provenance
    from recognizers.known.features_of_values import feature_hash, value_features
    from recognizers.known.forms import KnownValueError
    from recognizers.known.prefilter import KnownValuePrefilter
    from recognizers.known.values import VALUE_PARTS, KnownValue, KnownValues
    from recognizers.model.network import Model, ModelError, arithmetic
    from recognizers.offline import import_urllib3
    from recognizers.presidio.ad_hoc import AdHocPattern
    from recognizers.presidio.adapter import (
        KnownValuesRecognizer,
        UnlistedWords,
        analyzer,
        read_registry,
        registry,
    )
    from recognizers.search import Finder, find
    from recognizers.text.measures import plain_unit
    from recognizers.words.gazetteers import is_listed_word
    from recognizers.words.life_events import life_event_named

__all__ = [
    "ENTITIES",
    "GENOMIC",
    "KIND_SHAPES",
    "LABELS",
    "MAKER_LISTS",
    "NEMSIS_SHAPES",
    "VALUE_PARTS",
    "VALUE_SEPARATORS",
    "AdHocPattern",
    "ColumnKind",
    "ColumnProfile",
    "Finder",
    "Finding",
    "FindingError",
    "KnownValue",
    "KnownValueError",
    "KnownValuePrefilter",
    "KnownValues",
    "KnownValuesRecognizer",
    "Model",
    "ModelError",
    "Reason",
    "RecognizerError",
    "RowError",
    "UnlistedWords",
    "WordEvidence",
    "analyzer",
    "are_genomic",
    "arithmetic",
    "conforms",
    "explains",
    "feature_hash",
    "find",
    "header_words",
    "held_shape",
    "holds_value",
    "identifier_told_by",
    "import_urllib3",
    "is_answer",
    "is_answer_header",
    "is_answer_list",
    "is_borne",
    "is_care_unit",
    "is_composite_element",
    "is_duration",
    "is_filler_value",
    "is_genomic",
    "is_genomic_header",
    "is_given_name",
    "is_header_word",
    "is_kind",
    "is_label_header",
    "is_listed",
    "is_listed_word",
    "is_lone_name",
    "is_medical_code",
    "is_nemsis_cell",
    "is_null",
    "is_organization",
    "is_plain_result",
    "is_published_phrase",
    "is_row_table",
    "is_score",
    "is_short_form",
    "is_snomed",
    "is_timed",
    "is_told_of_somebody",
    "is_town_name",
    "is_unknown_word",
    "labelled_identifier",
    "life_event_named",
    "may_be_somebody",
    "names_house",
    "names_somebody",
    "nothing_words",
    "plain_unit",
    "profile",
    "provenance",
    "read_registry",
    "registry",
    "value_features",
    "word_evidence",
    "years_of",
]

# Every entry point of this package and of `deid` runs this before it can import onnxruntime.
disable_telemetry()

# Names are resolved on first use: reading a policy must not load Presidio, spaCy or onnxruntime. An
# import reads no table, so an altered table makes a command fail with its error, not the import.
MODULES = {
    "columns.cells.answers": "MAKER_LISTS is_answer is_answer_list",
    "columns.cells.composites": "is_composite_element",
    "columns.cells.conformance": "conforms held_shape",
    "columns.cells.kinds": "KIND_SHAPES is_care_unit is_kind",
    "columns.cells.lexicon": "WordEvidence is_town_name word_evidence",
    "columns.cells.nemsis": "NEMSIS_SHAPES is_nemsis_cell",
    "columns.cells.organizations": "is_organization",
    "columns.cells.phrases": "is_published_phrase is_told_of_somebody may_be_somebody names_house",
    "columns.cells.results": "is_duration is_plain_result",
    "columns.cells.scores": "is_score is_short_form",
    "columns.cells.shapes": (
        "VALUE_SEPARATORS is_borne is_filler_value is_given_name is_listed is_lone_name "
        "is_medical_code is_null is_snomed names_somebody nothing_words"
    ),
    "columns.deciding": "profile",
    "columns.doubts": "is_unknown_word",
    "columns.genomic": "GENOMIC are_genomic is_genomic is_genomic_header",
    "columns.headers": "header_words is_header_word is_timed",
    "columns.judging": "explains holds_value",
    "columns.labels": "is_answer_header is_label_header labelled_identifier",
    "columns.profiles": "ColumnKind ColumnProfile",
    "columns.telling": "identifier_told_by",
    "decide.decision": "Reason",
    "errors": "FindingError RecognizerError RowError",
    "evidence.ages": "years_of",
    "evidence.tables": "is_row_table",
    "finding": "ENTITIES Finding LABELS",
    "hashes": "provenance",
    "known.features_of_values": "feature_hash value_features",
    "known.forms": "KnownValueError",
    "known.prefilter": "KnownValuePrefilter",
    "known.values": "KnownValue KnownValues VALUE_PARTS",
    "model.network": "Model ModelError arithmetic",
    "offline": "import_urllib3",
    "presidio.ad_hoc": "AdHocPattern",
    "presidio.adapter": "KnownValuesRecognizer UnlistedWords analyzer read_registry registry",
    "search": "Finder find",
    "text.measures": "plain_unit",
    "words.gazetteers": "is_listed_word",
    "words.life_events": "life_event_named",
}
LATER = {name: module for module, names in MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(name)
    return getattr(import_module(f"recognizers.{LATER[name]}"), name)
