"""Days and times written as digits alone, as HL7 v2 and DICOM write them."""

from __future__ import annotations

import re

_DAY_OF_STAMP = re.compile(r"^\s*(\d{8})[\d.]*(?:[+-]\d{4})?\s*$")
_HOUR_AND_MINUTE = re.compile(r"^\s*(\d\d)(\d\d)")


def day_of_stamp(text: str) -> str:
    """The day of a time stamp; any other text is returned unchanged.

    >>> day_of_stamp("20230511081502.12+0100"), day_of_stamp("2023")
    ('20230511', '2023')
    """
    return _DAY_OF_STAMP.sub(r"\1", text)


def spelled_clock(text: str) -> str:
    """A time of day with a colon: `2022` would be read as a year.

    >>> spelled_clock("2022"), spelled_clock("194305")
    ('20:22', '19:4305')
    """
    return _HOUR_AND_MINUTE.sub(r"\1:\2", text)
