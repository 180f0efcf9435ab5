"""States of the United States, which may stay: 164.514(b)(2)(i)(B) starts below them."""

from __future__ import annotations

from types import MappingProxyType

STATES = MappingProxyType(
    dict(
        line.split(" ", 1)
        for line in """AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado
|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho
|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland
|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska
|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina
|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina
|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington
|WV West Virginia|WI Wisconsin|WY Wyoming|PR Puerto Rico""".replace("\n", "").split("|")
    )
)
_ANY = frozenset(name.casefold() for pair in STATES.items() for name in pair)


def is_state(value: str) -> bool:
    """Is it the name or the two-letter code of a state, the District or Puerto Rico?

    >>> is_state("VT"), is_state("vermont"), is_state("Windham")
    (True, True, False)
    """
    return " ".join(value.casefold().strip(" .,").split()) in _ANY
