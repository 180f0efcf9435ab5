"""Closed lists: the URIs of published code systems, and known extensions."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from deid.formats.fhir.definitions.element_types import resource_types
from deid.vocabularies import has_long_number, is_local_code, looks_personal, system_named

_URI_REMAINDER = re.compile(r"[A-Za-z0-9._/$#-]{0,120}(?:\|[A-Za-z0-9.-]{1,20})?")
_EDITION = re.compile(r"http://snomed\.info/sct(?:/\d{6,18}(?:/version/\d{8})?)?")
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
    text = (files("deid.formats.fhir.definitions") / f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


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
    for prefix, found in prefixes:
        if uri.startswith(prefix) and _is_spelled(uri, uri[len(prefix) :]):
            return found
    return UNKNOWN_URI


def _is_spelled(uri: str, rest: str) -> bool:
    """Whether the URI is a known one, or consists only of known words and short numbers."""
    if not _URI_REMAINDER.fullmatch(rest):
        return False
    bare, _, version = uri.partition("|")
    if not is_local_code(version):
        return False
    if bare in _known_urls() or system_named(bare) is not None:
        return True
    if _EDITION.fullmatch(bare):
        return True
    if looks_personal(bare) or has_long_number(bare.replace(".", "/")):
        return False
    parts = [part for part in _URI_SEPARATOR.split(rest.partition("|")[0]) if part]
    return all(is_local_code(part) or part.casefold() in _folded_resources() for part in parts)


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
