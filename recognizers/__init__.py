"""Find in a text the identifiers of the Safe Harbor rule, which `safe_harbor` names."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from recognizers.offline import disable_telemetry

# Every entry point of this package and of `deid` runs this before it can import onnxruntime.
disable_telemetry()

# Names are resolved on first use: reading a policy must not load Presidio, spaCy or onnxruntime. An
# import reads no table, so an altered table makes a command fail with its error, not the import.
# `__init__.pyi` has the types of the names.
MODULES = {
    "constants": "provenance",
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
    "evidence.register": "is_row_table",
    "finding": "ENTITIES Finding LABELS",
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
__all__ = list(LATER)


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(name)
    return getattr(import_module(f"recognizers.{LATER[name]}"), name)
