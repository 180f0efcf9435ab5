"""Closed lists: the URIs of published code systems, and known extensions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from deid.formats.fhir.definitions.definition_names import DEFINITION_NAME
from deid.formats.fhir.definitions.element_types import resource_types
from deid.vocabularies import (
    has_long_number,
    in_list,
    looks_personal,
    system_named,
)
from deid.vocabularies.wording import LOCAL_CODE, names_nobody
from safe_harbor import csv_rows

_URI_REMAINDER = re.compile(r"[A-Za-z0-9._/$#-]{0,120}(?:\|[A-Za-z0-9.-]{1,20})?")
_EDITION = re.compile(r"http://snomed\.info/sct(?:/\d{6,18}(?:/version/\d{8})?)?")
# The definitions of FHIR, of its guides (by realm and guide), and of HL7's terminology. HL7 alone
# publishes under these addresses.
_HL7_DEFINITION = re.compile(
    r"http://(?:hl7\.org/fhir/(?:(?P<realm>[a-z]{2})/(?P<guide>[a-z][a-z\d-]{1,39})/)?"
    r"|terminology\.hl7\.org/)"
    r"(?:StructureDefinition|CodeSystem|ValueSet|ConceptMap|SearchParameter|OperationDefinition"
    r"|CapabilityStatement|Questionnaire|Measure|Library)/(?P<name>[A-Za-z][A-Za-z\d-]{0,79})"
    r"(?:\|\d{1,2}(?:\.\d{1,3}){0,2}(?:-(?:ballot|snapshot|draft|cibuild|preview)\d?)?)?"
)
_REALMS_BESIDE_COUNTRIES = frozenset(["uv", "eu"])
MOST_DIGITS_OF_NAME = 5
_URI_SEPARATOR = re.compile(r"[/_.$#-]+")
UriMatch = Literal["exact", "prefix", ""]


@dataclass(frozen=True, slots=True)
class Published:
    """How a URI matches the list, and the kind of identifier for which the URI stands, if any."""

    match: UriMatch
    identifier: str = ""


UNKNOWN_URI = Published("")


@dataclass(frozen=True, slots=True)
class KnownExtension:
    """A known extension: its short name, the URLs nested in it, and whether it is released.

    An extension that is not released is still read, for known values of the person.
    """

    name: str
    below: frozenset[str]
    leaves: bool


def _definition_rows(name: str) -> list[dict[str, str]]:
    return csv_rows(files("deid.formats.fhir.definitions") / f"{name}.csv")


@cache
def _published_systems() -> tuple[dict[str, Published], tuple[tuple[str, Published], ...]]:
    rows = _definition_rows("systems")
    exact = {r["uri"]: Published("exact", r["identifier"]) for r in rows if r["match"] == "exact"}
    prefixes = [r for r in rows if r["match"] == "prefix"]
    return exact, tuple((r["uri"], Published("prefix", r["identifier"])) for r in prefixes)


def published(uri: object) -> Published:
    """The list's entry for a URI; `UNKNOWN_URI` if the URI is in no published namespace."""
    return _published(uri) if isinstance(uri, str) else UNKNOWN_URI


@lru_cache(maxsize=1 << 10)
def _published(uri: str) -> Published:
    exact, prefixes = _published_systems()
    if uri in exact:
        return exact[uri]
    if definition := _HL7_DEFINITION.fullmatch(uri):
        kept = _is_known_address(uri.partition("|")[0]) or _is_impersonal(definition)
        return Published("prefix") if kept else UNKNOWN_URI
    for prefix, found in prefixes:
        if uri.startswith(prefix) and _is_spelled(uri, uri[len(prefix) :]):
            return found
    return UNKNOWN_URI


def _is_impersonal(found: re.Match[str]) -> bool:
    """Whether the address of a definition of HL7 has no person's name or number in it."""
    realm, guide, name = found["realm"] or "uv", found["guide"] or "", found["name"]
    if realm not in _REALMS_BESIDE_COUNTRIES and not in_list("iso-3166-1", realm):
        return False
    bare = name.removeprefix("iso21090")
    if sum(letter.isdigit() for letter in guide + bare) > MOST_DIGITS_OF_NAME:
        return False
    if re.search(r"\d{5}", bare) or looks_personal(bare):
        return False
    return names_nobody(name, DEFINITION_NAME) and names_nobody(guide, DEFINITION_NAME)


def _is_known_address(bare: str) -> bool:
    return bare in _known_urls() or system_named(bare) is not None


def _is_spelled(uri: str, rest: str) -> bool:
    """Whether the URI is a known one, or consists only of known words and short numbers."""
    if not _URI_REMAINDER.fullmatch(rest):
        return False
    bare, _, version = uri.partition("|")
    if not names_nobody(version, LOCAL_CODE):
        return False
    if _is_known_address(bare) or _EDITION.fullmatch(bare):
        return True
    if looks_personal(bare) or has_long_number(bare.replace(".", "/")):
        return False
    parts = [part for part in _URI_SEPARATOR.split(rest.partition("|")[0]) if part]
    return all(
        names_nobody(part, LOCAL_CODE) or part.casefold() in _folded_resources() for part in parts
    )


@cache
def _known_urls() -> frozenset[str]:
    return frozenset(row["url"] for row in _definition_rows("extensions"))


@cache
def _folded_resources() -> frozenset[str]:
    return frozenset(name.casefold() for name in resource_types())


@cache
def extensions() -> dict[str, KnownExtension]:
    """The known extensions, by URL."""
    return {
        row["url"]: KnownExtension(
            row["name"], frozenset(row["below"].split("|")) - {""}, row["leaves"] == "yes"
        )
        for row in _definition_rows("extensions")
    }
