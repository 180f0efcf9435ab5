"""Closed lists of codes: tables of HL7 v2 and v3, code systems of FHIR R4, ISO, media types."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from safe_harbor import csv_rows

_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2}|\d{3}))?")


def read_vocabulary(name: str) -> list[dict[str, str]]:
    """The rows of a CSV table in this folder."""
    return csv_rows(files("deid.vocabularies") / f"{name}.csv")


@cache
def _codes_by_list() -> dict[str, str]:
    return {row["list"]: row["codes"] for row in read_vocabulary("lists")}


@cache
def _oids() -> dict[str, str]:
    return {
        oid: row["list"]
        for row in read_vocabulary("lists")
        for oid in row["oids"].split("|")
        if oid
    }


@cache
def _codes_of_list(name: str) -> frozenset[str]:
    return frozenset(_codes_by_list().get(name, "").casefold().split("|")) - {""}


def has_list(name: str) -> bool:
    """Whether a list has that name: `v2-0003`, the URL of a code system, `iso-639`, `mime`."""
    return name in _codes_by_list()


def list_of_oid(oid: str) -> str:
    """The list of the code system with that OID, or "" if there is none."""
    return _oids().get(oid, "")


def in_list(name: str, code: str) -> bool:
    """Whether the list has the code, ignoring case; False for an unknown list."""
    return code.strip().casefold() in _codes_of_list(name)


@cache
def _all_listed_codes() -> frozenset[str]:
    return frozenset(code for name in _codes_by_list() for code in _codes_of_list(name))


def in_any_list(code: str) -> bool:
    """Whether any list has the code."""
    return code.strip().casefold() in _all_listed_codes()


def is_language(code: str) -> bool:
    """Whether the code is an ISO 639 code, with or without a country: `en`, `eng`, `en-US`."""
    found = _LANGUAGE.fullmatch(code.strip())
    if found is None or not in_list("iso-639", found[1]):
        return False
    return not found[2] or found[2].isdigit() or in_list("iso-3166-1", found[2])
