"""Amounts with units, as evidence against an identifier: `4.4 meq/l`, `0.08 mcg/kg/min`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.matching import AGAINST, NEVER, Seen
from recognizers.text.measures import FIGURE, TIME, unit_after
from recognizers.text.normalized_text import NormalizedText

AMOUNT, UNIT = "amount", "unit"
# A text that is only a short number says nothing of whose it is. But `12.31`, `31.12`, `7.1931` and
# `617.555` may be parts of dates and telephone numbers, and so may ranges without a decimal point.
_DAY_WITH_POINT = r"[0-3]\d\.[0-3]\d"
_DECIMAL_FIGURE = rf"(?!{_DAY_WITH_POINT}\b)(?:(?:0|[1-9]\d?)?\.\d{{1,3}}|[1-9]\d\d\.\d{{1,2}})"
_WHOLE_NUMBER = r"(?:0|[1-9]\d{0,2})"
_TENTHS = r"\d{1,3}\.\d"
ALONE = re.compile(
    rf"\s*(?P<figures>[<>=~]{{0,2}} ?-?(?:{_DECIMAL_FIGURE}|{_WHOLE_NUMBER})"
    rf"|{_TENTHS} ?(?:-|to) ?(?:{_TENTHS}|{_WHOLE_NUMBER})|{_WHOLE_NUMBER} ?(?:-|to) ?{_TENTHS})"
    rf"(?![\d.]) ?%?\s*"
)
# `the 4th` is not an amount.
ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)


def measured_figures(page: NormalizedText) -> Iterator[Seen]:
    """The amount and the unit of each result; letters after a time of day may be initials.

    A unit of several parts is unambiguous.
    """
    text = page.text
    if (alone := ALONE.fullmatch(text)) is not None:
        yield Seen(*alone.span("figures"), "OTHER_ID", NEVER, AMOUNT)
        return
    for figure in FIGURE.finditer(text):
        if ORDINAL.match(text, figure.end()):
            continue
        amount = figure.group().strip("<>~=+-")
        unit = unit_after(text, figure.end(), amount)
        if unit is not None and not TIME.fullmatch(amount):
            yield Seen(*figure.span(), "OTHER_ID", AGAINST, AMOUNT)
            parted = "/" in text[slice(*unit)].strip("/")
            yield Seen(*unit, "PERSON", NEVER if parted else AGAINST, UNIT)
