"""Vocabularies by which codes, units and descriptions are approved for release.

They are closed lists, grammars and known words.
"""

from deid.vocabularies.cdisc.terms import has_cdisc_terms, is_cdisc_term
from deid.vocabularies.lists import has_list, in_any_list, in_list, is_language
from deid.vocabularies.numbers import has_long_number, looks_personal
from deid.vocabularies.systems import is_code_of, system_named
from deid.vocabularies.unit_names import is_unit_name
from deid.vocabularies.units import is_known_unit, is_measure_unit, is_measurement
from deid.vocabularies.wording.known_words import is_known_word
from deid.vocabularies.words import (
    is_laboratory_test,
    is_short_code,
)

__all__ = [
    "has_cdisc_terms",
    "has_list",
    "has_long_number",
    "in_any_list",
    "in_list",
    "is_cdisc_term",
    "is_code_of",
    "is_known_unit",
    "is_known_word",
    "is_laboratory_test",
    "is_language",
    "is_measure_unit",
    "is_measurement",
    "is_short_code",
    "is_unit_name",
    "looks_personal",
    "system_named",
]
