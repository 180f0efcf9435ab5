"""The eighteen identifiers of 45 CFR 164.514(b)(2)(i)(A)-(R).

The value of a member is *the word*: recognizer file, policy key, corpus tag and JSON key.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from safe_harbor.tables import read_rows


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

    @property
    def heading(self) -> str:
        """What the rule calls it, for a person to read. (`title` is a method of every string.)"""
        return _described()[self]["title"]

    @property
    def text(self) -> str:
        """What it takes in, in a sentence."""
        return _described()[self]["text"]

    @property
    def limited_data_set_citation(self) -> str | None:
        """Its paragraph among the 16 of 164.514(e)(2), or None: dates and others may stay there."""
        paragraph = _described()[self]["limited_data_set"]
        return f"45 CFR 164.514{paragraph}" if paragraph else None


@lru_cache
def _described() -> dict[str, dict[str, str]]:
    return {row["identifier"]: row for row in read_rows("identifiers.csv")}
