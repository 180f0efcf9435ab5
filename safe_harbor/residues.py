"""Residues: what the output contains in place of a value."""

from __future__ import annotations

from enum import StrEnum


class Residue(StrEnum):
    """What the output holds in place of an identifier.

    A transform declares the most revealing residue that it may leave. A part of a value (initials,
    the last four digits, the local part of an e-mail address) is not a code: it is `VALUE`.
    """

    NOTHING = "nothing"
    """Nothing: the value is removed and its place is not marked."""
    TAG = "tag"
    """The name of the identifier, or a number in order of appearance: `[NAME-1]`."""
    YEAR = "year"
    """The year of a date; for a birth date, only if the year does not show an age over 89."""
    INTERVAL = "interval"
    """Days between two dates of one person, neither of them a birth: not an element of a date."""
    STATE = "state"
    """The state, or a larger area."""
    ZIP3 = "zip3"
    """Three digits of a ZIP code if more than 20,000 people share them, else `000`."""
    ZIP5 = "zip5"
    """The whole ZIP code."""
    TOWN = "town"
    """Town, city or county, without street, building, or geocode."""
    AGE = "age"
    """An age up to 89; no age over 89 is left."""
    AGE_90_PLUS = "age_90_plus"
    """The one category of 90 or older."""
    RANDOM_CODE = "random_code"
    """A code drawn at random; the table that links it to the value is kept apart: 164.514(c)."""
    DERIVED_CODE = "derived_code"
    """A code computed from the value, with or without a key: hash, HMAC, encryption, Soundex."""
    SHIFTED_DATE = "shifted_date"
    """A date moved by some days, or with random noise."""
    SURROGATE = "surrogate"
    """A made-up value drawn at random, not computed from the original value."""
    VALUE = "value"
    """The value itself, or a part of it."""
