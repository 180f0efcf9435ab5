"""The only XML parser in use.

It refuses DTDs, entities and oversized documents before any of their content is used, and drops
comments and processing instructions.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lxml import etree

from deid.errors import DeidError, unreadable
from deid.vocabularies.quarantine_codes import reason

LARGEST_XML = 1 << 26
# The time to read the attributes of one element grows with the square of their number.
MOST_ATTRIBUTES = 1000
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


def parse_xml_file(path: Path) -> Any:
    """The root element of a file.

    Raises:
        DeidError: `too-large`, and the codes of `parse_xml`.
    """
    if path.stat().st_size > LARGEST_XML:
        raise xml_refusal("too-large")
    return parse_xml(path.read_bytes())


def parse_xml(data: bytes) -> Any:
    """The root element of a document, without comments and processing instructions.

    Raises:
        DeidError: `broken-xml`, `xml-dtd`, `xml-entity`, `xml-limits`, `undecodable-bytes`,
            `encoding-unknown`, `encoding-mismatch`.
    """
    _check_encoding(data)
    if _has_dtd(data):
        raise xml_refusal("xml-dtd")
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
        raise xml_refusal(_PARSER_FAULTS.get(error.code, "broken-xml")) from None
    except (ValueError, LookupError):
        raise xml_refusal("encoding-unknown") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise xml_refusal("xml-dtd")
    for node in root.iter():
        if not isinstance(node.tag, str):
            raise xml_refusal("xml-entity")
        if len(node.attrib) > MOST_ATTRIBUTES:
            raise xml_refusal("xml-limits")
    return root


def _has_dtd(data: bytes) -> bool:
    """Whether the bytes hold a document type before the root element; nothing is parsed yet."""
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
        raise xml_refusal("encoding-unknown")
    wide = len(marked) == 2 or b"\0" in data[:8]
    if wide != name.startswith("utf-16") and (declared or wide) and not (wide and not declared):
        raise xml_refusal("encoding-mismatch")
    if name in _NARROW and (marked or _is_utf8(data)):
        raise xml_refusal("encoding-mismatch")


def _is_utf8(data: bytes) -> bool:
    """Whether the data holds non-ASCII characters in valid UTF-8.

    If the data were read as Latin-1, names with these characters would not be found.
    """
    if data.isascii():
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def xml_refusal(code: str) -> DeidError:
    """The error for a document that cannot be read."""
    told = reason(code)
    return unreadable(code, told.what, hint=told.way_out)
