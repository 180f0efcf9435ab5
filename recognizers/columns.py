"""What a table's column seems to be, by the words of its header and the look of its values.

Both are evidence: a header that sounds harmless does not clear a column of telephone numbers, and
a column that neither explains is `unsure`, which is for the caller a reason to withhold it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recognizers.columns_cells import fits, held_shape, is_measured
from recognizers.columns_headers import Rule, header_words, is_header_word, role_of, rule_of
from recognizers.columns_shapes import (
    is_institution,
    is_lone_name,
    is_person,
    is_placeholder,
    listed,
    names_somebody,
    shape_of,
)
from recognizers.columns_values import (
    LEAST_SERIALS,
    MOST,
    are_bare_numbers,
    are_coded,
    are_published,
    are_recurrent,
    are_serials,
    are_sites,
    are_terms,
    is_undated,
    may_be_coordinates,
    of_list,
    shape_of_content,
    share_measured,
    share_of_names,
    share_of_places,
)
from recognizers.entities import ENTITIES
from safe_harbor import Identifier

ColumnKind = Literal["identifier", "quasi", "keep", "text", "unsure"]
# Kept shapes that leave room for a number of somebody.
_OPEN = ("number", "measure", "term", "brand", "short_code", "sequence", "version", "unit")
_WORDY = ("term", "measure", "brand")
_YES_NO = frozenset(["y", "n", "yes", "no", "true", "false"])
LONGEST_LABEL = 60
_PERCENT = re.compile(r"\d{1,3}(?:\.\d+)?\s?%")
_CODED = re.compile(r"[A-Za-z]{0,4}\d{0,4}(?:[./]\d{1,2})?[A-Za-z]{0,2}")
# The shape of most values of a column that its header does not explain, and what it is then.
_BY_SHAPE: dict[str, tuple[ColumnKind, str, str]] = {
    "email": ("identifier", "EMAIL_ADDRESS", "email"),
    "url": ("identifier", "URL", "url"),
    "ssn": ("identifier", "US_SSN", "ssn"),
    "phone": ("identifier", "PHONE_NUMBER", "phone"),
    "ip": ("identifier", "IP_ADDRESS", "ip"),
    "mac": ("identifier", "MAC_ADDRESS", "ip"),
    "uuid": ("identifier", "OTHER_ID", "key"),
    "oid": ("identifier", "OTHER_ID", "key"),
    "udi": ("identifier", "DEVICE_ID", "device"),
    "coordinates": ("identifier", "COORDINATES", "coordinates"),
    "file": ("identifier", "PHOTO", "file"),
    "zip9": ("quasi", "US_ZIP_CODE", "zip"),
    "date": ("quasi", "DATE_TIME", "date"),
    "state": ("quasi", "US_STATE", "state"),
    "person": ("identifier", "PERSON", "name"),
    "code": ("keep", "", "code"),
}
_KEYS = ("uuid", "oid")
# Identifiers whose values, if they all have another's shape, are the other: a name's telephone.
_TAKEN_FOR = ("key", "patient_key", "account", "date", "facility")
_NAMED_FOR = ("name", "organization", "city", "county", "street")
_CLEAR = ("email", "url", "ssn", "phone", "ip", "mac", "zip9", "date")
# An age with a unit is an age; a bare number may be anything.
_ENTITY_WORD = {"US_STATE": Identifier.PLACES, "AGE": Identifier.DATES} | {
    "BIRTH_DATE": Identifier.DATES,
    "BIRTH_YEAR": Identifier.DATES,
}
_TRANSFORMS = {
    "zip": "zip3",
    "age": "age_cap",
    "age_months": "age_cap",
    "age_weeks": "age_cap",
    "age_days": "age_cap",
    "age_hours": "age_cap",
    "state": "keep_state",
    "date": "year",
    "birth_date": "year",
    "birth_year": "year",
    "year": "year",
    "date_part": "remove",
}
_LISTS = ("sex", "race", "marital", "language", "country", "relation", "flag")


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What a column seems to be. Holds none of its values, so it is safe to print.

    `kind` is `identifier` (goes), `quasi` (is coarsened), `keep` (identifies nobody), `text` (is
    searched) or `unsure`. `shape` is the finer sort: for a kept column what its cells must fit
    (`may_stay`), otherwise the form (`zip`, `birth_date`, `patient_key`, ...). `role` is whose it
    is: "" for the patient. `transform` is what a policy would name for it. `confidence` is 0..1.
    """

    kind: ColumnKind
    identifier: Identifier | None
    entity: str
    shape: str
    role: str
    confidence: float
    reasons: tuple[str, ...]

    @property
    def transform(self) -> str:
        """The transform a draft policy names for the column; `drop` where nothing is sure."""
        if self.kind in ("keep", "text"):
            return self.kind
        if self.kind == "unsure":
            return "drop"
        return _TRANSFORMS.get(self.shape, "tag")

    def may_stay(self, value: str) -> bool:
        """May this cell of a kept column stand as it is? Asked of every cell, not of a sample."""
        return self.kind == "keep" and fits(self.shape, value)


def profile(header: str, values: Sequence[str | None]) -> ColumnProfile:
    """What the column seems to be, from its header and a sample of its values.

    Nulls and placeholders say nothing. Fails closed: evidence of an identifier in the values
    overrules a header that would keep the column.
    """
    seen = [value.strip() for value in values if value is not None and not is_placeholder(value)]
    shapes = Counter(shape_of(value) for value in seen)
    rule = rule_of(header)
    if rule is None:
        return _by_values(seen, shapes, "the header says nothing")
    if rule.kind == "keep":
        if rule.shape in ("number", "measure") and _is_key(header, seen):
            return _by_values(seen, shapes, "a key under the name of a measurement")
        if rule.shape in ("term", "brand", "flag") and _is_numbered(header, seen):
            return _unsure("numbers, nearly all different, under the name of a key")
        return _judged_keep(rule, header, seen, shapes)
    if rule.kind == "text":
        return _judged_text(rule, seen, shapes)
    return _judged_identifier(rule, header, seen, shapes)


def _is_key(header: str, seen: Sequence[str]) -> bool:
    """`ALT_ID` is no measurement; `RESULT_NUMBER` is one unless its values are all different."""
    last = header_words(header)[-1:]
    if any("." in value.rstrip("0") for value in seen):
        return False
    if last == ("number",):
        return len(set(seen)) >= MOST * len(seen) and all(len(v) > 3 for v in seen)
    return last in (("id",), ("uid",), ("key",), ("barcode",))


def _is_numbered(header: str, seen: Sequence[str]) -> bool:
    """`REFERRAL_SOURCE_ID`: nearly as many numbers as rows, where a list would have a few."""
    different = len(set(seen)) > 0.7 * len(seen)
    last = header_words(header)[-1:]
    return last in (("id",), ("uid",), ("key",)) and different and are_bare_numbers(seen)


def holds_value(name: str) -> bool:
    """Does a header, a file name or a sheet name itself hold a value of a patient?

    True for the shapes of identifiers, dates, long numbers and persons' names, except for words
    that the table of headers knows.
    """
    text = re.sub(r"[_\s]+", " ", name).strip()
    if not text or shape_of(text) in _BY_SHAPE.keys() - {"state", "code"}:
        return bool(text)
    if held_shape(text) is not None or re.search(r"\d(?:[- ]?\d){5,}", text):
        return True
    if names_somebody(text) and not is_person(text):
        return True
    return rule_of(name) is None and (is_person(text) or _has_surname(name))


def _has_surname(name: str) -> bool:
    """Is one of its words a name, and no word of headers (`notes Kowalczyk`)?"""
    words = re.findall(r"[^\W\d_]{4,}", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))
    return any(is_lone_name(word) and not is_header_word(word) for word in words)


def _of_rule(rule: Rule, role: str, confidence: float, *reasons: str) -> ColumnProfile:
    kind: ColumnKind = rule.kind  # type: ignore[assignment]
    return ColumnProfile(kind, rule.identifier, rule.entity, rule.shape, role, confidence, reasons)


def _of_shape(
    kind: ColumnKind, entity: str, shape: str, confidence: float, *reasons: str
) -> ColumnProfile:
    word = None if not entity else ENTITIES.get(entity) or _ENTITY_WORD[entity]
    return ColumnProfile(kind, word, entity, shape, "", confidence, reasons)


def _unsure(*reasons: str) -> ColumnProfile:
    return ColumnProfile("unsure", None, "", "", "", 0.0, reasons)


def _most(shapes: Counter[str], share: float = MOST) -> str:
    """The shape that at least `share` of the values have, or nothing."""
    total = sum(shapes.values())
    if not total:
        return ""
    shape, count = shapes.most_common(1)[0]
    return shape if count >= share * total else ""


def _judged_text(rule: Rule, seen: Sequence[str], shapes: Counter[str]) -> ColumnProfile:
    """Text is searched, but for single codes that come again and again."""
    if shapes["prose"] == 0 and len(seen) >= LEAST_SERIALS and share_of_names(seen) >= 0.6:
        return _of_shape("identifier", "PERSON", "name", 0.8, "the values look like names")
    single = not any(" " in value or "\n" in value for value in seen)
    coded = all(_CODED.fullmatch(value) or listed("flag", value) for value in seen)
    if single and coded and are_recurrent(seen):
        return _of_shape("keep", "", "term", 0.8, "the values are recurring codes")
    return _of_rule(rule, "", 0.95, "the header announces text")


def _judged_identifier(
    rule: Rule, header: str, seen: Sequence[str], shapes: Counter[str]
) -> ColumnProfile:
    """The header names an identifier; the values may name a closer one, or be mere flags."""
    most = _most(shapes)
    if len(seen) >= LEAST_SERIALS and all(value.casefold() in _YES_NO for value in seen):
        return _of_shape("keep", "", "flag", 0.9, "yes and no, though the header sounds of more")
    if rule.shape == "date" and seen and all(listed("flag", value) for value in seen):
        words = header_words(header)
        if not {"date", "time", "timestamp"} & set(words):
            return _of_shape("keep", "", "flag", 0.9, "flags, though the header sounds of a date")
    if rule.shape in _NAMED_FOR:
        if most in _CLEAR:
            kind, entity, shape = _BY_SHAPE[most]
            return _of_shape(kind, entity, shape, 0.95, f"the values are of shape {most}")
        if (found := of_list(seen)) is not None:
            return _of_shape("keep", "", found, 0.85, f"the values are of list {found}")
    if rule.shape == "facility" and are_sites(seen):
        return _of_shape("keep", "", "term", 0.85, "the values are parts of the body")
    if rule.shape in _TAKEN_FOR and most in _BY_SHAPE:
        kind, entity, shape = _BY_SHAPE[most]
        if kind != "keep" and most not in (*_KEYS, "file", "state"):
            return _of_shape(kind, entity, shape, 0.95, f"the values are of shape {most}")
    if rule.shape == "date" and seen and all(is_undated(value) for value in seen):
        return _by_values(seen, shapes, "the header sounds of a date, the values are none")
    if rule.shape in ("key", "facility", "account") and are_published(seen):
        return _of_shape("keep", "", "code", 0.9, "the values are codes of a terminology")
    if rule.shape in ("key", "patient_key", "account", "plan") and share_of_names(seen) >= 0.5:
        return _of_shape("identifier", "PERSON", "name", 0.8, "the values look like names")
    if rule.shape == "date_part" and most == "date":
        birth = "birth" in header_words(header)
        entity, shape = ("BIRTH_DATE", "birth_date") if birth else ("DATE_TIME", "date")
        return _of_shape("quasi", entity, shape, 0.9, "the values are whole dates")
    measured = share_measured(seen) >= 0.3
    if (
        rule.shape in ("key", "patient_key")
        and measured
        and all(fits("number", value) for value in seen)
    ):
        return _of_shape("keep", "", "number", 0.8, "the values are measurements")
    if rule.shape in ("key", "patient_key", "account", "plan") and _mostly_prose(shapes):
        return _of_shape("text", "", "text", 0.8, "the values are prose")
    if rule.shape == "age":
        rule = replace(rule, shape=_age_shape(header))
    return _of_rule(rule, role_of(header, rule), 0.97 if seen else 0.9, "the header names it")


def _age_shape(header: str) -> str:
    """An age whose unit stands in the header alone: `AGE_MONTHS`."""
    words = set(header_words(header))
    units = (u for u in ("month", "week", "day", "hour") if words & {u, u + "s"})
    unit = next(units, None)
    return "age" if unit is None or words & {"year", "group"} else f"age_{unit}s"


def _judged_keep(
    rule: Rule, header: str, seen: Sequence[str], shapes: Counter[str]
) -> ColumnProfile:
    """The header sounds harmless: the values have to agree."""
    most = _most(shapes, 0.5)
    held = sum(held_shape(value) is not None for value in seen)
    if seen and held >= 0.05 * len(seen) and not _mostly_prose(shapes):
        if _closed(rule, seen):
            return _of_rule(rule, "", 0.8, "the header names it, other cells are blanked")
        if rule.shape in ("measure", "term", "number") and _are_results(seen):
            return _of_shape("keep", "", "result", 0.8, "results, other cells are blanked")
        return _by_values(seen, shapes, "the values contradict the header")
    if most in _BY_SHAPE and _BY_SHAPE[most][0] != "keep" and not _state_for_country(rule, most):
        kind, entity, shape = _BY_SHAPE[most]
        return _of_shape(kind, entity, shape, 0.9, f"the values are of shape {most}")
    if rule.shape in _WORDY and _mostly_prose(shapes, 0.2) and not are_recurrent(seen):
        return _of_shape("text", "", "text", 0.85, "the values are prose")
    least = 0.5 if are_recurrent(seen) else 0.3
    if rule.shape == "brand" and len(set(seen)) >= 6 and share_of_names(seen) >= 0.8:
        return _of_shape("identifier", "PERSON", "name", 0.7, "the values look like names")
    if most == "words" and seen and sum(map(is_institution, seen)) >= 0.5 * len(seen):
        return _of_shape("identifier", "FACILITY", "facility", 0.8, "the values are institutions")
    if rule.shape == "term" and len(set(seen)) >= 3 and share_of_places(seen) >= 0.7:
        return _of_shape("identifier", "CITY", "city", 0.7, "the values look like places")
    if rule.shape in ("term", "measure") and share_of_names(seen) >= least:
        return _of_shape("identifier", "PERSON", "name", 0.7, "the values look like names")
    if rule.shape in _OPEN and are_serials(seen):
        return _unsure(f"the header says {rule.shape}, the values look like serial numbers")
    misfits = sum(not fits(rule.shape, value) for value in seen)
    if misfits > 0.1 * len(seen):
        other = _refit(seen) or _looser(rule, header, seen)
        if other is None:
            return _unsure(f"the header says {rule.shape}, the values do not fit it")
        return _of_shape("keep", "", other, 0.8, f"the values fit {other}")
    confidence = 0.95 if seen else 0.9
    return _of_rule(rule, "", confidence, "the header names it and the values fit")


def _state_for_country(rule: Rule, most: str) -> bool:
    """`CA`, `IN` and `DE` are countries too, and short flags look like states."""
    return most == "state" and rule.shape != "term"


def _mostly_prose(shapes: Counter[str], share: float = 0.5) -> bool:
    total = sum(shapes.values())
    return total > 0 and shapes["prose"] >= share * total


def _refit(seen: Sequence[str]) -> str | None:
    """The closed shape that all but one in a hundred of the values fit."""
    for shape in (*_LISTS, "route", "blood_type", "code"):
        fitting = sum(listed(shape, v) or (shape == "code" and shape_of(v) == "code") for v in seen)
        if fitting >= 0.99 * len(seen):
            return shape
    return None


def _closed(rule: Rule, seen: Sequence[str]) -> bool:
    """Most cells are on a short list, so that each of the others can be told and blanked."""
    return rule.shape in _LISTS and sum(listed(rule.shape, v) for v in seen) >= 0.5 * len(seen)


def _are_results(seen: Sequence[str]) -> bool:
    """Most cells are short results, and those again and again or with fractions."""
    plain = [value for value in seen if fits("result", value)]
    return len(plain) >= 0.6 * len(seen) and (are_recurrent(plain) or share_measured(plain) >= 0.3)


def _looser(rule: Rule, header: str, seen: Sequence[str]) -> str | None:
    """The sort of harmless value that a column under a harmless header holds after all."""
    if rule.shape == "number" and all(fits("number", v) or is_measured(v) for v in seen):
        return "measure"
    if rule.shape in (*_LISTS, "number") and are_recurrent(seen):
        fitting = sum(fits("term", v) and len(v) <= LONGEST_LABEL for v in seen)
        if fitting >= 0.99 * len(seen) and share_of_names(seen) == 0:
            return "term"
    if header_words(header)[-1:] == ("code",):
        if are_coded(seen):
            return "concept"
        if rule.shape == "short_code" and are_recurrent(seen, 6):
            return "code" if all(fits("code", v) for v in seen) else None
    coded = header_words(header)[-1:] in (("procedure",), ("diagnosis",))
    if rule.shape == "term" and coded and not are_serials(seen):
        return "code" if all(fits("code", v) for v in seen) else None
    return None


def _may_be_initials(shape: str, seen: Sequence[str]) -> bool:
    """One or two letters that nothing explains may be a clerk's initials, bare numbers ages."""
    letters = all(len(value) <= 2 and value.isalpha() for value in seen)
    few = shape in ("sex", "flag", "route") or (bool(shape) and len(set(seen)) <= 2)
    return are_bare_numbers(seen) or (letters and not few)


def _by_values(seen: Sequence[str], shapes: Counter[str], why: str) -> ColumnProfile:
    """What the values say alone; much is left unsure."""
    if not seen:
        return _of_shape("keep", "", "empty", 0.9, why, "every value is null")
    most = _most(shapes)
    if most in _BY_SHAPE and not (most == "state" and len(set(seen)) < 3):
        kind, entity, shape = _BY_SHAPE[most]
        return _of_shape(kind, entity, shape, 0.9, why, f"the values are of shape {most}")
    if _mostly_prose(shapes, 0.2):
        return _of_shape("text", "", "text", 0.85, why, "the values are prose")
    if shapes["age"] >= MOST * len(seen) and not all(v.isdigit() for v in seen):
        return _of_shape("quasi", "AGE", "age", 0.85, why, "the values are ages")
    if seen and all(_PERCENT.fullmatch(value) for value in seen):
        return _of_shape("keep", "", "number", 0.8, why, "the values are shares")
    if (fitted := _refit(seen)) is not None and not _may_be_initials(fitted, seen):
        return _of_shape("keep", "", fitted, 0.85, why, f"the values are of list {fitted}")
    if are_terms(seen) and not _may_be_initials("", seen):
        return _of_shape("keep", "", "flag", 0.8, why, "the values are a few everyday words")
    if may_be_coordinates(seen):
        return _unsure(why, "the values may be coordinates")
    if share_measured(seen) >= 0.5 and all(fits("number", v) for v in seen):
        return _of_shape("keep", "", "number", 0.8, why, "the values are measurements")
    if (content := shape_of_content(seen)) is not None:
        return _of_shape("keep", "", content, 0.8, why, f"the values are of sort {content}")
    if share_of_names(seen) >= 0.5:
        return _of_shape("identifier", "PERSON", "name", 0.7, why, "the values look like names")
    return _unsure(why, "the values could be anything")
