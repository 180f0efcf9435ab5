"""The eighteen identifiers of 45 CFR 164.514(b)(2)(i)(A)-(R).

The value of a member is *the word*: recognizer file, policy key, corpus tag and JSON key.
"""

from __future__ import annotations

from enum import StrEnum


class Identifier(StrEnum):
    """One of the eighteen, "of the individual or of relatives, employers, or household members"."""

    NAMES = "names"
    PLACES = "places"
    DATES = "dates"
    PHONES = "phones"
    FAXES = "faxes"
    EMAILS = "emails"
    SSNS = "ssns"
    MRNS = "mrns"
    PLANS = "plans"
    ACCOUNTS = "accounts"
    LICENSES = "licenses"
    VEHICLES = "vehicles"
    DEVICES = "devices"
    URLS = "urls"
    IPS = "ips"
    BIOMETRICS = "biometrics"
    PHOTOS = "photos"
    OTHERS = "others"

    @property
    def letter(self) -> str:
        """The letter of its paragraph, `A` to `R`."""
        return "ABCDEFGHIJKLMNOPQR"[list(type(self)).index(self)]

    @property
    def citation(self) -> str:
        """Its paragraph, as `45 CFR 164.514(b)(2)(i)(A)`."""
        return f"45 CFR 164.514(b)(2)(i)({self.letter})"
