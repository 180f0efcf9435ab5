"""OBX-5 of HL7 v2: the type of a result, and whether OBX-3 labels it as an identifier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from deid.formats.hl7v2.loci import ANOTHER, FieldPlace, is_composite, same_type, special
from deid.vocabularies import is_measurement
from deid.vocabularies.locus import Locus
from recognizers import profile

_UNTEXTED_TYPES = ("NM", "DT", "DTM", "TM")
_ARRAYS = ("NA", "MA")
_DATE_TYPES = ("DT", "DTM", "TS")
_AGE_WORD = re.compile(r"\bage\b(?!.adjusted)", re.IGNORECASE)
# LOINC: ages reported, calculated, estimated, at events.
_OBX_AGE_CODES = frozenset(
    ["21611-9", "21612-7", "29553-5", "30525-0", "35659-2", "39016-1", "63900-5"]
)
_BIRTH_DATE_LABEL = re.compile(r"\b(?:birth ?date|date of birth|DOB)\b|^21112-8$", re.IGNORECASE)
_SHORT_NUMBER = re.compile(r"\s*\d{1,4}(?:\.\d*)?\s*")
# A short text under a label is the identifier that the label names if it matches this pattern.
LONGEST_LABELLED = 60
_THREE_DIGITS = r"(?:.*\d){3}"
_LOOKS = {
    "PERSON": re.compile(r"[^\d_]{2,}"),
    "EMPLOYER": re.compile(r".*[^\W\d_]{2}"),
    "STREET_ADDRESS": re.compile(r".*\d"),
    "EMAIL_ADDRESS": re.compile(r".*@"),
    "BIRTH_DATE": re.compile(_THREE_DIGITS),
    "US_ZIP_CODE": re.compile(_THREE_DIGITS),
    "US_SSN": re.compile(_THREE_DIGITS),
    "MEDICAL_RECORD_NUMBER": re.compile(_THREE_DIGITS),
    "PHONE_NUMBER": re.compile(_THREE_DIGITS),
    "FAX_NUMBER": re.compile(_THREE_DIGITS),
    "HEALTH_PLAN_NUMBER": re.compile(_THREE_DIGITS),
    "ACCOUNT_NUMBER": re.compile(_THREE_DIGITS),
    "LICENSE_NUMBER": re.compile(_THREE_DIGITS),
    "VEHICLE_ID": re.compile(_THREE_DIGITS),
    "DEVICE_ID": re.compile(_THREE_DIGITS),
    "OTHER_ID": re.compile(_THREE_DIGITS),
}
_THINGS = re.compile(
    r"\b(?:allele|antigen|device|drug|gene|organism|procedure|product|protein|species|specimen|"
    r"test|vaccine|variant)\b",
    re.IGNORECASE,
)
_OBX_AGE_UNITS = (("MONTHS", "mo"), ("WEEKS", "w"), ("DAYS", "d"), ("HOURS", "h"))


def observed_type(fields: Sequence[str]) -> str:
    """Return the type of OBX-5 by OBX-2; a value of unknown type is searched as `text`."""
    kind = fields[1].strip().upper() if len(fields) > 1 else ""
    return same_type(kind) if kind in _UNTEXTED_TYPES or is_composite(kind) else "text"


def observed_place(
    kind: str, value: str, code: str, label: str, unit: str, role: str | None
) -> FieldPlace | None:
    """The place of an age, birth date, labeled identifier or array; None for other results.

    `code` and `label` are OBX-3.1 and the rest of OBX-3, `unit` is OBX-6.
    """
    if kind in _ARRAYS:
        read = is_measurement(value.replace("^", " ").replace("~", " "))
        line = "OBX-5[NM]" if read else "CWE.1[unlisted]"
        return special(f"OBX-5[{kind}]" + ("" if read else "[unlisted]"), line, role)
    if kind in _DATE_TYPES and (_BIRTH_DATE_LABEL.search(code) or _BIRTH_DATE_LABEL.search(label)):
        return special("OBX-5[BIRTH]", "OBX-5[BIRTH]", role)
    told = code in _OBX_AGE_CODES or _AGE_WORD.search(label)
    if kind in ("NM", "text") and told and _SHORT_NUMBER.fullmatch(value):
        start = unit.strip().casefold()
        found = next(
            (f"_{name}" for name, letters in _OBX_AGE_UNITS if start.startswith(letters)), ""
        )
        return special(f"OBX-5[AGE{found}]", f"OBX-5[AGE{found}]", role)
    if kind != "text" or len(value) > LONGEST_LABELLED:
        return None
    labeled = _labelled(label)
    return labeled[1] if labeled is not None and labeled[0].match(value) else None


@lru_cache(maxsize=1 << 12)
def _labelled(label: str) -> tuple[re.Pattern[str], FieldPlace] | None:
    """Return the pattern and the place of short texts under a label.

    The label, such as `Mother's phone number`, is read like a column header.
    """
    seen = profile(re.split(r"\W*\^", label.lstrip("^"))[0], ())
    look = _LOOKS.get(seen.entity)
    if look is None or (seen.entity == "PERSON" and _THINGS.search(label)):
        return None
    shape = "key" if seen.shape == "patient_key" else seen.shape
    told = replace(
        seen,
        shape=shape,
        role=seen.role or ANOTHER,
        reasons=("the label of the observation names this identifier",),
    )
    path = f"OBX-5[{seen.entity}]"
    return look, FieldPlace(path, Locus(path, told))
