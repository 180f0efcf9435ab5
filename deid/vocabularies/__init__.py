"""What a cell that is called a code may say: closed lists, grammars, and words that lists know."""

from deid.vocabularies.lists import has_list, in_any_list, in_list, is_language, list_of_oid
from deid.vocabularies.numbers import is_long, numbers_somebody
from deid.vocabularies.systems import is_code_of, system_named
from deid.vocabularies.units import is_known_unit, is_reading, is_unit
from deid.vocabularies.words import is_coded, is_known_word, is_local_code, is_short_code, is_worded

__all__ = [
    "has_list",
    "in_any_list",
    "in_list",
    "is_code_of",
    "is_coded",
    "is_known_unit",
    "is_known_word",
    "is_language",
    "is_local_code",
    "is_long",
    "is_reading",
    "is_short_code",
    "is_unit",
    "is_worded",
    "list_of_oid",
    "numbers_somebody",
    "system_named",
]
