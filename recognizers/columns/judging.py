"""The profile of a column, by the words in its header and the form of its values.

Both are evidence: a harmless header does not clear a column of telephone numbers. A column that
neither of them explains is `unsure`, so the caller should withhold it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from recognizers.columns.ages import may_be_logarithms_of_ages
from recognizers.columns.cells.answers import answer_list, is_answer_list
from recognizers.columns.cells.composites import is_qualified
from recognizers.columns.cells.conformance import conforms, held_shape
from recognizers.columns.cells.kinds import KIND_SHAPES
from recognizers.columns.cells.majority import majorities
from recognizers.columns.cells.scores import score_shape
from recognizers.columns.cells.shapes import (
    is_code,
    is_listed,
    is_lone_name,
    is_person,
    names_somebody,
    shape_of,
)
from recognizers.columns.contrary import are_bare_years, are_form_statuses, cannot_be
from recognizers.columns.coordinates import may_be_axis
from recognizers.columns.doubts import doubt_of_numbers
from recognizers.columns.genomic import GENOMIC, are_genomic
from recognizers.columns.headers import (
    Rule,
    header_words,
    is_header_word,
    other_meaning,
    rule_of,
)
from recognizers.columns.identifiers import judged_identifier
from recognizers.columns.kept import judged_keep
from recognizers.columns.profiles import (
    ANYTHING,
    BY_SHAPE,
    UNEXPLAINED,
    ColumnProfile,
    kept_profile,
    of_kind,
    of_rule,
    of_shape,
    unsure,
)
from recognizers.columns.values import (
    LEAST_SERIALS,
    MOST,
    are_bare_numbers,
    are_decades_apart,
    are_in_pieces,
    are_long_numbers,
    are_organizations,
    are_parts_of_dates,
    are_recurrent,
    are_serials,
    are_towns,
    most_of,
    mostly_prose,
    share_of_names,
)
from recognizers.columns.values_alone import by_values

_CODE_CELL = re.compile(r"[A-Za-z]{0,4}\d{0,4}(?:[./]\d{1,2})?[A-Za-z]{0,2}")

# A column in which nearly all values have one of these shapes is not free text.
_PLAIN_SHAPES = (
    "email",
    "url",
    "ssn",
    "phone",
    "ip",
    "mac",
    "uuid",
    "oid",
    "udi",
    "file",
    "date",
    "zip9",
)
# Under an identifier's header, this share of the cells must agree, and only on words or flags.
NEARLY_WHOLE = 0.94
_WORDED = ("term", *KIND_SHAPES, "region", "composite", "flag", "reading", "time_point")
_OF_FIRMS = ("brand", "system")
# Shapes of numbers that no list vouches for.
_OF_NUMBERS = ("number", "measure")
# The header `70570` is a ZIP code from a table without headers; `2019` is only a year.
_BARE_NUMBER = re.compile(r"[-+]?[.,]*\d[\d.,]+")
# How JSON and XML enclose values; `[mrn]` is how SQL Server writes a header.
_MARKED_UP = re.compile(r"[\"']\s*:|\{\s*[\"']|</?[A-Za-z][^<>]*>")
_LATE_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d")
_YEAR_HEADER = re.compile(r"(?i).*(?:[a-z](?:yr|year)s?|[^a-z]yyyy)")


def judged_by_rules(header: str, seen: Sequence[str]) -> ColumnProfile:
    """The rules' profile of a column, by its header and a sample of its non-null cells.

    Evidence of an identifier in the values overrules a header that would keep the column. If all
    but a few cells agree, the column may be kept, because each of its cells is checked later.
    """
    rule = rule_of(header)
    if rule is None or rule.kind == "keep":
        if are_genomic(header, seen):
            return unsure(GENOMIC)
        if may_be_axis(header, seen):
            return unsure("the values may be coordinates")
        if may_be_logarithms_of_ages(seen):
            return unsure("the values may be logarithms of ages over 89")
        for agreeing in majorities(seen):
            found = _judged(header, agreeing)
            if found.kind == "keep":
                return found
    elif rule.kind in ("identifier", "quasi"):
        for agreeing in majorities(seen):
            found = _judged(header, agreeing)
            worded = found.shape in _WORDED or is_answer_list(found.shape)
            if found.kind == "keep" and worded and len(agreeing) >= NEARLY_WHOLE * len(seen):
                return found
    return _judged(header, seen)


def _judged(header: str, seen: Sequence[str]) -> ColumnProfile:
    shapes = Counter(shape_of(value) for value in seen)
    if (shape := score_shape(header, seen, conforms)) is not None and not are_parts_of_dates(seen):
        return kept_profile(shape, 0.85, "the header names a score or reading that the values fit")
    rule = rule_of(header)
    named = rule is not None and rule.kind in ("identifier", "quasi")
    of_names = rule is not None and rule.kind == "identifier" and rule.shape == "name"
    if (answers := answer_list(header, seen, told_only=named, of_names=of_names)) is not None:
        return kept_profile(answers, 0.85, f"the values are answers on the list {answers}")
    if len(seen) >= LEAST_SERIALS and all(map(is_qualified, seen)):
        return kept_profile("composite", 0.9, "the values are X12 qualifiers with their codes")
    if (rule is None or rule.kind in ("keep", "text")) and _are_of_houses(rule, seen, shapes):
        return of_kind("identifier", "FACILITY", "facility", 0.8, "the values are organizations")
    if rule is None and most_of(shapes, 0.5) not in BY_SHAPE and are_in_pieces(seen):
        return unsure(UNEXPLAINED, "the values look like serial numbers")
    if rule is None:
        return _unexplained(header, seen, shapes)
    if rule.kind == "keep":
        if "year" in header_words(header) and are_bare_years(seen):
            return of_kind(
                "quasi", "DATE_TIME", "year", 0.9, "the header and the values indicate years"
            )
        if rule.shape == "unit" and "age" in header_words(header) and are_bare_numbers(seen):
            return of_kind("quasi", "AGE", "age", 0.9, "the values are ages in some unit")
        if rule.shape in ("number", "measure") and _is_key(header, seen):
            return by_values(seen, shapes, "the header names the key of a measurement")
        listed_id = rule.shape == "concept" and "concept" not in header_words(header)
        if (rule.shape in ("term", "brand", "flag") or listed_id) and _is_numbered(header, seen):
            return unsure("the header suggests a key, and nearly all numbers are different")
        if rule.shape == "term" and _is_described(header, seen):
            return of_kind("text", "", "text", 0.85, "the values are occupations in free text")
        return judged_keep(rule, header, seen, shapes)
    if rule.kind == "text":
        return _judged_text(rule, seen, shapes)
    if (other := other_meaning(header)) is not None and cannot_be(rule, header, seen):
        return _judged(other, seen)
    return judged_identifier(rule, header, seen, shapes)


def _are_of_houses(rule: Rule | None, seen: Sequence[str], shapes: Counter[str]) -> bool:
    """Whether the values name organizations, although the header names no maker or payer."""
    asked = rule is not None and rule.shape in _OF_FIRMS
    return not asked and not mostly_prose(shapes, 0.2) and are_organizations(seen)


def _unexplained(header: str, seen: Sequence[str], shapes: Counter[str]) -> ColumnProfile:
    """Judge by its values a column whose header no rule explains."""
    if _are_years_of_events(header, seen):
        return of_kind(
            "quasi",
            "DATE_TIME",
            "year",
            0.85,
            "the header names a year, and the values are recent years",
        )
    if are_form_statuses(header, seen):
        return kept_profile("number", 0.9, "the values say whether a form is complete")
    found = by_values(seen, shapes, UNEXPLAINED)
    if found.shape in _OF_NUMBERS and (why := doubt_of_numbers(seen)) is not None:
        return unsure(UNEXPLAINED, why, ANYTHING)
    return found


def _are_years_of_events(header: str, seen: Sequence[str]) -> bool:
    """Whether the values are recent years, too close together for birth years: `2019`, `2024` in
    `ADMYR`.
    """
    late = len(seen) >= LEAST_SERIALS and all(map(_LATE_YEAR.fullmatch, seen))
    return late and _YEAR_HEADER.fullmatch(header) is not None and not are_decades_apart(seen)


def _judged_text(rule: Rule, seen: Sequence[str], shapes: Counter[str]) -> ColumnProfile:
    """Return the profile of a column whose header names text; the values may show
    something else.
    """
    if shapes["prose"] == 0 and len(seen) >= LEAST_SERIALS and share_of_names(seen) >= 0.6:
        return of_kind("identifier", "PERSON", "name", 0.8, "the values look like names")
    if (most := most_of(shapes)) in _PLAIN_SHAPES:
        return of_shape(most, 0.9)
    if len(seen) >= LEAST_SERIALS and (are_serials(seen) or are_long_numbers(seen)):
        return unsure(
            "the header suggests text, but the values may be numbers that identify a person"
        )
    if len(set(seen)) >= LEAST_SERIALS and shapes["prose"] == 0 and are_towns(seen, 0.6):
        return of_kind("identifier", "CITY", "city", 0.8, "the values look like places")
    single = not any(" " in value or "\n" in value for value in seen)
    coded = all(_CODE_CELL.fullmatch(v) or is_listed("flag", v) or is_code(v) for v in seen)
    if single and coded and are_recurrent(seen):
        return kept_profile("term", 0.8, "the values are recurring codes")
    return of_rule(rule, "", 0.95, "the header suggests text")


def _is_key(header: str, seen: Sequence[str]) -> bool:
    """Whether values under a measurement's header are keys: `ALT_ID`, varied `RESULT_NUMBER`."""
    last = header_words(header)[-1:]
    if any("." in value.rstrip("0") for value in seen):
        return False
    if last == ("number",):
        return len(set(seen)) >= MOST * len(seen) and all(len(v) > 3 for v in seen)
    return last in (("id",), ("uid",), ("key",), ("barcode",))


def _is_numbered(header: str, seen: Sequence[str]) -> bool:
    """Whether the values are numbers that nearly all differ, under a header like
    `REFERRAL_SOURCE_ID`.
    """
    different = len(set(seen)) > 0.7 * len(seen)
    last = header_words(header)[-1:]
    return last in (("id",), ("uid",), ("key",)) and different and are_bare_numbers(seen)


def _is_described(header: str, seen: Sequence[str]) -> bool:
    """Whether the values are occupations in free text, which rarely repeat and may name an
    employer.
    """
    told = {"occupation", "profession"} & set(header_words(header))
    return bool(told) and not are_recurrent(seen)


def explains(header: str) -> bool:
    """Whether a rule of the header table explains a column with this header."""
    return rule_of(header) is not None


def holds_value(name: str) -> bool:
    """Whether a header, file name or sheet name itself contains a patient's value.

    The result is True for shapes of identifiers, dates, long numbers and persons' names, except
    words in the table of headers.
    """
    if _MARKED_UP.search(name):
        return True
    text = re.sub(r"[_\s]+", " ", name).strip()
    if not text or shape_of(text) in BY_SHAPE.keys() - {"state", "code"}:
        return bool(text)
    if _BARE_NUMBER.fullmatch(text) and not _LATE_YEAR.fullmatch(text):
        return True
    if held_shape(text) is not None or re.search(r"\d(?:[- ]?\d){5,}", text):
        return True
    if names_somebody(text) and not is_person(text):
        return True
    return rule_of(name) is None and (is_person(text) or _has_surname(name))


def _has_surname(name: str) -> bool:
    """Whether a word of the name is a surname and not a header word (`notes Kowalczyk`)."""
    words = re.findall(r"[^\W\d_]{4,}", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))
    return any(is_lone_name(word) and not is_header_word(word) for word in words)
