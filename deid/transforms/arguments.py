"""What stands in brackets behind a transform's name: `band(10)`, `interval(ADMIT_DATE)`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from deid.errors import DeidError
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import NINETY_OR_OLDER, Residue, cap_age

_NUMBER = re.compile(r"\s*([-+]?\d+(?:\.\d+)?)\s*")
AGE_RESIDUES = frozenset({Residue.AGE, Residue.AGE_90_PLUS, Residue.NOTHING})


def positive_number(name: str, argument: str) -> float:
    """The number above zero that a transform is given."""
    match = _NUMBER.fullmatch(argument)
    if match is None or not float(match[1]) > 0:
        raise argument_refusal(name, "a number above zero, as in `band(10)`")
    return float(match[1])


def argument_refusal(name: str, wanted: str) -> DeidError:
    """The transform was given something else than it takes."""
    return DeidError("transform-argument", f"`{name}` needs {wanted}", hint="write it in brackets")


def number_in(value: str, context: TransformContext) -> float | str | None:
    """The number of a cell, `90+` of an age that shows one over 89, None where there is none."""
    if context.entity == "AGE":
        age = cap_age(value, over_89=context.over_89)
        if age.text == NINETY_OR_OLDER:
            return NINETY_OR_OLDER
        if age.residue is Residue.NOTHING:  # `+91`, `1091`: no age that can be read
            return None
    match = _NUMBER.fullmatch(value)
    return float(match[1]) if match else None


def coarsen(
    value: str,
    context: TransformContext,
    tell: Callable[[float], str],
    oldest: str = NINETY_OR_OLDER,
) -> Outcome:
    """What `tell` makes of the number of a cell, `oldest` of an age over 89, else nothing."""
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
    """A coarser age is an age; a coarser value of any other identifier is still a part of it."""
    return AGE_RESIDUES if entity == "AGE" else frozenset({Residue.VALUE, Residue.NOTHING})


def spell_number(number: float) -> str:
    """Without a needless fraction."""
    return str(int(number)) if math.isfinite(number) and number == int(number) else f"{number:g}"
