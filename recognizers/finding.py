"""A finding: the position of an identifier in a text, and its entity type.

A finding holds no text, so it is safe to print. A type has Presidio's own name if there is one.
`LABELS` maps the labels of annotated corpora.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from safe_harbor import Identifier
from safe_harbor import Identifier as I

ENTITIES = MappingProxyType(
    {
        "PERSON": I.NAMES,
        "EMPLOYER": I.NAMES,
        "STREET_ADDRESS": I.PLACES,
        "CITY": I.PLACES,
        "COUNTY": I.PLACES,
        "US_ZIP_CODE": I.PLACES,
        "FACILITY": I.PLACES,
        "COORDINATES": I.PLACES,
        "LOCATION": I.PLACES,
        "DATE_TIME": I.DATES,
        "WEEKDAY": I.DATES,
        "AGE_OVER_89": I.DATES,
        "BIRTH_YEAR_OVER_89": I.DATES,
        "PHONE_NUMBER": I.PHONES,
        "FAX_NUMBER": I.FAXES,
        "EMAIL_ADDRESS": I.EMAILS,
        "US_SSN": I.SSNS,
        "MEDICAL_RECORD_NUMBER": I.MRNS,
        "HEALTH_PLAN_NUMBER": I.PLANS,
        "ACCOUNT_NUMBER": I.ACCOUNTS,
        "LICENSE_NUMBER": I.LICENSES,
        "VEHICLE_ID": I.VEHICLES,
        "DEVICE_ID": I.DEVICES,
        "URL": I.URLS,
        "IP_ADDRESS": I.IPS,
        "MAC_ADDRESS": I.IPS,
        "BIOMETRIC_ID": I.BIOMETRICS,
        "PHOTO": I.PHOTOS,
        "OTHER_ID": I.OTHERS,
    }
)

# The types that rules written in code assign.
PERSON, EMPLOYER, CITY = "PERSON", "EMPLOYER", "CITY"

# Numbers and codes that identify a person, other than dates, ages and addresses.
NUMBERED = frozenset(
    {
        "OTHER_ID",
        "MEDICAL_RECORD_NUMBER",
        "ACCOUNT_NUMBER",
        "HEALTH_PLAN_NUMBER",
        "DEVICE_ID",
        "LICENSE_NUMBER",
        "PHONE_NUMBER",
        "FAX_NUMBER",
        "VEHICLE_ID",
        "BIOMETRIC_ID",
        "US_SSN",
        "US_ZIP_CODE",
    }
)

LABELS = MappingProxyType(
    {
        "NAME": "PERSON",
        "EMPLOYER": "EMPLOYER",
        "STREET": "STREET_ADDRESS",
        "CITY": "CITY",
        "COUNTY": "COUNTY",
        "ZIP": "US_ZIP_CODE",
        "FACILITY": "FACILITY",
        "DATE": "DATE_TIME",
        "WEEKDAY": "WEEKDAY",
        "AGE90": "AGE_OVER_89",
        "BIRTHYEAR90": "BIRTH_YEAR_OVER_89",
        "PHONE": "PHONE_NUMBER",
        "FAX": "FAX_NUMBER",
        "EMAIL": "EMAIL_ADDRESS",
        "SSN": "US_SSN",
        "MRN": "MEDICAL_RECORD_NUMBER",
        "HEALTHPLAN": "HEALTH_PLAN_NUMBER",
        "ACCOUNT": "ACCOUNT_NUMBER",
        "LICENSE": "LICENSE_NUMBER",
        "VEHICLE": "VEHICLE_ID",
        "DEVICE": "DEVICE_ID",
        "URL": "URL",
        "IP": "IP_ADDRESS",
        "BIOMETRIC": "BIOMETRIC_ID",
        "PHOTO": "PHOTO",
        "OTHERID": "OTHER_ID",
    }
)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Half-open code-point offsets of one identifier, with its Presidio type, score and source.

    `source` names what made the finding: a recognizer's file, `model`, `known_values`, `spread`.
    """

    start: int
    end: int
    identifier: Identifier
    entity: str
    score: float
    source: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"empty or negative span {self.start}..{self.end}")
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"score outside 0..1: {self.score}")


Found = tuple[Finding, ...]
