"""Published vocabulary and grammars that approve cells, by the type (`shape`) of the column."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from deid.vocabularies import (
    has_long_number,
    in_any_list,
    is_known_unit,
    is_known_word,
    is_unit_name,
    looks_personal,
)
from deid.vouching.term_grammars import is_term_by_grammar
from recognizers import (
    MAKER_LISTS,
    NEMSIS_SHAPES,
    is_answer,
    is_answer_list,
    is_care_unit,
    is_composite_element,
    is_duration,
    is_genomic,
    is_kind,
    is_listed,
    is_medical_code,
    is_nemsis_cell,
    is_published_phrase,
    is_score,
    is_short_form,
    may_be_somebody,
)

_SHORTEST_WORD = 3
_LIST_OF_KIND = {
    "sex": "sex",
    "race": "race",
    "marital": "marital",
    "language": "language",
    "country": "country",
    "relation": "relation",
    "employment": "employment",
    "route": "route",
    "blood_type": "blood_type",
    "gene": "gene",
    "color": "color",
    "flag": "flag",
    "region": "region",
}
# Types of columns in which only kinds of places are approved.
_KIND_TESTS = {"care_unit": is_care_unit, "kind": is_kind}
# Types with a closed list: for these, a grade or a code is no reason to approve a cell.
_CLOSED_KINDS = frozenset(
    ["sex", "race", "marital", "language", "country", "blood_type", "relation", "region"]
)
# Types whose cells are names of firms.
_FIRM_KINDS = MAKER_LISTS | {"brand"}
_SCORE_KINDS = frozenset(["score", "reading", "wide_reading", "graded"])
_MEASURED_NUMBER = re.compile(
    r"[<>=~≤≥±]{0,2}\s?[-+]?\$?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[-+]?\d{1,2})?\s?%?", re.I
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_PREFIXED = re.compile(r"(?P<system>[A-Za-z][A-Za-z0-9_-]{1,15})[:|](?P<code>.+)")
_UP_TO_SIX_DIGITS = re.compile(r"\d{1,6}")
_CODE_RANGE = re.compile(r" \([A-Z]?\d{2,3}(?:\.\d)?-[A-Z]?\d{2,3}(?:\.\d+)?\)$")
_CLASS_OF_NUMBERS = re.compile(
    r"(?:(?P<low>\d{1,2}(?:\.\d{1,2})?) ?(?:-|–|to) ?<?|[<>≤≥]=? ?)(?P<high>\d{1,2}(?:\.\d{1,2})?)"
    r"(?: ?(?:y|yrs?|years?|days?|weeks?|months?))?",
    re.I,
)
# `3-12` may be a day, and `4-85` may be a month. An age over 89 is stated only as 90 or more.
LAST_DAY, LAST_MONTH, OLDEST_CLASS = 31, 12, 90
_PATH = re.compile(r"[\\|/^]")
_GRADE = re.compile(
    r"(?:[1-5]\+|\+{1,4}|-{1,2}|[A-Z][+-]|[12]:\d{1,5}|[I]{1,3}V?[ABCabc]?|VI{0,3})"
)
# Ratios that do not look like a day of a year: a score out of its maximum, a titer, a strength.
_RATIO = re.compile(
    r"(\d{1,3}(?:\.\d)?)\s?(/|:| of | out of )\s?(\d{1,5}(?:\.\d)?)(?:\s?mm ?hg)?", re.I
)
_BEST = frozenset([5, 15, 20, 21, 24, 27, 28, 30, 40, 42, 48, 50, 56, 60, 63, 72, 80, 100])
_GESTATION = re.compile(
    r"\d{1,2}\s?(?:w|wk|wks|weeks?)?\s?\+?\s?[0-6](?:/7|\s?d(?:ays?)?)|\d'\s?\d{1,2}(?:\"|'')?|\d\s?(?:ft|feet)\.?\s?\d{1,2}\s?(?:in|inches)?\.?",
    re.I,
)
_MONTH_START = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_MONTH_AND_DAY = re.compile(
    rf"(?i)\b{_MONTH_START}\.?[ -]\d{{1,4}}\b|\b\d{{1,4}}[ -]{_MONTH_START}\b"
)
_LODGED = re.compile(
    r"(?i)\b(?:bed|room|rm|unit|apt|suite|bldg|building|floor|ward|pod|bay)\W{0,2}\d{1,4}[a-z]?\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|"
    r"\b(?:christmas|easter|thanksgiving|halloween|ramadan|hanukkah)\b"
)
_AGE_OVER_89 = re.compile(
    r"(?i)\b(?:9\d|1[0-2]\d)[ -]?(?:y\b|yo\b|y/o|yrs?\b|years?\b|[mf]\b)|"
    r"\b(?:aged?|turned|old)\W{1,3}(?:9\d|1[0-2]\d)\b|nonagenarian|centenarian|\b(?:born|dob)\b"
)
# Words that follow the proper name of a payer or a manufacturer.
_FIRM = re.compile(
    r"(?i)\w\W+(?:health ?(?:care|plans?|net)?|care|mutual|insurance|assurance|plans?|medical|"
    r"inc|corp|trust|cooperative|coop|corporation|llc|ltd|gmbh|pharma\w*|laborator\w+|labs|devices?|biotech|scientific|surgical|"
    r"diagnostics|systems|technologies|therapeutics|benefits?|hmo|ppo|medicare|medicaid|group)\W*$"
)
# The FDA application number (NDA, ANDA) that RxNorm writes before a drug name.
_APPLICATION = re.compile(r"^A?NDA\d{6} ")
_DRUG_UNITS = re.compile(r"(?i)\b\d{5,7} ?(?:UNT|units?|IU|mcg)\b")


def dates_somebody(text: str) -> bool:
    """Whether the cell shows a day, a weekday, an age over 89, a bed or a room."""
    return any(form.search(text) for form in (_MONTH_AND_DAY, _AGE_OVER_89, _LODGED))


@lru_cache(maxsize=1 << 16)
def is_published_cell(shape: str, text: str) -> bool:
    """Whether a list, a grammar or medical vocabulary approves the cell."""
    if shape in _LIST_OF_KIND and is_listed(_LIST_OF_KIND[shape], text):
        return True
    if is_answer_list(shape) and is_answer(shape, text):
        return True
    if shape in _KIND_TESTS:
        return _KIND_TESTS[shape](text)
    if shape == "composite":
        return is_composite_element(text)
    if shape == "duration" and is_duration(text):
        return True
    if shape in NEMSIS_SHAPES and is_nemsis_cell(shape, text):
        return True
    if shape == "language" or shape == "country":
        return in_any_list(text) and len(text) > _SHORTEST_WORD and not may_be_somebody(text)
    if not any(map(str.isalnum, text)):
        return True
    if is_genomic(text) or looks_personal(text) or dates_somebody(text):
        return False
    if shape in _SCORE_KINDS and (
        is_short_form(text) or (is_score(text) and not _FIGURE.search(text))
    ):
        return True
    if shape in ("unit", "coded") and _is_unit(text):
        return True
    if shape not in _CLOSED_KINDS and (
        _GRADE.fullmatch(text) or _is_class_of_numbers(text) or _is_coded(text)
    ):
        return True
    if shape in _FIRM_KINDS and _FIRM.search(text):
        return True
    return _is_phrase(text)


def _is_class_of_numbers(text: str) -> bool:
    """Whether the text is a class of numbers up to 90 (`18-64`, `>=65`), and not a day or month."""
    found = _CLASS_OF_NUMBERS.fullmatch(text)
    if found is None:
        return False
    low, high = float(found["low"] or 0), float(found["high"])
    plain = found["low"] is not None and "<" not in text
    is_day = 1 <= low <= LAST_DAY and 1 <= high <= LAST_DAY
    is_month = 1 <= low <= LAST_MONTH and text[-1].isdigit() and "to" not in text.casefold()
    return low <= high <= OLDEST_CLASS and not (plain and (is_day or is_month))


def _is_phrase(text: str) -> bool:
    bare = _DRUG_UNITS.sub("UNT", text).replace("_", " ")
    bare = _APPLICATION.sub("", bare)
    if has_long_number(bare):
        return False
    if is_term_by_grammar(bare):
        return True
    if is_kind(bare) or is_published_phrase(bare, is_known_word):
        return True
    return len(text) > _SHORTEST_WORD and not may_be_somebody(text) and in_any_list(text)


def _is_unit(text: str) -> bool:
    """Whether the text is a unit of UCUM or of clinical use, and not a word that may be a name."""
    text = text.replace("^", "")  # `kg/m^2`
    word = text.isalpha() and len(text) > _SHORTEST_WORD
    return (is_known_unit(text) and not (word and may_be_somebody(text))) or is_unit_name(text)


def _is_coded(text: str) -> bool:
    """Whether the text is a code, with or without its system's name, or a path of phrases."""
    if is_medical_code(text):
        return True
    match = _PREFIXED.fullmatch(text)
    if match is not None and is_system(match["system"]):
        return is_medical_code(match["code"]) or (
            match["code"].isalnum() and not has_long_number(text)
        )
    if match is not None and match["system"].isupper() and not may_be_somebody(match["system"]):
        return bool(_UP_TO_SIX_DIGITS.fullmatch(match["code"]))
    if not _PATH.search(text) or len(text) <= 2:
        return False
    return all(_is_path_part(part.strip()) for part in _PATH.split(text) if part.strip())


def _is_path_part(part: str) -> bool:
    """Whether the part is a phrase (with a range of codes or without), a code or a system."""
    phrase = _CODE_RANGE.sub("", part)
    if not any(map(str.isdigit, phrase)):
        return is_system(part) or _is_phrase(phrase)
    return is_system(part) or is_medical_code(part)


_CODE_SYSTEM_NAME = re.compile(
    r"(?i)icd-?(?:9|10)(?:-?(?:cm|pcs))?|loinc|snomed(?:-?ct)?|sct|rxnorm|ndc|cpt4?|hcpcs|cvx|drg|"
    r"ms-?drg|atc|umls|mesh|hgnc|ucum|omop|lnc|rxnrm|i9|i10|meddra|nucc|unii|dem|ccs|phecode|cdt|i2b2|act|shrine|pcornet"
)


def is_system(name: str) -> bool:
    """Whether the name is that of a terminology."""
    return _CODE_SYSTEM_NAME.fullmatch(name) is not None


def is_measurement_within(text: str, low: float, high: float) -> bool:
    """Whether the text is a number, ratio or range with its unit, from `low` to `high`."""
    if _GESTATION.fullmatch(text):
        return True
    figures = _FIGURE.findall(text)
    if not figures or len(figures) > 4 or looks_personal(text) or dates_somebody(text):
        return False
    if any(not low <= number_of(figure) <= high or leads_with_zero(figure) for figure in figures):
        return False
    if ratio := _RATIO.fullmatch(text):
        return _is_ratio(ratio)
    rest = _FIGURE.sub(" ", text).translate(str.maketrans("<>=~≤≥±+-–$", " " * 11)).strip()
    if len(figures) > 1 and not ("." in text or "–" in text or " to " in text):
        return False
    return not rest or rest == "%" or all(_is_unit(w) for w in re.split(r"\s+to\s+|\s+", rest))


def _is_ratio(ratio: re.Match[str]) -> bool:
    first, mark, second = float(ratio[1]), ratio[2], float(ratio[3])
    if 60 <= first <= 260 and 30 <= second <= 160 and second < first:
        return True
    if mark == ":" and first in (1, 2):
        return True
    return (
        second in _BEST
        and first <= second
        and not (second in (15, 20, 21, 24, 27, 28, 30) and first <= 12 and mark == "/")
    )


def number_of(text: str) -> float:
    """The number of a figure such as `1,234.5` or `7,2`."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
        text = text.replace(",", "")
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return float("inf")


def leads_with_zero(figure: str) -> bool:
    """Whether a number has over two digits and a leading zero. No measurement does: `02139`."""
    return len(figure) > 2 and figure[0] == "0" and figure.isdigit()


def number_with_unit(text: str) -> float | None:
    """The number in a cell that holds a number with a unit (`5 mg`), or None for another cell."""
    figures = _FIGURE.findall(text)
    if len(figures) != 1 or not is_measurement_within(text, 0, math.inf):
        return None
    return number_of(figures[0])


def plain_number(text: str) -> float | None:
    """The number in a cell, without a comparator, currency or percent sign, or None."""
    if not _MEASURED_NUMBER.fullmatch(text) or not any(map(str.isdigit, text)):
        return None
    bare = text.strip("<>=~≤≥±$% ").replace("$", "").replace(",", "")
    try:
        return float(bare)
    except ValueError:
        return None
