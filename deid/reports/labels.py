"""The labels of the eighteen identifiers in messages and pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from safe_harbor import Identifier

_CATEGORY_LABELS: Mapping[Identifier, str] = MappingProxyType(
    {
        Identifier.NAMES: "names",
        Identifier.PLACES: "places",
        Identifier.DATES: "dates",
        Identifier.PHONES: "phone numbers",
        Identifier.FAXES: "fax numbers",
        Identifier.EMAILS: "e-mail addresses",
        Identifier.SSNS: "SSNs",
        Identifier.MRNS: "MRNs",
        Identifier.PLANS: "health plan numbers",
        Identifier.ACCOUNTS: "account numbers",
        Identifier.LICENSES: "license numbers",
        Identifier.VEHICLES: "vehicle identifiers",
        Identifier.DEVICES: "device identifiers",
        Identifier.URLS: "URLs",
        Identifier.IPS: "IP addresses",
        Identifier.BIOMETRICS: "biometric identifiers",
        Identifier.PHOTOS: "photographs",
        Identifier.OTHERS: "other identifiers",
    }
)


def category_label(identifier: Identifier) -> str:
    """The short label of an identifier, for a person; JSON keeps the key.

    >>> category_label(Identifier.SSNS), category_label(Identifier.PLANS)
    ('SSNs', 'health plan numbers')
    """
    return _CATEGORY_LABELS[identifier]
