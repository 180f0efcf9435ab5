"""OBX-5 of HL7 v2: of what type a result is, and whether it tells an age or a birth date."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deid.formats.hl7v2_loci import Place, is_composite, same_type, special

_BARE = ("NM", "DT", "DTM", "TM")
_ARRAYS = ("NA", "MA")
_DATED = ("DT", "DTM", "TS")
_AGE = re.compile(r"\bage\b(?!.adjusted)", re.IGNORECASE)
# LOINC: ages reported, calculated, estimated, at events.
_AGE_CODES = frozenset(
    ["21611-9", "21612-7", "29553-5", "30525-0", "35659-2", "39016-1", "63900-5"]
)
_BIRTH = re.compile(r"\b(?:birth ?date|date of birth|DOB)\b|^21112-8$", re.IGNORECASE)
_NUMBER = re.compile(r"\s*\d{1,4}(?:\.\d*)?\s*")
_UNITS = (("MONTHS", "mo"), ("WEEKS", "w"), ("DAYS", "d"), ("HOURS", "h"))


def observed_type(fields: Sequence[str]) -> str:
    """The type of OBX-5, by OBX-2; what nobody knows is searched as `text`."""
    kind = fields[1].strip().upper() if len(fields) > 1 else ""
    return same_type(kind) if kind in _BARE or is_composite(kind) else "text"


def observed_place(
    kind: str, value: str, code: str, label: str, unit: str, role: str | None
) -> Place | None:
    """The place of an age, of a birth date, or of an array of numbers; None for other results.

    `code` and `label` are OBX-3.1 and the rest of OBX-3, `unit` is OBX-6.
    """
    if kind in _ARRAYS:
        return special(f"OBX-5[{kind}]", "OBX-5[NM]", role)
    if kind in _DATED and (_BIRTH.search(code) or _BIRTH.search(label)):
        return special("OBX-5[BIRTH]", "OBX-5[BIRTH]", role)
    told = code in _AGE_CODES or _AGE.search(label)
    if kind in ("NM", "text") and told and _NUMBER.fullmatch(value):
        start = unit.strip().casefold()
        found = next((f"_{name}" for name, letters in _UNITS if start.startswith(letters)), "")
        return special(f"OBX-5[AGE{found}]", f"OBX-5[AGE{found}]", role)
    return None
