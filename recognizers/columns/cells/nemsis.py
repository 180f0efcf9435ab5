"""Cells of coded NEMSIS elements: `2305003`, `R07.9`, `29857009`, `Chest Pain`."""

from __future__ import annotations

import re

from recognizers.columns.cells.phrases import is_published_phrase
from recognizers.columns.cells.shapes import is_listed, is_medical_code

#: Shapes of cells in NEMSIS elements. Elements of drugs also have RxNorm codes, which have no check
#: digit.
NEMSIS_SHAPES = frozenset(["nemsis", "nemsis_drug"])
# Codes of sections 22 to 45 of the data dictionary, and codes that all sections share. All codes
# are odd numbers.
_SECTION_CODE = re.compile(r"(?:2[2-9]|3\d|4[0-5]|77|88|99)\d{2}[0-2]\d[13579](?:\.0)?")
_RXNORM_CODE = re.compile(r"[1-9]\d{1,6}(?:\.0)?")
_NEXT_CODE = re.compile(r"\s*[,;|]\s*(?=\d)")


def _is_nemsis_code(shape: str, text: str) -> bool:
    """Whether the text is one or more codes of NEMSIS, ICD-10 or SNOMED CT, or of RxNorm
    for drugs.
    """
    drug = shape == "nemsis_drug"
    return all(
        bool(_SECTION_CODE.fullmatch(part))
        or is_medical_code(part)
        or (drug and bool(_RXNORM_CODE.fullmatch(part)))
        for part in _NEXT_CODE.split(text)
    )


def is_nemsis_cell(shape: str, text: str) -> bool:
    """Whether the text is a code of a NEMSIS element, or the published words for such a code."""
    if _is_nemsis_code(shape, text) or text.casefold() in ("yes", "no"):
        return True
    if any(map(str.isdigit, text)):
        return False
    return is_published_phrase(text) or is_listed("sex", text) or is_listed("race", text)
