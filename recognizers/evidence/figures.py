"""Amounts with units, as evidence against an identifier: `4.4 meq/l`, `0.08 mcg/kg/min`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.matching import Hit
from recognizers.evidence.seen import AGAINST, NEVER
from recognizers.text.measures import FIGURE, TIME, unit_after
from recognizers.text.normalized_text import NormalizedText

AMOUNT, UNIT = "amount", "unit"
# `the 4th` is not an amount.
ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)


def measured_figures(page: NormalizedText) -> Iterator[Hit]:
    """The amount and the unit of each result; letters after a time of day may be initials.

    A unit of several parts is unambiguous.
    """
    text = page.text
    for figure in FIGURE.finditer(text):
        if ORDINAL.match(text, figure.end()):
            continue
        amount = figure.group().strip("<>~=+-")
        unit = unit_after(text, figure.end(), amount)
        if unit is not None and not TIME.fullmatch(amount):
            yield Hit(*figure.span(), "OTHER_ID", AGAINST, AMOUNT)
            parted = "/" in text[slice(*unit)].strip("/")
            yield Hit(*unit, "PERSON", NEVER if parted else AGAINST, UNIT)
