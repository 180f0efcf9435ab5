"""Code systems without a list: the patterns of their codes and their check digits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from deid.vocabularies.lists import has_list, in_list, is_language, list_of_oid, read_vocabulary
from deid.vocabularies.units import is_measure_unit
from deid.vocabularies.wording import DESCRIPTION, LOCAL_CODE, names_nobody
from deid.vocabularies.words import is_short_code
from recognizers import is_snomed

_TABLE = re.compile(r"HL7-?0?(\d{4})")
_TABLE_URI = re.compile(
    r"http://(?:terminology\.)?hl7\.org/(?:fhir/)?(?:CodeSystem/)?v2[-/](\d{4})"
)
# A day, with or without a time, where a code without a check digit is expected.
_DAY_AS_CODE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4})?")
_VERSIONED = re.compile(r"\|.*")


@dataclass(frozen=True, slots=True)
class PublishedSystem:
    """A code system; `pattern` is a regular expression for its codes, or `=` and a list name."""

    name: str
    pattern: str
    check: str

    @property
    def is_closed(self) -> bool:
        """Whether there is a list of its codes."""
        return self.pattern.startswith("=")

    def has(self, code: str) -> bool:
        """Whether the code is on the list or matches the pattern."""
        if self.is_closed:
            return _is_of_system(self.pattern[1:], code)
        spelled = re.fullmatch(self.pattern, code, re.ASCII) is not None
        if spelled and not self.check and _DAY_AS_CODE.fullmatch(code):
            return False
        return spelled and _is_checked(self.check, code)


@cache
def _systems_by_name() -> dict[str, PublishedSystem]:
    return {
        name.casefold(): PublishedSystem(row["system"], row["pattern"], row["check"])
        for row in read_vocabulary("systems")
        for name in row["names"].split()
    }


@lru_cache(maxsize=1 << 12)
def system_named(name: str) -> PublishedSystem | None:
    """The system of a URI, an OID or a name of HL7 table 0396; None if its codes are unknown."""
    bare = _VERSIONED.sub("", name.strip()).removeprefix("urn:oid:")
    found = _systems_by_name().get(bare.casefold())
    if found is not None:
        return found
    table = _TABLE.fullmatch(bare.upper()) or _TABLE_URI.fullmatch(bare)
    listed = f"v2-{table[1]}" if table else list_of_oid(bare) or bare
    return PublishedSystem(listed, f"={listed}", "") if has_list(listed) else None


@lru_cache(maxsize=1 << 16)
def is_code_of(name: str, code: str) -> bool:
    """Whether the code is of that system or, if the system is unknown, cannot be a name."""
    system = system_named(name) if name else None
    if system is None:
        return names_nobody(code, LOCAL_CODE)
    return system.has(code.strip()) or (not system.is_closed and is_short_code(code.strip()))


def _is_of_system(name: str, code: str) -> bool:
    if name == "ucum":
        return is_measure_unit(code)
    return is_language(code) if name == "language" else in_list(name, code)


def _is_checked(check: str, code: str) -> bool:
    if check == "mod10":
        return not code[0].isdigit() or _mod10(code)
    if check == "snomed":
        return is_snomed(code)
    if check == "digit":
        return any(letter.isdigit() for letter in code)
    return check != "words" or names_nobody(code.replace("_", " "), DESCRIPTION)


def _mod10(code: str) -> bool:
    """Whether the LOINC check digit, the digit after the hyphen, is right (Luhn)."""
    digits = [int(digit) for digit in code.replace("-", "")][::-1]
    doubled = (2 * digit for digit in digits[1::2])
    return (sum(digits[::2]) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0
