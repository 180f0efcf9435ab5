"""The states. They may stay, because 164.514(b)(2)(i)(B) covers smaller subdivisions.

"State" is read as in 45 CFR 160.103: the fifty, the District of Columbia, Puerto Rico and the
island territories.
"""

from __future__ import annotations

from types import MappingProxyType

from safe_harbor.tables import read_rows

NAMES_BY_STATE = MappingProxyType({row["code"]: row["name"] for row in read_rows("states.csv")})
"""Name by two-letter postal code."""
_ANY = frozenset(name.casefold() for pair in NAMES_BY_STATE.items() for name in pair)
_MORE = frozenset({"d.c", "washington dc", "washington d.c", "u.s. virgin islands"})


def is_state(value: str) -> bool:
    """Whether the value is the name or two-letter code of a state, in any case.

    >>> is_state("VT"), is_state("vermont"), is_state("Windham")
    (True, True, False)
    """
    name = " ".join(value.casefold().replace(",", " ").strip(" .").split())
    return name in _ANY or name in _MORE
