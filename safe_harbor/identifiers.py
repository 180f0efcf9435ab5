"""The eighteen identifiers of 45 CFR 164.514(b)(2)(i)(A)-(R).

The value of a member is its category: the name used in policies, corpora and JSON.
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
        """The letter of the identifier's paragraph, `A` to `R`."""
        return "ABCDEFGHIJKLMNOPQR"[list(type(self)).index(self)]

    @property
    def citation(self) -> str:
        """The identifier's paragraph, as `45 CFR 164.514(b)(2)(i)(A)`."""
        return f"45 CFR 164.514(b)(2)(i)({self.letter})"

    @property
    def heading(self) -> str:
        """The rule's name for the identifier. (`title` would hide a method of `str`.)"""
        return _identifier_rows()[self]["title"]

    @property
    def text(self) -> str:
        """What the identifier includes, in one sentence."""
        return _identifier_rows()[self]["text"]

    @property
    def limited_data_set_citation(self) -> str | None:
        """The identifier's paragraph among the 16 of 164.514(e)(2).

        It is None for dates and others, which may stay.
        """
        paragraph = _identifier_rows()[self]["limited_data_set"]
        return f"45 CFR 164.514{paragraph}" if paragraph else None


@lru_cache
def _identifier_rows() -> dict[str, dict[str, str]]:
    return {row["identifier"]: row for row in read_rows("identifiers.csv")}
