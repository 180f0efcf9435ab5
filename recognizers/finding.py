"""A finding: the position of an identifier in a text, and its entity type.

A finding holds no text, so it is safe to print. A type has Presidio's own name if there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from safe_harbor import Identifier
from safe_harbor import Identifier as I

# Presidio's type of an entity, its identifier, and its label in annotated corpora if it has one.
_ENTITY_TYPES = (
    ("PERSON", I.NAMES, "NAME"),
    ("EMPLOYER", I.NAMES, "EMPLOYER"),
    ("STREET_ADDRESS", I.PLACES, "STREET"),
    ("CITY", I.PLACES, "CITY"),
    ("COUNTY", I.PLACES, "COUNTY"),
    ("US_ZIP_CODE", I.PLACES, "ZIP"),
    ("FACILITY", I.PLACES, "FACILITY"),
    ("COORDINATES", I.PLACES, ""),
    ("LOCATION", I.PLACES, ""),
    ("DATE_TIME", I.DATES, "DATE"),
    ("WEEKDAY", I.DATES, "WEEKDAY"),
    ("AGE_OVER_89", I.DATES, "AGE90"),
    ("BIRTH_YEAR_OVER_89", I.DATES, "BIRTHYEAR90"),
    ("PHONE_NUMBER", I.PHONES, "PHONE"),
    ("FAX_NUMBER", I.FAXES, "FAX"),
    ("EMAIL_ADDRESS", I.EMAILS, "EMAIL"),
    ("US_SSN", I.SSNS, "SSN"),
    ("MEDICAL_RECORD_NUMBER", I.MRNS, "MRN"),
    ("HEALTH_PLAN_NUMBER", I.PLANS, "HEALTHPLAN"),
    ("ACCOUNT_NUMBER", I.ACCOUNTS, "ACCOUNT"),
    ("LICENSE_NUMBER", I.LICENSES, "LICENSE"),
    ("VEHICLE_ID", I.VEHICLES, "VEHICLE"),
    ("DEVICE_ID", I.DEVICES, "DEVICE"),
    ("URL", I.URLS, "URL"),
    ("IP_ADDRESS", I.IPS, "IP"),
    ("MAC_ADDRESS", I.IPS, ""),
    ("BIOMETRIC_ID", I.BIOMETRICS, "BIOMETRIC"),
    ("PHOTO", I.PHOTOS, "PHOTO"),
    ("OTHER_ID", I.OTHERS, "OTHERID"),
)
ENTITIES = MappingProxyType({entity: identifier for entity, identifier, _ in _ENTITY_TYPES})
LABELS = MappingProxyType({label: entity for entity, _, label in _ENTITY_TYPES if label})
PERSON = "PERSON"


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
