"""Decides whether a C-CDA code, unit or display name may be kept."""

from __future__ import annotations

from deid.formats.cda.closed_lists import V3_LIST
from deid.vocabularies import (
    in_list,
    is_measure_unit,
    is_measurement,
    is_short_code,
)
from deid.vocabularies.wording import CODED, DESCRIPTION, names_nobody

# Shapes that are checked later, when the cells of the table are processed.
_CDA_CLOSED_KINDS = frozenset(["country", "language", "number", "race"])
# These codes were already checked against their code system.
_CODE_COLUMNS = frozenset(["code@code", "code:state@code"])
_LOCAL_NAME_COLUMN = "code:local@displayName"
_STATUS_LISTS = ("ActStatus", "ActMood", "TimingEvent", "RoleStatus", "ParticipationSignature")


def may_keep_cda_code(path: str, kind: str, shape: str, value: str) -> bool:
    """Whether the value may be kept at a path of that kind and shape.

    Always true for values other than codes and display names.
    """
    if path == _LOCAL_NAME_COLUMN:
        return names_nobody(value, DESCRIPTION)
    if kind != "keep" or shape in _CDA_CLOSED_KINDS or path in _CODE_COLUMNS:
        return True
    if shape == "short_code":
        known = any(in_list(f"{V3_LIST}{name}", value) for name in _STATUS_LISTS)
        return known or names_nobody(value, *CODED) or is_short_code(value)
    if shape == "unit":
        return is_measure_unit(value)
    return is_measurement(value) if shape == "measure" else names_nobody(value, *CODED)
