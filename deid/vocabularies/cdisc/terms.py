"""The published terms of each CDISC variable: those of its code lists, and names of variables."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache, lru_cache

from deid.vocabularies.cdisc.variables import cdisc_names, is_cdisc_variable, read_cdisc
from deid.vocabularies.unit_names import is_unit_name
from deid.vocabularies.units import is_known_unit

# Variables whose values are names of variables.
_HOLD_VARIABLES = frozenset(["IDVAR", "QNAM", "SRCVAR"])
_ANY_DOMAIN = "??"
# ADaM writes the unit behind the name of the test: `Bilirubin (umol/L)`.
_WITH_UNIT_BEHIND = re.compile(r"(?P<test>.+) \((?P<unit>[^()]{1,20})\)")


def has_cdisc_terms(variable: str) -> bool:
    """Whether CDISC publishes terms for a variable of this name."""
    name = variable.strip().upper()
    return name in _HOLD_VARIABLES or bool(_terms_of(name))


@lru_cache(maxsize=1 << 14)
def is_cdisc_term(variable: str, text: str) -> bool:
    """Whether a code list that CDISC publishes for the variable has the term, ignoring case.

    >>> is_cdisc_term("VSTESTCD", "DIABP"), is_cdisc_term("EPOCH", "DIABP")
    (True, False)
    """
    name = variable.strip().upper()
    if name in _HOLD_VARIABLES and text == text.upper() and is_cdisc_variable(text):
        return True
    terms = _terms_of(name)
    if not terms:
        return False
    if " ".join(text.casefold().split()) in terms:
        return True
    parts = _WITH_UNIT_BEHIND.fullmatch(text)
    return parts is not None and parts["test"].casefold() in terms and _is_any_unit(parts["unit"])


def _is_any_unit(text: str) -> bool:
    return is_known_unit(text) or is_unit_name(text)


def _names_variable(variable: str, pattern: str) -> bool:
    """Whether the variable has the name; `??` stands for a domain, as in `??LOC`."""
    of_domain = not pattern.startswith(_ANY_DOMAIN) or variable[:2] in cdisc_names("domain")
    return of_domain and fnmatchcase(variable, pattern)


@cache
def _terms_of(variable: str) -> frozenset[str]:
    """The terms of all code lists of a variable, in lower case."""
    listed = {
        pattern
        for row in read_cdisc("lists")
        if any(_names_variable(variable, name) for name in row["variables"].split("|"))
        for pattern in row["lists"].split("|")
    }
    if not listed:
        return frozenset()
    return frozenset(
        term
        for row in read_cdisc("terms")
        if any(fnmatchcase(row["list"], pattern) for pattern in listed)
        for term in row["terms"].casefold().split("|")
    )
