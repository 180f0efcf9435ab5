"""Amounts with units, as evidence against an identifier: `4.4 meq/l`, `0.08 mcg/kg/min`."""

from __future__ import annotations

from collections.abc import Iterator

from recognizers.evidence.matching import AGAINST, NEVER, Seen
from recognizers.text.measures import FIGURE, MEASURING, TIME, unit_after
from recognizers.text.normalized_text import NormalizedText


def measured_figures(page: NormalizedText) -> Iterator[Seen]:
    """The amount and the unit of each result; a unit of several parts is unambiguous."""
    text = page.text
    if (alone := MEASURING["ALONE"].fullmatch(text)) is not None:
        yield Seen(*alone.span("figures"), "OTHER_ID", NEVER, "amount")
        return
    for figure in FIGURE.finditer(text):
        if MEASURING["ORDINAL"].match(text, figure.end()):
            continue
        amount = figure.group().strip("<>~=+-")
        unit = unit_after(text, figure.end(), amount)
        if unit is not None and not TIME.fullmatch(amount):
            yield Seen(*figure.span(), "OTHER_ID", AGAINST, "amount")
            parted = "/" in text[slice(*unit)].strip("/")
            yield Seen(*unit, "PERSON", NEVER if parted else AGAINST, "unit")
