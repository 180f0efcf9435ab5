"""Whether a cell may be released in a kept column; every cell is checked, not only a sample."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from recognizers.columns.cells.answers import MAKER_LISTS, is_answer, is_answer_list
from recognizers.columns.cells.composites import is_composite_element
from recognizers.columns.cells.kinds import is_care_unit, is_kind
from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.nemsis import NEMSIS_SHAPES, is_nemsis_cell
from recognizers.columns.cells.organizations import is_organization
from recognizers.columns.cells.phrases import is_published_phrase
from recognizers.columns.cells.pieces import LEAST_IN_PIECES, holds_pieces, is_measured_pair
from recognizers.columns.cells.results import is_duration
from recognizers.columns.cells.scores import (
    is_reading,
    is_score,
    is_short_form,
    is_wide_reading,
)
from recognizers.columns.cells.shapes import (
    CELL_WORD,
    is_code,
    is_filler_value,
    is_listed,
    is_lone_name,
    is_person,
    is_town,
    names_somebody,
)
from recognizers.text.measures import plain_unit
from recognizers.words.gazetteers import clinical_word, common_word
from safe_harbor import Identifier as I

# Shapes that no cell of a kept column may contain.
_YYYY, _DAY, _NUMBERED = r"(?:19|20)\d{2}", r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_MON = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_ROAD = (
    r"(?:St|Street|Av|Ave|Avenue|Rd|Road|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Terrace|Circle|Hwy|"
    r"Highway|Pkwy|Place|Trace|Trl|Trail|Cir|Sq|Square|Pike|Ter|Cv|Cove|Xing|Crossing|Loop|Plaza|"
    r"Plz|Parkway|Alley|Rte|LANE|LN|ROAD|RD|STREET|AVENUE|AVE|AV|BLVD|DRIVE|COURT|TRAIL|TERRACE|"
    r"HWY|HIGHWAY|PKWY|CIRCLE|TRACE|WAY|PLACE|PARKWAY)"
)
# A Medicare number (CMS, Understanding the MBI format) has no S, L, O, I, B, Z.
_MBI, _MBI_ANY = "[AC-HJKMNP-RT-Y]", "[AC-HJKMNP-RT-Y0-9]"
_IDENTIFIERS_WITHIN: tuple[tuple[I, str], ...] = (
    (I.EMAILS, r"(?<![^\s@])[^\s@]+@[^\s@]+\.[a-z]{2,}"),
    (I.URLS, r"\b(?:https?|ftp)://\S|\bwww\.\w"),
    (I.SSNS, r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])|(?<!\d)\d{3} \d{2} \d{4}(?!\d)"),
    (I.PHONES, r"(?<![\d.-])\(?[2-9]\d{2}\)?[-. /]{1,2}[2-9]\d{2}[-. ]\d{4}(?![\d-])"),
    (I.PHONES, r"(?<![\d.-])\+\d{1,3}[-. ]\(?\d{1,4}\)?[-. ]?\d{3,4}[-. ]?\d{3,4}\b"),
    (I.IPS, r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b"),
    (I.OTHERS, r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\(01\)\d{14}"),
    (I.DATES, rf"(?<![\d/.-]){_YYYY}[-/]{_NUMBERED}[-/]{_DAY}(?!\d)"),
    (I.DATES, rf"(?<![\d/.-]){_DAY}[-/]{_DAY}[-/]{_YYYY}(?!\d)"),
    (I.DATES, rf"\b\d{{1,2}}[- ]?{_MON}[-, ]*{_YYYY}\b"),
    (I.DATES, rf"\b{_MON}\.? \d{{1,2}}(?:st|nd|rd|th)?,? {_YYYY}\b"),
    (I.PLACES, rf"\b\d{{1,5}} (?:[A-Z][\w'.]+ ){{1,3}}{_ROAD}\b"),
    (I.PLACES, r"\bP\.? ?O\.? Box \d"),
    (
        I.PLACES,
        r"(?:^|\b)(?:[Aa]pt|[Aa]partment|[Ss]uite|[Ss]te|Unit|[Rr]oom|[Bb]ldg)\.? ?#?\d+[A-Z]?$",
    ),
    # i2b2 facts: `DEM|ZIP:05301`, `\\Zip codes\\Vermont\\Putney\\05301\\`, `DEM|AGE:93`.
    (I.PLACES, r"(?i:\bzip)(?i: ?codes?)?\b[:\\|][^\n]{0,80}?(?<!\d)\d{3,5}(?!\d)"),
    (I.DATES, r"\bage[:\\|](?:9\d|1[0-2]\d)(?!\d)"),
    (I.MRNS, r"\bMRN\W{0,3}\d"),
    (I.PLANS, rf"\b[1-9]{_MBI}{_MBI_ANY}\d-?{_MBI}{_MBI_ANY}\d-?{_MBI}{{2}}\d\d\b"),
)
_HELD_CASED = frozenset({I.PLACES, I.MRNS, I.PLANS})
_HELD_PATTERNS = tuple(
    (word, re.compile(p, 0 if word in _HELD_CASED else re.IGNORECASE))
    for word, p in _IDENTIFIERS_WITHIN
)
_LONG_DIGITS = re.compile(r"(?<![\d.])\d{7,}(?![\d.])|(?<!\d)\d(?:[- ]?\d){8,}(?!\d)")
_CODED_DIGITS = re.compile(
    r"(?<![\d.])\d{5,}(?:\.0+)?(?![\d.])(?!\s?(?:UNT|units?|IU|MG|mg|mcg|ML|mL|ACTUAT|%)\b)"
)


@remembered
def held_shape(value: str) -> I | None:
    """Return the identifier whose unmistakable shape is in the cell; None if there is none."""
    for word, pattern in _HELD_PATTERNS:
        if pattern.search(value):
            return word
    return None


_AMOUNT_CELL = re.compile(
    r"[<>=~≤≥]{0,2}\s*[-+]?\$?(?:(?:\d{1,3}(?:,\d{3})+|\d{0,7})(?:\.\d{1,20})?|\d{1,5},\d{1,4})"
    r"(?:e[-+]?\d{1,3})?\s*%?",
    re.IGNORECASE,
)
_LARGE = re.compile(r"[-+]?\$?\d{8,12}\.\d{1,2}")
_QUANTITY_PATTERN = r"[-+]?(?:\d{1,7}(?:[.,]\d{1,6})?|\.\d{1,6})"
_MEASURED_IN = r"(?:10[*^]\d{1,2}|[A-Za-z%°µ²³]{1,8}\d{0,2}|[/.*^()\[\] ])"
_MEASURE = re.compile(
    rf"[<>=~≤≥]{{0,2}}\s*{_QUANTITY_PATTERN}(?:\s*(?:-|–|to|/|:|x)\s*[<>]?{_QUANTITY_PATTERN})?"
    rf"(?:\s?{_MEASURED_IN}{{0,6}})?"
)
# Results, for columns that also hold other values.
_RESULT = re.compile(
    r"[<>=~≤≥]{0,2}\s*[-+]?\d{0,4}(?:[.,]\d{1,4})?(?:\s?%|\+)?|[1-4]\+|\d{1,3}\s?[/:]\s?\d{1,4}"
)
# `38 3/7`, `40w1d`, `26+4`: weeks and days of a pregnancy; `5'4"`: a height.
_PAIRED = re.compile(
    r"\d{1,2}\s?(?:w|wk|wks|weeks?)?\s?\+?\s?[0-6](?:/7)?\s?(?:d|days?)?|"
    r"\d'\s?\d{1,2}(?:\.\d)?(?:\"|'')?|\d\s?(?:ft|feet)\.?\s?\d{1,2}\s?(?:in|inches)?\.?"
)
_WITH_UNIT = re.compile(
    r"[<>]?\d{1,4}(?:[.,]\d{1,3})?\s?(?:kg|g|gm|mg|mcg|lbs?|oz|cm|mm|m|in|ft|%|°?[cf]|bpm|mm ?hg|"
    r"wks?|weeks?|days?|hrs?|hours?|min|ml|l|mos?|months?)\.?",
    re.IGNORECASE,
)
_UNIT_CELL = re.compile(
    r"[%°A-Za-z_/*^{}\[\]().#' -]{0,30}(?:\d{0,3}[%°A-Za-z_/*^{}\[\]().' -]{0,20}){0,4}"
)
_CODES_APART = re.compile(r" ?[,;] ?")
_SHORT_CODE = re.compile(r"[A-Za-z]{0,4}[-.:]?\d{0,6}(?:[-.]\d{1,4})?[A-Za-z]{0,2}")
# A member number beside a payer's name: `Humana X7K2210934`.
_MEMBER = re.compile(r"\b(?=(?:[A-Za-z-]*\d){4})(?=\d*[A-Za-z])[A-Za-z\d]{8,}\b")
_ICD10_PCS = re.compile(r"(?=(?:\d*[A-Z]){2})[0-9B-DF-HX][0-9A-HJ-NP-Z]{6}")
# `93F`, `102/M`: an age with a sex, in columns without temperatures.
_AGED = re.compile(r"(?:9\d|1[01]\d)/?[MFmf]")
# `93 y`, `93.5 yrs`, `93 yr 4 mo`, `age 93`: an age over 89, except in a column of durations.
_OLD = r"(?:9\d|1[0-3]\d)(?:\.\d+)?"
_AGED_YEARS = re.compile(
    rf"(?i)aged?:? ?{_OLD}|"
    rf"(?:aged?:? ?)?{_OLD} ?[-_]?(?:y|y/?o|y\.o\.|yrs?|ys|years?|años|anos)\.?(?:[ -]?old)?"
    r"(?:,? ?(?:and )?\d{1,2} ?m[a-z]{0,5}\.?)?"
)
_GENE = re.compile(r"[A-Z]{2,6}\d{1,2}[A-Z]{0,2}\d?(?:[-/:]{1,2}[A-Z]{2,6}\d{0,2}[A-Z]?)?")
_LISTED_SHAPES = (
    "sex",
    "race",
    "marital",
    "language",
    "country",
    "flag",
    "relation",
    "employment",
)
_WITH_FIGURES = ("number", "duration", "measure", "unit", "reading", "wide_reading")
_ORDINAL_CELL = re.compile(r"[1-4](?:st|nd|rd|th)|[1-4][a-c]?")
_FOUR_TOGETHER = re.compile(r"\d{4}")
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")
_GENERIC = re.compile(r"[A-Za-z]{0,3}\d{0,3}[A-Za-z]?")
_CONCEPT = re.compile(r"\d{1,8}|2[01]\d{8}")
_SEQUENCE = re.compile(r"\d{1,5}(?:\.\d{1,3})?")
# A day without a time, as databases write it.
_DAY_CELL = re.compile(
    rf"(?:{_YYYY}|2099)-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:[T ]00:00:00(?:\.0+)?)?"
)
_YES_NO_CELL = re.compile(r"[0-2](?:\.0)?|y|n|yes|no|true|false", re.IGNORECASE)
_DIGIT_CELL = re.compile(r"\d(?:\.0)?|0?\.\d{1,2}")
_PERCENT_CELL = re.compile(r"(?:100|\d{1,2})(?:\.0{1,2})?")
_SPAN_OF_STUDY = r"(?:sec|second|min|minute|hr|hour|day|wk|week|month|visit|cycle)s?"
# Times that count from the start of a study: `4 HR`, `Day 2`, `C1D1`, `end of treatment`.
_TIME_POINT = re.compile(
    rf"\d{{1,3}}(?:\.\d{{1,2}})? ?{_SPAN_OF_STUDY}|"
    rf"{_SPAN_OF_STUDY}[ _-]{{0,2}}\d{{1,3}}(?: ?d(?:ay)? ?\d{{1,2}}| dose)?|"
    r"(?:mo|v|c|d|w)[ -]?\d{1,3}(?: ?d(?:ay)? ?\d{1,2})?|"
    r"(?:(?:first|initial|interim|final|last|unscheduled|baseline) )?visit|screening|baseline|"
    r"randomi[sz]ation|unscheduled|early termination|eo[ts]|bl|pre-?dose|"
    r"end of (?:study|treatment)|follow[- ]?up(?: \d{1,2})?",
    re.IGNORECASE,
)
_VERSION = re.compile(r"[vVrR]?\d{1,4}(?:\.\d{1,5}){0,4}[\w.*-]{0,12}")


@remembered
def conforms(shape: str, value: str) -> bool:
    """Whether the cell may be released in a column that is kept with that shape.

    `named` is a column that a policy names: any cell fits unless it contains the unmistakable shape
    of an identifier other than a date. `coded` is a column that a published data model names: only
    unmistakable shapes and short cells with a person's name do not fit. Closed shapes are decided
    by lists and forms. A `term` is any cell without an identifier's shape, a long number or a
    person's name; a `brand` may also be a lone surname. `validity` is the day when a row of a
    vocabulary becomes valid or invalid, which is not a person's date. No cell fits `unlisted`: the
    caller knows that no list has the cell.
    """
    text = value.strip()
    if shape == "unlisted":
        return False
    if is_filler_value(text):
        return True
    if shape == "named":
        return held_shape(text) in (None, I.DATES)
    if shape == "validity":
        return bool(_DAY_CELL.fullmatch(text))
    if held_shape(text) is not None:
        return False
    if shape == "composite":
        return is_composite_element(text)
    if is_answer_list(shape):
        return is_answer(shape, text) or conforms("brand" if shape in MAKER_LISTS else "term", text)
    if shape == "counter":
        return len(text) <= 12 and not is_person(text)
    if names_somebody(text) and (shape != "coded" or len(text) <= 80):
        return False
    if _AGED.fullmatch(text) and shape not in _WITH_FIGURES:
        return False
    if _AGED_YEARS.fullmatch(text) and shape != "duration":
        return False
    fits = _FITS.get(shape)
    return fits is not None and fits(text)


def is_measured(text: str) -> bool:
    """Whether the text is a number, ratio or range with its unit, weeks and days, or feet and
    inches.
    """
    if _PAIRED.fullmatch(text):
        return True
    named = any(
        is_lone_name(word, strict=False) for word in CELL_WORD.findall(text) if len(word) > 3
    )
    return bool(_MEASURE.fullmatch(text)) and is_measured_pair(text) and not named


def _is_grade(word: str) -> bool:
    """Whether the word is English, clinical or a listed short form, and not two letters
    (initials).
    """
    bare = word.strip("(),;")
    if _ORDINAL_CELL.fullmatch(bare):
        return True
    plain = bare.replace("-", "").isalpha() and _is_plain(bare, "")
    return is_short_form(bare) or (plain and not _TWO_LETTERS.fullmatch(bare))


def _short_code_of_list(text: str) -> bool:
    return bool(re.fullmatch(r"\d{1,2}|\d{4}-\d|[A-Za-z]{1,2}", text))


def _is_plain(text: str, shape: str) -> bool:
    """Whether the text has only English and clinical words, and no name or long number.

    Always False for the shapes `sex`, `race`, `marital`, `language` and `country`.
    """
    if shape in ("sex", "race", "marital", "language", "country"):
        return False
    words = CELL_WORD.findall(text)
    known = all(common_word(w) >= 4 or clinical_word(w) or len(w) <= 2 for w in words)
    named = is_lone_name(text) or is_town(text) or is_organization(text)
    return bool(words) and known and not named and not _has_many_digits(text)


def _has_many_digits(text: str) -> bool:
    """Whether the text has four adjacent digits, or six digits in all."""
    return bool(_FOUR_TOGETHER.search(text)) or sum(map(str.isdigit, text)) >= LEAST_IN_PIECES


def _is_short_code(text: str) -> bool:
    if "," in text or ";" in text:
        return all(map(_is_short_code, _CODES_APART.split(text.strip(" ,;"))))
    if text.isascii() and text.isdigit():
        return len(text) <= 6 or len(text) == 11
    coded = _SHORT_CODE.fullmatch(text) or _ICD10_PCS.fullmatch(text)
    return (bool(coded) and not is_organization(text)) or (len(text) <= 12 and _is_plain(text, ""))


def _is_term(text: str) -> bool:
    if len(text) > 300 or _LONG_DIGITS.search(text) or _CODED_DIGITS.search(text):
        return False
    if holds_pieces(text):
        return False
    return is_kind(text) or not (is_lone_name(text) or is_town(text) or is_organization(text))


def _is_listed_or_plain(shape: str, text: str) -> bool:
    return is_listed(shape, text) or _short_code_of_list(text) or _is_plain(text, shape)


def _is_gene(text: str) -> bool:
    return is_listed("gene", text) or bool(_GENE.fullmatch(text))


def _is_graded(text: str) -> bool:
    return is_score(text) or all(map(_is_grade, text.split()))


def _is_answer_cell(text: str) -> bool:
    """Whether the text is a flag, one letter or a published phrase, and not a few capitals, which
    may be initials.
    """
    if is_listed("flag", text) or (len(text) == 1 and text.isalpha()):
        return True
    return not (len(text) < 4 and text.isupper()) and is_published_phrase(text)


def _is_result(text: str) -> bool:
    return bool(_RESULT.fullmatch(text)) or is_code(text) or _is_plain(text, "")


def _is_number(text: str) -> bool:
    return any(form.fullmatch(text) for form in (_AMOUNT_CELL, _LARGE, _PAIRED, _WITH_UNIT))


def _is_generic_code(text: str) -> bool:
    return is_code(text) or bool(_GENERIC.fullmatch(text)) or _is_plain(text, "")


def _is_unit_cell(text: str) -> bool:
    named = is_lone_name(text) or is_town(text) or is_organization(text)
    plain = not named and not _has_many_digits(text)
    return bool(_UNIT_CELL.fullmatch(plain_unit(text))) and plain


def _is_brand(text: str) -> bool:
    return not (_CODED_DIGITS.search(text) or _MEMBER.search(text) or holds_pieces(text))


#: For each column shape, the check of a cell that has no name and no identifier's shape.
_FITS: Mapping[str, Callable[[str], bool]] = {
    "score": lambda text: is_score(text) or is_short_form(text),
    "reading": lambda text: is_reading(text) or is_short_form(text),
    "wide_reading": lambda text: is_wide_reading(text) or is_short_form(text),
    "graded": _is_graded,
    "answer": _is_answer_cell,
    "care_unit": is_care_unit,
    "kind": is_kind,
    "region": partial(is_listed, "region"),
    "result": _is_result,
    "coded": lambda _: True,
    **{shape: partial(is_nemsis_cell, shape) for shape in NEMSIS_SHAPES},
    **{shape: partial(is_listed, shape) for shape in ("route", "blood_type", "color")},
    **{shape: partial(_is_listed_or_plain, shape) for shape in _LISTED_SHAPES},
    "yes_no": lambda text: bool(_YES_NO_CELL.fullmatch(text)),
    "digit": lambda text: bool(_DIGIT_CELL.fullmatch(text)),
    "percent": lambda text: bool(_PERCENT_CELL.fullmatch(text)),
    "time_point": lambda text: bool(_TIME_POINT.fullmatch(text)),
    "gene": _is_gene,
    "number": _is_number,
    "duration": lambda text: _is_number(text) or is_duration(text),
    "code": lambda text: is_code(text) or _is_short_code(text),
    "short_code": _is_generic_code,
    "concept": lambda text: bool(_CONCEPT.fullmatch(text)),
    "sequence": lambda text: bool(_SEQUENCE.fullmatch(text)),
    "version": lambda text: bool(_VERSION.fullmatch(text)) or _is_plain(text, ""),
    "unit": _is_unit_cell,
    "measure": lambda text: is_measured(text) or _is_term(text),
    "brand": _is_brand,
    "term": _is_term,
}
