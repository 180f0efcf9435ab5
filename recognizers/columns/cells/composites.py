"""X12 composite elements, a qualifier and its codes, in flat tables of claims.

`HC:99213:25`, `ABK:E119`, `CO*45*120.50`, `CO-45`, `HE*N130`, `11:B:1`.
"""

from __future__ import annotations

import re

from recognizers.columns.cells.memory import remembered

_COMPONENT_SIGNS = re.compile(r"[:*>^]")
# Qualifiers from X12 elements 235 (products, services), 1270 (code lists), 1033 (adjustments).
_QUALIFIERS_WORDS = (
    "HC AD ER HP IV N4 ND NU UI WK ZZ "
    "ABK ABF ABJ ABN APR BK BF BJ BN PR DR BBR BBQ BR BQ BG BE TC CAH "
    "CO OA PI CR HE RX"
)
_COMPOSITE_QUALIFIERS = frozenset(_QUALIFIERS_WORDS.split())
_ADJUSTED = frozenset(["CO", "PR", "OA", "PI", "CR"])
_COMPONENT = re.compile(r"[A-Z0-9]{0,5}|[A-TV-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?|\d{3}\.?\d{1,2}")
_PROCEDURE_ICD10 = re.compile(r"[0-9B-DF-HX][0-9A-HJ-NP-Z]{6}")
_ADJUSTED_BY = re.compile(r"-?\d{1,6}(?:\.\d{1,2})?|[A-Z]{0,2}\d{0,3}")
_DRUG = re.compile(r"\d{11}")
_PLACE_OF_SERVICE = re.compile(r"\d{2}[:>][AB][:>]\d")
_REASON_OF_GROUP = re.compile(r"(?:CO|OA|PI|CR|PR)[- ]?(?:[AB]?\d{1,3}|N\d{1,3}|MA?\d{1,3})")
_ELEMENT_CODE = re.compile(r"[A-Z0-9]{1,3}")


@remembered
def is_qualified(text: str) -> bool:
    """Whether the text is an X12 qualifier with codes, or a place of service with its frequency."""
    if _PLACE_OF_SERVICE.fullmatch(text) or _REASON_OF_GROUP.fullmatch(text):
        return True
    qualifier, *parts = _COMPONENT_SIGNS.split(text)
    if qualifier not in _COMPOSITE_QUALIFIERS or not any(parts):
        return False
    if qualifier in _ADJUSTED:
        return all(map(_ADJUSTED_BY.fullmatch, parts)) or all(map(_COMPONENT.fullmatch, parts))
    if qualifier == "N4":
        return _DRUG.fullmatch(parts[0]) is not None
    if qualifier in ("BBR", "BBQ"):
        return _PROCEDURE_ICD10.fullmatch(parts[0]) is not None and len(parts) == 1
    return all(map(_COMPONENT.fullmatch, parts))


def is_composite_element(text: str) -> bool:
    """Whether the text is a qualifier with codes, or a code that is short enough to stand alone."""
    return is_qualified(text) or _ELEMENT_CODE.fullmatch(text) is not None
