"""The argument in parentheses after a transform's name: `band(10)`, `interval(ADMIT_DATE)`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from deid.errors import DeidError
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import NINETY_OR_OLDER, Residue, cap_age

_NUMBER_ARGUMENT = re.compile(r"\s*([-+]?\d+(?:\.\d+)?)\s*")
AGE_RESIDUES = frozenset({Residue.AGE, Residue.AGE_90_PLUS, Residue.NOTHING})


def positive_number(name: str, argument: str) -> float:
    """The positive number given to a transform."""
    match = _NUMBER_ARGUMENT.fullmatch(argument)
    if match is None or not float(match[1]) > 0:
        raise argument_refusal(name, "a number above zero, as in `band(10)`")
    return float(match[1])


def argument_refusal(name: str, wanted: str) -> DeidError:
    """The error for an argument that the transform does not accept."""
    return DeidError(
        "transform-argument", f"`{name}` needs {wanted}", hint="write it in parentheses"
    )


def number_in(value: str, context: TransformContext) -> float | str | None:
    """The number in a cell; `90+` for an age over 89; None if there is no number."""
    if context.entity == "AGE":
        age = cap_age(value, over_89=context.over_89)
        if age.text == NINETY_OR_OLDER:
            return NINETY_OR_OLDER
        if age.residue is Residue.NOTHING:  # `+91`, `1091`: not readable as an age
            return None
    match = _NUMBER_ARGUMENT.fullmatch(value)
    return float(match[1]) if match else None


def coarsen(
    value: str,
    context: TransformContext,
    tell: Callable[[float], str],
    oldest: str = NINETY_OR_OLDER,
) -> Outcome:
    """Apply `tell` to the number in a cell.

    Returns `oldest` for an age over 89, and "" if the cell has no number.
    """
    number = number_in(value, context)
    if number is None:
        return Outcome("", Residue.NOTHING)
    if isinstance(number, str):
        return Outcome(oldest, Residue.AGE_90_PLUS)
    text = tell(number)
    if context.entity != "AGE":
        return Outcome(text, Residue.VALUE)
    return Outcome(text, Residue.AGE_90_PLUS if text == NINETY_OR_OLDER else Residue.AGE)


def residue_of_coarse(entity: str) -> frozenset[Residue]:
    """The residue of a coarser value: an age for ages, part of the value for other identifiers."""
    return AGE_RESIDUES if entity == "AGE" else frozenset({Residue.VALUE, Residue.NOTHING})


def spell_number(number: float) -> str:
    """The number as text, without a fraction if it is whole."""
    return str(int(number)) if math.isfinite(number) and number == int(number) else f"{number:g}"
