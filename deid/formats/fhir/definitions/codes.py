"""Decides whether a FHIR code, unit or display may be kept."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from deid.formats.fhir.definitions.element_types import resource_types
from deid.formats.fhir.definitions.unfolded_types import TypePart
from deid.vocabularies import (
    in_list,
    is_language,
    is_measure_unit,
)
from deid.vocabularies.locus import Locus
from deid.vocabularies.wording import CODED, names_nobody
from safe_harbor import csv_rows

# Shapes that are checked later, when the cells of the table are processed.
_FHIR_CLOSED_KINDS = frozenset(["", "country", "race", "number"])
_BRACKETED_ENDINGS = ("[published]", "[display]")


@cache
def _bindings() -> dict[str, str]:
    return {
        row["element"]: row["list"]
        for row in csv_rows(files("deid.formats.fhir.definitions") / "bindings.csv")
    }


def may_keep_fhir_code(part: TypePart, locus: Locus, value: str) -> bool:
    """Whether a value that the locus table keeps may be kept.

    The code and display of a `Coding` with a published system were already checked against that
    system.
    """
    shape = locus.profile.shape
    if shape in _FHIR_CLOSED_KINDS or locus.path.endswith(_BRACKETED_ENDINGS):
        return True
    owner, name = part.place.kind, part.element.name
    bound = _bindings().get(f"{owner}.{name}") or _bindings().get(f"*.{name}")
    if bound is not None:
        return _is_of_binding(bound, value)
    if shape == "unit" or f"{owner}.{name}" in _UNIT_CODES:
        return is_measure_unit(value)
    return names_nobody(value, *CODED)


_UNIT_CODES = frozenset(
    ["Quantity.code", "Age.code", "Count.code", "Distance.code", "Duration.code"]
)


def _is_of_binding(bound: str, value: str) -> bool:
    if bound == "language":
        return is_language(value)
    if bound == "mime":
        return in_list("mime", value.partition(";")[0])
    if bound == "resources":
        return value in resource_types()
    return any(in_list(name, value) for name in bound.split("|"))
