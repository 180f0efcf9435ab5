"""Columns whose header names an identifier; the values may be another identifier or only flags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from recognizers.columns.categories import are_categories, are_mostly_sites, are_sites
from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.kinds import ONLY_KINDS, kind_shape
from recognizers.columns.cells.shapes import is_listed
from recognizers.columns.contrary import (
    DOUBTED,
    ELAPSED,
    YEARS,
    are_answers,
    harmless_kind,
    time_figures,
)
from recognizers.columns.coordinates import may_be_coordinates
from recognizers.columns.doubts import has_padded_number
from recognizers.columns.headers import (
    Rule,
    counts_events,
    counts_known_events,
    header_words,
    may_say_birth,
    role_of,
)
from recognizers.columns.profiles import (
    BY_SHAPE,
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
    are_called,
    are_clinical,
    are_decades_apart,
    are_published,
    are_readings,
    are_recurrent,
    are_small_amounts,
    are_terms,
    are_worded,
    are_zeros_and_ones,
    has_digit,
    is_undated,
    most_of,
    mostly_prose,
    of_list,
    share_measured,
    share_of_names,
)
from recognizers.columns.values_alone import by_values
from recognizers.words.gazetteers import common_word
from safe_harbor import is_state

# Binary logarithm of the least count in text of an everyday word.
EVERYDAY_WORD = 15
# Counties bear the names of states; of fewer different values, all may be counties.
SEVERAL_STATES = 4
_BELOW_STATES = frozenset(["county", "city", "town", "parish", "village", "borough", "district"])
_YES_NO = frozenset(["y", "n", "yes", "no", "true", "false"])
_YES = frozenset(["y", "yes", "true"])
# Answers besides yes and no: unknown, not done, not asked.
_NEITHER = frozenset(["u", "unk", "unknown", "nd", "na", "ni", "nk", "not done", "not asked"])
# Under a header of these shapes, the values decide: if all values have the shape of another
# identifier, the column is that identifier.
_TAKEN_FOR = ("key", "patient_key", "account", "date", "facility")
_NEVER_TAKEN = ("uuid", "oid", "file", "state")
_OF_DIGITS = ("phone", "ssn", "coordinates", "license", "vehicle")
_NEVER_AMOUNTS = (
    *("name", "organization", "city", "phone", "email", "license", "account", "ip", "url"),
)
# Identifiers that are never a number with a decimal point.
_NEVER_DECIMALS = (
    *("name", "organization", "photo", "file", "biometric", "device", "email", "license"),
)
# Identifiers that are whole numbers, or numbers in pieces (`555.1234`).
_NUMBERED_FOR = ("phone", "ip", "plan", "patient_key", "key", "account", "vehicle")
_SHAPES_OF_KEYS = ("key", "patient_key", "account", "plan")
_COUNTED_SHAPES = (*_SHAPES_OF_KEYS, "facility", "vehicle")
_NAMED_FOR = ("name", "organization", "city", "county", "street")
# Shapes of headers whose cells may be kinds instead: `Cardiology` in `department`.
_OR_KINDS = (*_NAMED_FOR, "facility", "account", "plan")
_DAYS = {
    "date": ("BIRTH_DATE", "birth_date"),
    "date_part": ("BIRTH_DATE", "birth_date"),
    "year": ("BIRTH_YEAR", "birth_year"),
}
_COUNTED_EVENTS = frozenset(
    {"visit", "series", "instance", "image", "session", "line", "run", "load"}
)
# FIPS and Social Security codes for states have one or two digits.
_STATE_NUMBER = re.compile(r"\d{1,2}")
_ZIP = re.compile(r"\d{5}(?:-?\d{4})?")
# `555.1234` may be a telephone number.
_EVENT_COUNT = re.compile(r"\d{1,3}(?:\.\d{1,2})?|\d{1,2}\.\d{3,4}")
_SMALL_COUNT = re.compile(r"\d{1,2}(?:\.0{1,2})?")
_CYCLE_DAY = re.compile(r"(?i)c\d{1,2} ?d-?\d{1,2}|cycle \d{1,2},? day \d{1,2}")
_STAGE = re.compile(r"(?<=[a-z] \()[A-Z]\d[a-z]?(?=\)$)")
_TWO_DIGITS = re.compile(r"\d\D?\d")
_KEY_WORDS = frozenset({"id", "key", "uid", "mrn", "identifier"})
_KEYS_OF_SITES = (("id",), ("key",), ("number",))
# One run of letters, digits and signs with a digit: no name of a laboratory or clinic.
_SITE_CODE = re.compile(r"(?=\D*\d)[\w./:-]+")
_MEMBERS = frozenset({"member", "subscriber", "insured", "beneficiary", "enrollee"})
_CLEAR = ("email", "url", "ssn", "phone", "ip", "mac", "zip9", "date")


def judged_identifier(
    rule: Rule, header: str, seen: Sequence[str], shapes: Counter[str]
) -> ColumnProfile:
    """The profile of a column whose header names an identifier.

    The column's values may show a more specific identifier, another identifier, or only flags.
    """
    if rule.shape in _DAYS and may_say_birth(header) and are_decades_apart(seen):
        entity, shape = _DAYS[rule.shape]
        return of_kind(
            "quasi",
            entity,
            shape,
            0.9,
            "the header may refer to birth, and the values span decades",
        )
    most = most_of(shapes)
    other = _flags(rule, header, seen) or _figures(rule, header, seen)
    other = other or _closer(rule, header, seen, most) or _record_key(rule, header, seen)
    if other is not None:
        return other
    if (kind := harmless_kind(rule, header, seen)) is not None:
        return kept_profile(kind, 0.85, "the values are no pieces of what the header names")
    undated = sum(is_undated(value) or is_listed("flag", value) for value in seen)
    if rule.shape == "date" and seen and undated >= MOST * len(seen):
        return by_values(seen, shapes, "the header suggests a date, but the values do not")
    if (
        rule.shape in _OF_DIGITS
        and len(seen) >= LEAST_SERIALS
        and not any(map(_has_digit_of_number, seen))
    ):
        return by_values(seen, shapes, "the header names a number, but the values are words")
    called = rule.shape in ("name", "organization") and len(seen) >= LEAST_SERIALS
    if called and not any(map(_has_letter, seen)):
        return by_values(seen, shapes, "the header suggests names, but no value has a letter")
    decimals = rule.shape in _NEVER_DECIMALS and share_measured(seen) >= MOST
    if decimals or (rule.shape in _NUMBERED_FOR and are_readings(seen)):
        return by_values(seen, shapes, "the values are measurements, not what the header names")
    if rule.shape in ("photo", "file") and are_categories(seen):
        return kept_profile("term", 0.8, "the values are a few clinical words")
    if rule.shape == "biometric" and are_answers(seen):
        return kept_profile("term", 0.8, "the values are findings, not biometric data")
    if rule.shape == "file" and are_recurrent(seen) and all(map(_SMALL_COUNT.fullmatch, seen)):
        return kept_profile("number", 0.85, "the values are counts of files")
    if rule.shape in ("date", "date_part") and all(map(_CYCLE_DAY.fullmatch, seen)) and seen:
        return kept_profile("term", 0.85, "the values are days of therapy cycles")
    if rule.shape == "date" and are_recurrent(seen) and not any(map(_may_be_dated, set(seen))):
        return by_values(seen, shapes, "the header suggests a date, but no value is one")
    if rule.shape == "date_part" and most == "date":
        birth = "birth" in header_words(header)
        entity, shape = ("BIRTH_DATE", "birth_date") if birth else ("DATE_TIME", "date")
        return of_kind("quasi", entity, shape, 0.9, "the values are whole dates")
    if (other := _no_key(rule, header, seen, shapes)) is not None:
        return other
    if rule.shape == "state" and are_recurrent(seen) and all(map(_STATE_NUMBER.fullmatch, seen)):
        return kept_profile("short_code", 0.85, "the values are numeric codes of states")
    if rule.shape == "age":
        rule = replace(rule, shape=_age_shape(header))
    return of_rule(
        rule, role_of(header, rule), 0.97 if seen else 0.9, "the header names this identifier"
    )


def _flags(rule: Rule, header: str, seen: Sequence[str]) -> ColumnProfile | None:
    """The profile of a flag if all cells are yes or no (`DECEASED: Y`); None otherwise."""
    said = {value.casefold() for value in seen}
    # Under a header for a person's name, two letters may be initials.
    neither = {word for word in _NEITHER if rule.shape != "name" or len(word) != 2}
    both = bool(said & _YES) and bool(said & _YES_NO - _YES)
    told = said <= _YES_NO or (both and said <= _YES_NO | neither)
    if len(seen) >= LEAST_SERIALS and told:
        return kept_profile(
            "flag", 0.9, "the values are only yes and no, although the header suggests more"
        )
    # A year alone may be released, so `0` and `1` under `five_year_risk` disclose none.
    if (rule.kind == "identifier" or rule.shape == "year") and are_zeros_and_ones(seen):
        return kept_profile(
            "flag", 0.9, "the values are only 0 and 1, although the header suggests more"
        )
    if (
        rule.shape != "date"
        or not seen
        or {"date", "time", "timestamp"} & set(header_words(header))
    ):
        return None
    if all(is_listed("flag", value) for value in seen):
        return kept_profile(
            "flag", 0.9, "the values are only flags, although the header suggests a date"
        )
    return None


def _figures(rule: Rule, header: str, seen: Sequence[str]) -> ColumnProfile | None:
    """The profile of plain numbers under a header of dates (`OPTIME: 95`); None if unclear."""
    if rule.shape not in ("date", "date_part", "year"):
        return None
    found = time_figures(rule, header, seen)
    if found == YEARS:
        return of_kind("quasi", "DATE_TIME", "year", 0.9, "the values are years")
    if found == DOUBTED:
        return unsure("the values look like years, but may be times of day or counts")
    if found == ELAPSED:
        shape = "number" if all(conforms("number", value) for value in seen) else "measure"
        return kept_profile(
            shape, 0.85, "the values are plain numbers, although the header suggests a date"
        )
    return None


def _record_key(rule: Rule, header: str, seen: Sequence[str]) -> ColumnProfile | None:
    """Return the profile of a key if all values are codes, not names: `LAB-0412` in `lab_id`."""
    named = header_words(header)[-1:] in _KEYS_OF_SITES
    if rule.shape == "facility" and named and seen and all(map(_SITE_CODE.fullmatch, seen)):
        why = "the header names a key, and the values are codes"
        found = of_kind("identifier", "OTHER_ID", "key", 0.9, why)
        return replace(found, role=role_of(header, rule))
    return None


def _closer(rule: Rule, header: str, seen: Sequence[str], most: str) -> ColumnProfile | None:
    """Return the profile that the values clearly show in place of the header's; None if unclear."""
    if rule.shape in _NAMED_FOR:
        if most in _CLEAR:
            return of_shape(most, 0.95)
        if (found := of_list(seen)) is not None:
            return kept_profile(found, 0.85, f"the values are on the list {found}")
    if rule.shape == "name" and are_clinical(seen):
        return kept_profile("term", 0.8, "the values are clinical terms")
    if rule.shape == "device" and len(seen) >= LEAST_SERIALS and not any(map(has_digit, seen)):
        return of_kind(
            "identifier",
            "PERSON",
            "name",
            0.8,
            "serial numbers have digits, but the values have none",
        )
    if rule.shape == "facility" and (are_sites(seen) or are_mostly_sites(seen)):
        return kept_profile("term", 0.85, "the values are body parts")
    if (
        rule.shape == "state"
        and not any(map(is_state, seen))
        and are_terms(seen)
        and are_categories(seen)
    ):
        return kept_profile("term", 0.8, "the values are clinical words, not states")
    if "state" in header_words(header)[-2:] and rule.kind == "identifier" and _are_states(seen):
        return of_shape("state", 0.85, "the header names this identifier")
    if rule.shape in _OR_KINDS and (kinds := kind_shape(rule.shape, seen)) is not None:
        return kept_profile(kinds, 0.85, ONLY_KINDS)
    words = header_words(header)
    smaller = not _BELOW_STATES.isdisjoint(words)
    if words[-1:] == ("region",) and not smaller and (region := _region(seen)) is not None:
        return region
    if rule.shape == "street" and "zip" in header_words(header) and all(map(_ZIP.fullmatch, seen)):
        return of_kind("quasi", "US_ZIP_CODE", "zip", 0.9, "the values are ZIP codes")
    if rule.shape == "ssn" and most == "date":
        return of_shape(most, 0.95)
    known = most in BY_SHAPE and BY_SHAPE[most][0] != "keep" and most not in _NEVER_TAKEN
    return of_shape(most, 0.95) if rule.shape in _TAKEN_FOR and known else None


def _are_states(seen: Sequence[str]) -> bool:
    return len(seen) >= LEAST_SERIALS and all(map(is_state, seen))


def _region(seen: Sequence[str]) -> ColumnProfile | None:
    """The profile of regions above the states, of several states or of the body; else None."""
    if len(set(seen)) >= SEVERAL_STATES and _are_states(seen):
        return of_shape("state", 0.85, "the header names a region")
    if all(is_listed("region", value) for value in seen) and seen:
        return kept_profile("region", 0.9, "the values are regions above the states")
    if seen and (are_sites(seen) or are_clinical(seen)):
        return kept_profile("term", 0.8, "the values are body parts or clinical terms")
    return None


def _has_digit_of_number(value: str) -> bool:
    """Whether the value has a digit that is not part of a code behind words: `Minimal (T3)`."""
    return has_digit(_STAGE.sub("", value))


def _may_be_dated(value: str) -> bool:
    """Whether the value has two adjacent digits, or words that may name a day or month."""
    return _TWO_DIGITS.search(value) is not None or (
        not any(map(str.isdigit, value)) and not is_undated(value)
    )


def _has_letter(value: str) -> bool:
    return any(map(str.isalpha, value))


def _is_sentence_like(value: str) -> bool:
    """Whether an everyday word in lower case follows a capitalized word: `Refill request`.

    In names, later words have capitals too, or all words are in lower case.
    """
    first, *more = value.split()
    small = (word for word in more if word.islower() and len(word) > 2)
    return first[:1].isupper() and any(common_word(word) >= EVERYDAY_WORD for word in small)


def _no_key(
    rule: Rule, header: str, seen: Sequence[str], shapes: Counter[str]
) -> ColumnProfile | None:
    """Return the profile of values that are no keys (codes, names, amounts, prose), else None."""
    if rule.shape in ("key", "facility", "account") and are_published(seen):
        return kept_profile("code", 0.9, "the values are codes of a terminology")
    if rule.shape in _NEVER_AMOUNTS and are_small_amounts(seen):
        return kept_profile("number", 0.8, "the values are amounts")
    if rule.shape in _COUNTED_SHAPES and _are_counts(rule, header, seen):
        return kept_profile("number", 0.85, "the header counts events, and the values are counts")
    if rule.shape not in _SHAPES_OF_KEYS:
        return None
    if rule.shape in ("key", "account") and _are_rows(header, seen):
        return kept_profile("sequence", 0.8, "the values are short sequence numbers of events")
    if (
        rule.shape == "key"
        and "specimen" in header_words(header)[-1:]
        and are_terms(seen)
        and any(len(v) > 3 for v in seen)
    ):
        return kept_profile("flag", 0.8, "the values are a few words")
    said = sum(map(_is_sentence_like, set(seen))) >= 0.3 * len(set(seen)) > 0
    if rule.shape in ("key", "account") and not any(map(has_digit, seen)) and are_categories(seen):
        return kept_profile("term", 0.8, "the values are a few clinical words")
    if rule.shape == "patient_key" and said and not any(map(has_digit, seen)):
        return of_kind("text", "", "text", 0.8, "the values are message subjects")
    is_whose = rule.shape == "patient_key" or not _MEMBERS.isdisjoint(header_words(header))
    if share_of_names(seen) >= 0.5 or (is_whose and are_called(seen)):
        return of_kind("identifier", "PERSON", "name", 0.8, "the values look like names")
    measured = rule.shape in ("key", "patient_key") and share_measured(seen) >= 0.3
    # `3.21` under `patient_id` is a site number with a subject number.
    measured = measured and _KEY_WORDS.isdisjoint(header_words(header)[-1:])
    measured = measured and not may_be_coordinates(seen)
    if measured and all(conforms("number", value) for value in seen):
        return kept_profile("number", 0.8, "the values are measurements")
    if mostly_prose(shapes) or (is_whose and are_worded(seen)):
        return of_kind("text", "", "text", 0.8, "the values are prose")
    return None


def _are_counts(rule: Rule, header: str, seen: Sequence[str]) -> bool:
    """Whether the header counts the things that its rule names, and the values are counts.

    Numbers of rooms and of vehicles are as short as counts, but recur less.
    """
    if not seen or not counts_events(header) or not all(map(_EVENT_COUNT.fullmatch, seen)):
        return False
    if rule.shape in _SHAPES_OF_KEYS or are_recurrent(seen):
        return True
    # Codes that begin with 0, and numbers from 1 to the last row, are not counts.
    differ = len(set(seen)) >= 0.9 * len(seen)
    return counts_known_events(header) and not has_padded_number(seen) and not differ


def _are_rows(header: str, seen: Sequence[str]) -> bool:
    """Whether the values are repeated sequence numbers of one or two digits (`visitnum`)."""
    counted = not _COUNTED_EVENTS.isdisjoint(header_words(header))
    return counted and are_recurrent(seen) and all(map(_SMALL_COUNT.fullmatch, seen))


def _age_shape(header: str) -> str:
    """The shape of ages whose unit is only in the header: `age_months` for `AGE_MONTHS`."""
    words = set(header_words(header))
    units = (u for u in ("month", "week", "day", "hour") if words & {u, u + "s"})
    unit = next(units, None)
    return "age" if unit is None or words & {"year", "group"} else f"age_{unit}s"
