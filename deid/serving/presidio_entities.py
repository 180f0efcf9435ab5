"""The entity types of Presidio: their names for our findings, and the types that are supported.

The value of a finding decides its name, by the first matching row of a table. A request may also
name types that group several of ours (`LOCATION`), and our own types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from recognizers import ENTITIES, Finding
from safe_harbor import NAMES_BY_STATE, Identifier, csv_rows

CONTEXT_REACH = 40
"""The number of characters before a value whose words may show what the value is."""
GROUPS: Mapping[str, frozenset[str]] = {
    "LOCATION": frozenset({"CITY", "COUNTY", "STREET_ADDRESS", "COORDINATES", "US_ZIP_CODE"}),
    "ORGANIZATION": frozenset({"EMPLOYER", "FACILITY"}),
    "AGE": frozenset({"AGE_OVER_89"}),
    "US_BANK_NUMBER": frozenset({"ACCOUNT_NUMBER"}),
    "US_DRIVER_LICENSE": frozenset({"LICENSE_NUMBER"}),
    "US_MBI": frozenset({"HEALTH_PLAN_NUMBER"}),
}
STATE_SCORE = 0.85


@dataclass(frozen=True, slots=True)
class EntityRow:
    """One row of the table: a finding is an `entity` if it fits and its type is in `own`."""

    entity: str
    own: frozenset[str]
    value: re.Pattern[str]
    left: re.Pattern[str]
    check: Callable[[str], bool]

    def fits(self, finding: Finding, text: str) -> bool:
        """Whether the finding is of this type, by its value and the words before it."""
        if self.own and finding.entity not in self.own:
            return False
        value = text[finding.start : finding.end]
        before = text[max(0, finding.start - CONTEXT_REACH) : finding.start]
        return bool(self.value.fullmatch(value) and self.left.search(before) and self.check(value))


def passes_luhn(value: str) -> bool:
    """Whether the check digit is right: ISO/IEC 7812-1, Annex B."""
    digits = [int(c) for c in value if c.isdigit()][::-1]
    doubled = (sum(divmod(2 * d, 10)) if place % 2 else d for place, d in enumerate(digits))
    return sum(doubled) % 10 == 0


def iban(value: str) -> bool:
    """ISO 13616-1: the country and check digits moved to the end leave 1 modulo 97."""
    plain = value.replace(" ", "")
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


def is_dea_number(value: str) -> bool:
    """21 CFR 1306 registration numbers: the last digit checks the other six."""
    d = [int(c) for c in value[2:]]
    return (d[0] + d[2] + d[4] + 2 * (d[1] + d[3] + d[5])) % 10 == d[6]


def nhs(value: str) -> bool:
    """NHS Data Dictionary: weights 10 to 2, modulo 11."""
    d = [int(c) for c in value if c.isdigit()]
    rest = 11 - sum(w * x for w, x in zip(range(10, 1, -1), d, strict=False)) % 11
    return rest % 11 == d[9] and rest != 10


ENTITY_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "": lambda value: True,
    "luhn": passes_luhn,
    "iban": iban,
    "dea": is_dea_number,
    "nhs": nhs,
}


@cache
def entity_rows() -> tuple[EntityRow, ...]:
    """The rows of the table, in order."""
    return tuple(
        EntityRow(
            row["entity"],
            frozenset() if row["from"] == "*" else frozenset(row["from"].split()),
            re.compile(row["value"]),
            re.compile(row["left"], re.IGNORECASE),
            ENTITY_CHECKS[row["check"]],
        )
        for row in csv_rows(files("deid.serving") / "presidio_entities.csv")
    )


def presidio_names(finding: Finding, text: str) -> Iterator[str]:
    """The names of a finding, most specific first: the name by value, our own name, its groups."""
    yield from (row.entity for row in entity_rows() if row.fits(finding, text))
    yield finding.entity
    yield from (group for group, own in GROUPS.items() if finding.entity in own)


def supported_entities() -> list[str]:
    """Every type that a request may ask for."""
    return sorted({*ENTITIES, *GROUPS, *(row.entity for row in entity_rows())})


def name_asked_for(finding: Finding, text: str, asked: frozenset[str]) -> str:
    """The name of a finding in the answer to a request for the types `asked`, or "" if no type
    fits.

    If `asked` is empty, it is Presidio's name.
    """
    fitting = presidio_names(finding, text)
    return next((name for name in fitting if not asked or name in asked), "")


@cache
def _state_names() -> re.Pattern[str]:
    names = sorted(NAMES_BY_STATE.values(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")


def with_states(text: str, findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings and the names of states, which Presidio reports as `LOCATION`.

    164.514(b)(2)(i)(B) lets a state stay, so no other part of the engine finds it.
    """
    yield from findings
    for match in _state_names().finditer(text):
        if not any(f.start < match.end() and match.start() < f.end for f in findings):
            word = Identifier.PLACES
            yield Finding(*match.span(), word, "LOCATION", STATE_SCORE, "states")
