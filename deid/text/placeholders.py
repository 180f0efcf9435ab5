"""Placeholders for replaced values while the scrubbed text is searched again.

The model was trained on notes. `[NAME] seen [DATE]` does not look like a note to it, so it reports
false findings next to the tags. The repeated search therefore reads an invented value of the same
type in place of each tag. No placeholder is written, and a finding inside one does not count.
"""

from __future__ import annotations

from types import MappingProxyType

from recognizers import Finding

PLACEHOLDER_BY_ENTITY = MappingProxyType(
    {
        "PERSON": "Dellworth",
        "EMPLOYER": "Harlow Foods",
        "STREET_ADDRESS": "12 Elm Street",
        "CITY": "Dover",
        "COUNTY": "Kent",
        "US_ZIP_CODE": "19901",
        "FACILITY": "Dover General Hospital",
        "COORDINATES": "39.1582, -75.5244",
        "LOCATION": "Dover",
        "DATE_TIME": "03/14/2023",
        "WEEKDAY": "Monday",
        "AGE_OVER_89": "92",
        "BIRTH_YEAR_OVER_89": "1931",
        "PHONE_NUMBER": "302-555-0142",
        "FAX_NUMBER": "302-555-0143",
        "EMAIL_ADDRESS": "post@dover.example",
        "US_SSN": "219-09-9999",
        "URL": "www.dover.example",
        "IP_ADDRESS": "10.0.0.7",
        "MAC_ADDRESS": "00:1B:44:11:3A:B7",
        "PHOTO": "IMG_2041.jpg",
    }
)
_PLACEHOLDER_DIGITS = "48213907"


def placeholder_for(entity: str, value: str) -> str:
    """An invented value of that entity type, in capitals if the original is in capitals."""
    found = PLACEHOLDER_BY_ENTITY.get(entity, _PLACEHOLDER_DIGITS)
    return found.upper() if value.isupper() and value.isalpha() else found


_TEXT_ENTITIES = frozenset(
    ["PERSON", "EMPLOYER", "STREET_ADDRESS", "CITY", "COUNTY", "FACILITY", "LOCATION"]
)
_KNOWN_SOURCES = frozenset({"known_values", "spread"})


def counts_beside_placeholder(finding: Finding, rest: str) -> bool:
    """Whether the part of a finding outside a placeholder (`rest`) counts as a finding.

    Known values always count. Findings of rules do not: the rules have searched the original, so a
    new finding next to a placeholder comes from the placeholder. The model's names and places count
    if `rest` has a capital or a digit. Other findings of the model count only with a digit,
    because the model finds a label (`s/n`, `NPI`) by the number after the label.
    """
    if finding.source in _KNOWN_SOURCES:
        return True
    if finding.source != "model":
        return False
    is_text_entity = finding.entity in _TEXT_ENTITIES
    return any(c.isdigit() or (is_text_entity and c.isupper()) for c in rest)
