"""The Presidio entity types of this engine, and the Safe Harbor identifier of each.

A type has Presidio's own name if there is one. `LABELS` maps the labels of annotated corpora.
"""

from __future__ import annotations

from types import MappingProxyType

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
