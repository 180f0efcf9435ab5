"""Names of columns and tables that data models publish whole."""

from __future__ import annotations

import re
from functools import cache

from deid.vocabularies.cdisc.variables import cdisc_names, is_cdisc_variable
from deid.vocabularies.data_models import is_table, published_names
from deid.vocabularies.wording.compounds import is_compound_word, may_hold_name
from deid.vocabularies.wording.usual_words import SHORTEST_WORD
from recognizers import word_evidence

_CDISC = re.compile(r"[A-Z][A-Z0-9]{1,7}")
# `(0010,0040) PatientSex`: the group and element number of a DICOM tag.
_DICOM_TAG = re.compile(r"\(00[0-5][0-9A-F],[0-9A-F]{4}\)\s*")
# `symptoms___3`: REDCap gives each answer of a question with check boxes a column of its own.
_CHECK_BOX = re.compile(r"(?<=\w)_{3,4}\d{1,3}")


def bare_name(name: str) -> str:
    """The name without a DICOM tag before it and without REDCap's number of an answer after it. If
    the name is only a tag, it is returned unchanged.
    """
    bare = _DICOM_TAG.sub("", name, count=1) or name
    answer = _CHECK_BOX.search(bare)
    return bare if answer is None or answer.end() < len(bare) else bare[: answer.start()]


def is_published_name(name: str) -> bool:
    """Whether the name is a column or a table of a published model, ignoring case."""
    bare = name.strip()
    return bare.casefold() in _folded_names() or is_table(bare) or _is_cdisc(bare)


@cache
def _folded_names() -> frozenset[str]:
    return frozenset(name.casefold() for name in published_names())


def _is_cdisc(name: str) -> bool:
    """Whether the name is a variable of SDTM, SEND or ADaM: `AETERM`, `BWSTRESN`, `TRT01P`."""
    if not _CDISC.fullmatch(name.upper()) or name not in (name.upper(), name.lower()):
        return False
    upper = name.upper()
    return is_cdisc_variable(upper) or any(
        _has_fragment(upper, fragment) for fragment in cdisc_names("fragment")
    )


def _has_fragment(upper: str, fragment: str) -> bool:
    """Whether the name is a variable or a word of headers, followed by a naming fragment of ADaM:
    `COUNTRYN`, `SODIUMBL`.

    A fragment of one letter may be an initial, so only a variable may stand before it.
    """
    stem = upper.removesuffix(fragment)
    if stem == upper or len(stem) < SHORTEST_WORD or word_evidence(upper).bearers:
        return False
    word = stem.casefold()
    if is_cdisc_variable(stem):
        return True
    return len(fragment) > 1 and is_compound_word(word) and not may_hold_name(word)
