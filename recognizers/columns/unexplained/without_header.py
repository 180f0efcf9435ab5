"""A column whose header says nothing of use: what its unit and its values tell, or nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from recognizers.columns.profiles import ColumnProfile
from recognizers.columns.unexplained.by_shape import by_values
from recognizers.columns.unexplained.few_values import judged_few
from recognizers.columns.unexplained.told_units import judged_by_unit


def judged_alone(header: str, seen: Sequence[str], shapes: Counter[str], why: str) -> ColumnProfile:
    """The profile by the values and the unit alone; `why` says what is wrong with the header."""
    found = judged_by_unit(header, seen) or by_values(seen, shapes, why)
    return (judged_few(header, seen, why) or found) if found.kind == "unsure" else found
