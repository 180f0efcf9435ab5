"""Parses references between resources into key and form, and writes them again."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote

from deid.formats.fhir.definitions.element_types import reference_types
from deid.formats.fhir.definitions.published_uris import published

# Replaces the address of every server; RFC 2606 reserves the name.
BASE = "https://fhir.invalid"
Form = Literal["relative", "fragment", "uuid", "oid", "absolute", "conditional", "query", "type"]

_RESOURCE_KEY = r"[A-Za-z0-9._~:-]{1,128}"
_RELATIVE = re.compile(rf"([A-Z][A-Za-z]+)/({_RESOURCE_KEY})(?:/_history(?:/[\w.-]{{1,64}})?)?")
_ABSOLUTE = re.compile(
    rf"https?://[^\s?#]+?/([A-Z][A-Za-z]+)/({_RESOURCE_KEY})(?:/_history(?:/[^/]*)?)?"
)
_URN = re.compile(r"urn:(uuid|oid):([0-9A-Za-z.-]{1,128})", re.IGNORECASE)
_CONDITIONAL = re.compile(r"([A-Z][A-Za-z]+)\?identifier=(?:([^|&]*)\|)?([^|&]{1,256})")
_QUERY = re.compile(r"identifier=(?:([^|&]*)\|)?([^|&]{1,256})")
_FHIR_PLACEHOLDER = re.compile(r"\[([A-Z0-9_-]+)\]")
_NUMBERED_ID = re.compile(r"ID-(\d{1,12})")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ID = re.compile(r"[A-Za-z0-9.-]{1,64}")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A parsed reference: its form, its target resource and system if given, and its key."""

    form: Form
    target: str = ""
    system: str = ""
    key: str = field(default="", repr=False)


def read_pointer(text: str) -> Pointer | None:
    """Parse a reference, full URL or request URL; None if its form is unknown."""
    if text.startswith("#") and re.fullmatch(_RESOURCE_KEY, text[1:]):
        return Pointer("fragment", key=text[1:])
    if found := _URN.fullmatch(text):
        return Pointer("uuid" if found[1].casefold() == "uuid" else "oid", key=found[2])
    if (found := _RELATIVE.fullmatch(text)) and found[1] in reference_types():
        return Pointer("relative", found[1], key=found[2])
    if (found := _ABSOLUTE.fullmatch(text)) and found[1] in reference_types():
        return Pointer("absolute", found[1], key=found[2])
    if (found := _CONDITIONAL.fullmatch(unquote(text))) and found[1] in reference_types():
        return Pointer("conditional", found[1], _system(found[2]), found[3])
    if found := _QUERY.fullmatch(unquote(text)):
        return Pointer("query", "", _system(found[1]), found[2])
    return Pointer("type", text) if text in reference_types() else None


def _system(uri: str | None) -> str:
    return uri if uri and published(uri).match == "exact" else ""


def spell_pointer(pointer: Pointer, cell: str) -> str | None:
    """The reference with `cell` as its key; None if the cell is not a valid key."""
    key = spell_key(cell)
    if key is None:
        return None
    if pointer.form == "fragment":
        return f"#{key}"
    if pointer.form in ("uuid", "oid"):
        return _counted_urn(key)
    if pointer.form in ("conditional", "query"):
        head = f"{pointer.target}?" if pointer.target else ""
        return f"{head}identifier={pointer.system}|{key}" if pointer.system else (
            f"{head}identifier={key}"
        )  # fmt: skip
    path = f"{pointer.target}/{key}"
    return f"{BASE}/{path}" if pointer.form == "absolute" else path


def spell_key(cell: str) -> str | None:
    """A key in the form of an `id`: `ID-17` for `[ID-17]`; None if it has no such form."""
    if found := _FHIR_PLACEHOLDER.fullmatch(cell):
        return found[1].replace("_", "-")
    return cell if _ID.fullmatch(cell) else None


def _counted_urn(key: str) -> str:
    """A URN for a key: the UUID holds the counter of `ID-17`, not a hash of the original."""
    if found := _NUMBERED_ID.fullmatch(key):
        return f"urn:uuid:00000000-0000-4000-8000-{int(found[1]):012d}"
    return f"urn:uuid:{key}" if _UUID.fullmatch(key) else f"urn:deid:{key}"
