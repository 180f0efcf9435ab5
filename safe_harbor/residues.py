"""What a transform leaves in place of a value."""

from __future__ import annotations

from enum import StrEnum


class Residue(StrEnum):
    """What stands in the output where an identifier stood in the input."""

    NOTHING = "nothing"
    TAG = "tag"
    YEAR = "year"
    STATE = "state"
    TOWN = "town"
    ZIP = "zip"
    ZIP3 = "zip3"
    AGE = "age"
    AGE_90_PLUS = "age_90_plus"
    RANDOM_CODE = "random_code"
    DERIVED_CODE = "derived_code"
    SHIFTED_DATE = "shifted_date"
    SURROGATE = "surrogate"
    VALUE = "value"
