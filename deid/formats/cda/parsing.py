"""Parses the XML of a C-CDA document and refuses DTDs, entities and oversized documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lxml import etree

from deid.errors import DeidError, unreadable
from deid.formats.cda.closed_lists import V3

LARGEST_DOCUMENT = 1 << 26
_PARSED_HEAD_BYTES = 1 << 20
_ROOT = re.compile(rb"<(?:[A-Za-z_][\w.-]{0,63}:)?ClinicalDocument[\s/>]")
_BEFORE_ROOT = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_KNOWN_ENCODINGS = frozenset(
    {"utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii"}
)
_NARROW = frozenset({"iso-8859-1", "iso-8859-15", "latin1", "windows-1252", "cp1252"})
_ERRORS = etree.ErrorTypes
_PARSER_FAULTS = {
    _ERRORS.ERR_INVALID_CHAR: "undecodable-bytes",
    _ERRORS.ERR_INVALID_ENCODING: "undecodable-bytes",
    _ERRORS.ERR_UNDECLARED_ENTITY: "xml-entity",
    _ERRORS.WAR_UNDECLARED_ENTITY: "xml-entity",
    _ERRORS.ERR_NAME_TOO_LONG: "xml-limits",
    _ERRORS.ERR_ENTITY_LOOP: "xml-entity",
    _ERRORS.ERR_RESOURCE_LIMIT: "xml-limits",
}
_FAULT_SENTENCES = {
    "too-large": "the document is longer than 64 MiB",
    "xml-dtd": "the document has a DTD, which could hide or inflate content",
    "xml-entity": "the document defines its own entities",
    "xml-limits": "the document is nested too deeply or is too large",
    "undecodable-bytes": "the document has bytes that are invalid in its encoding",
    "encoding-unknown": "the encoding of the document is not supported",
    "encoding-mismatch": "the document is not in the encoding that it declares",
    "broken-xml": "the document is not well-formed XML",
    "no-clinical-document": "the XML is not an HL7 ClinicalDocument",
}


def looks_clinical(path: Path) -> bool:
    """Whether a file begins like a C-CDA document, in any encoding that contains ASCII."""
    try:
        with path.open("rb") as file:
            head = file.read(_PARSED_HEAD_BYTES)
    except OSError:
        return False
    return _ROOT.search(head.replace(b"\0", b"")) is not None


def parse_document(path: Path) -> Any:
    """The root element of a document, without comments and processing instructions.

    Raises:
        DeidError: one of the codes of `_FAULT_SENTENCES`.
    """
    if path.stat().st_size > LARGEST_DOCUMENT:
        raise document_refusal("too-large")
    data = path.read_bytes()
    _check_encoding(data)
    if _has_dtd(data):
        raise document_refusal("xml-dtd")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        code = _PARSER_FAULTS.get(error.code, "broken-xml")
        raise document_refusal(code) from None
    except (ValueError, LookupError):
        raise document_refusal("encoding-unknown") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise document_refusal("xml-dtd")
    if root.tag != f"{{{V3}}}ClinicalDocument":
        raise document_refusal("no-clinical-document")
    if any(not isinstance(node.tag, str) for node in root.iter()):
        raise document_refusal("xml-entity")
    return root


def _has_dtd(data: bytes) -> bool:
    """Whether a document type precedes the root. Checked in the bytes before parsing."""
    plain = data.replace(b"\0", b"")
    for mark in _BYTE_ORDER_MARKS:
        plain = plain.removeprefix(mark)
    at = 0
    while match := _BEFORE_ROOT.match(plain, at):
        at = match.end()
    return plain.startswith(b"<!DOCTYPE", at)


def _check_encoding(data: bytes) -> None:
    marked = next((mark for mark in _BYTE_ORDER_MARKS if data.startswith(mark)), b"")
    declared = _DECLARED.search(data[:1024].replace(b"\0", b""))
    name = declared[1].decode("ascii").casefold() if declared else "utf-8"
    if name not in _KNOWN_ENCODINGS | _NARROW:
        raise document_refusal("encoding-unknown")
    wide = len(marked) == 2 or b"\0" in data[:8]
    if wide != name.startswith("utf-16") and (declared or wide) and not (wide and not declared):
        raise document_refusal("encoding-mismatch")
    if name in _NARROW and (marked or _is_utf8(data)):
        raise document_refusal("encoding-mismatch")


def _is_utf8(data: bytes) -> bool:
    """Whether non-ASCII bytes are all UTF-8. Read as Latin-1, names would not be found."""
    if data.isascii():
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def document_refusal(code: str) -> DeidError:
    """The error for a document that cannot be read."""
    return unreadable(code, _FAULT_SENTENCES[code], hint="export the document again")
