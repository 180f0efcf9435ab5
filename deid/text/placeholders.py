"""What stands in for a replaced value while the scrubbed text is searched again.

A model that learned from notes reads `[NAME] seen [DATE]` as no note at all, and finds phantoms
beside the tags. The search therefore sees a plain invented value of the same kind in each place.
No stand-in reaches an output, and what is found inside of one counts for nothing.
"""

from __future__ import annotations

from types import MappingProxyType

from recognizers import Finding

STANDINS = MappingProxyType(
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
_NUMBER = "48213907"


def placeholder_for(entity: str, value: str) -> str:
    """An invented value of that kind, in capitals where the original is."""
    found = STANDINS.get(entity, _NUMBER)
    return found.upper() if value.isupper() and value.isalpha() else found


_WORDED = frozenset(
    ["PERSON", "EMPLOYER", "STREET_ADDRESS", "CITY", "COUNTY", "FACILITY", "LOCATION"]
)
_KNOWING = frozenset({"known_values", "spread"})


def counts_beside_placeholder(finding: Finding, rest: str) -> bool:
    """Does what a finding covers beside a stand-in count as found?

    Known values always do. The rules have seen the original, so what they add beside a stand-in
    comes from the stand-in. Of the model's, a name or place counts if a capital or digit is in it,
    anything else only with a digit: labels (`s/n`, `NPI`) lean on the number behind them.
    """
    if finding.source in _KNOWING:
        return True
    if finding.source != "model":
        return False
    worded = finding.entity in _WORDED
    return any(c.isdigit() or (worded and c.isupper()) for c in rest)
