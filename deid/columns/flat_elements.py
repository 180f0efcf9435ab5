"""Flat tables of X12, HL7 v2 and NEMSIS: columns named after elements (`CLM05`, `2010BA_NM109`,
`SV101-2`, `ePatient.13`) and fields (`PID_8`, `PV1-7.2`).

The table of the format says what each element holds. A cell of a kept element is blanked unless it
looks like one of the element's codes. In NEMSIS, these are codes of its dictionary, of ICD or of
SNOMED CT, and published words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from deid.formats.hl7v2.loci import field_place, is_segment, type_of
from deid.formats.x12.places import element_locus, known_tags
from deid.vocabularies.data_models import Schema
from deid.vocabularies.locus import Locus
from recognizers import ColumnProfile

# A flat table has at least this many columns named after elements; fewer may be other codes.
_LEAST_NAMED = 3
_ELEMENT = re.compile(r"([A-Z]{1,2}[A-Z0-9])[-.]?(\d{2})(?:[-_.](\d{1,2}))?")
_FIELD = re.compile(r"([A-Z][A-Z0-9]{2})[-_.](\d{1,2})(?:[-_.](\d{1,2}))?")
# `ePatient.13`, alone or after its meaning: `Patient Gender (ePatient.13)`.
_NEMSIS = re.compile(r"(?<![^\W_])(e[A-Z][A-Za-z]+)[._ ](\d{2})(?!\d)")
_HEADER_PARTS_X12 = re.compile(r"[^A-Z0-9.-]+")


def element_profiles(columns: Sequence[str]) -> tuple[ColumnProfile | None, ...]:
    """The profile of each column named after an element; None for all columns of other tables."""
    found = tuple(map(_element_named, columns))
    if sum(profile is not None for profile in found) < _LEAST_NAMED:
        return (None,) * len(columns)
    return found


def by_element(meant: ColumnProfile | None, judged: ColumnProfile) -> ColumnProfile:
    """Return the profile of the element; `judged` if there is none or the element is withheld."""
    return judged if meant is None or meant.kind == "unsure" else meant


def _element_named(header: str) -> ColumnProfile | None:
    parts = [*_HEADER_PARTS_X12.split(header.strip().upper()), header.strip().upper()]
    for match in map(_ELEMENT.fullmatch, parts):
        if match is not None and match[1] in known_tags():
            found = element_locus(match[1], int(match[2]), int(match[3] or 0))
            return None if found is None else _with_codes(found, "composite")
    return _nemsis_named(header) or _field_named(header.strip().upper())


def _nemsis_named(header: str) -> ColumnProfile | None:
    match = _NEMSIS.search(header)
    return None if match is None else Schema("nemsis", "").column(f"{match[1]}.{match[2]}")


def _field_named(header: str) -> ColumnProfile | None:
    match = _FIELD.fullmatch(header)
    if match is None or not is_segment(match[1]):
        return None
    kind = type_of(match[1], int(match[2]))
    if not kind or kind == "varies":
        return None
    found = field_place(match[1], int(match[2]), kind, int(match[3] or 1), 0, "", None).locus
    return None if found is None else _with_codes(found, "short_code")


def _with_codes(found: Locus, look: str) -> ColumnProfile:
    """Return the profile of a locus; kept codes get the shape `look`."""
    coded = found.profile.kind == "keep" and found.profile.shape == "coded"
    return replace(found.profile, shape=look) if coded else found.profile
