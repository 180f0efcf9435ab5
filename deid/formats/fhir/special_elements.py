"""Read the elements with rules of their own: references, attachments, pictures, narratives."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from deid.formats.fhir.attachment import (
    is_document_type,
    is_image,
    open_attachment,
    written_type,
)
from deid.formats.fhir.definitions.element_types import reference_types
from deid.formats.fhir.definitions.loci import locus_named
from deid.formats.fhir.definitions.unfolded_types import TypePart
from deid.formats.fhir.narrative import read_narrative, write_narrative
from deid.formats.fhir.references import read_pointer
from deid.formats.fhir.resource_tree import ClosedToken, ResourceNode
from deid.vocabularies import in_list

if TYPE_CHECKING:
    from deid.formats.fhir.walk import Walk

_CONTENT_TYPE = re.compile(
    r"((?:text|image|audio|video|application|message|multipart|model)/[A-Za-z0-9.+-]{1,60})"
    r"(?:\s*;\s*charset=\"?((?i:utf-?8|utf-?16|us-ascii|iso-8859-\d{1,2}|windows-125\d)))?"
)


def _pointer(
    walk: Walk, part: TypePart, value: Any, parent: dict[str, Any], hint: str
) -> ResourceNode | None:
    """References, full URLs and request URLs: the leaf is their key."""
    pointer = read_pointer(value) if isinstance(value, str) else None
    if pointer is None:
        walk.drop(part.path)
        return None
    if pointer.form == "type":
        return ClosedToken(pointer.target)
    target = hint or pointer.target or _entry_type(parent)
    if part.place.kind.startswith("Bundle.entry") and target == "Patient":
        target = "own"
    known = target == "own" or target in reference_types()
    shown = f"{part.path}[{target}]" if known else part.path
    locus = locus_named(shown, f"Reference.reference[{target}]" if known else "")
    if locus.profile.kind == "unsure":
        locus = locus_named(shown, "Reference.reference")
    return walk.leaf(locus, pointer.key, "pointer", replace(pointer, key=""))


def _attachment_url(
    walk: Walk, part: TypePart, value: Any, parent: dict[str, Any], hint: str
) -> ResourceNode | None:
    """The URL of an attachment: a URL of a resource is treated as a reference."""
    pointer = read_pointer(value) if isinstance(value, str) else None
    if pointer is not None and pointer.target:
        return _pointer(walk, part, value, parent, hint)
    return walk.one(part, part.element, value, 0, hint)


def _uri_identifier(
    walk: Walk, part: TypePart, value: Any, parent: dict[str, Any], hint: str
) -> ResourceNode | None:
    """The value of an identifier: a UUID or OID keeps the form of a URN."""
    urn = parent.get("system") == "urn:ietf:rfc:3986" and isinstance(value, str)
    pointer = read_pointer(value) if urn else None
    if pointer is None or pointer.form not in ("uuid", "oid"):
        return walk.one(part, part.element, value, 0, hint)
    locus, _ = part.locus(hint)
    return walk.leaf(locus, pointer.key, "pointer", replace(pointer, key=""))


def _content_type(
    walk: Walk, part: TypePart, value: Any, parent: dict[str, Any], hint: str
) -> ResourceNode | None:
    """A content type without its parameters (such as a file name), except the character set."""
    found = _CONTENT_TYPE.match(value) if isinstance(value, str) else None
    if found is None:
        walk.drop(part.path)
        return None
    charset = f"; charset={found[2]}" if found[2] else ""
    written = written_type(found[1], parent.get("data"), walk.rtf)
    listed = in_list("mime", written) or is_document_type(written)
    locus, kind = part.locus(hint if listed else "unlisted")
    same = found[0] == value and written == found[1]
    return walk.leaf(locus, value if same else written + charset, kind)


def _target_type(
    walk: Walk, part: TypePart, value: Any, parent: dict[str, Any], hint: str
) -> ResourceNode | None:
    """`Reference.type`: the name of a resource type."""
    if isinstance(value, str) and value in reference_types():
        return ClosedToken(value)
    walk.drop(part.path)
    return None


def _attachment_data(
    walk: Walk, part: TypePart, value: Any, parent: dict[str, Any], hint: str
) -> ResourceNode | None:
    """`data` of an attachment or a Binary: text is searched, other data is not released."""
    opened = open_attachment(parent.get("contentType"), value, walk.rtf)
    if opened is None:
        return walk.bytes(part, image=is_image(parent.get("contentType")))
    note, text = opened
    walk.left["written-as-text"] += note.document.becomes_text
    return walk.leaf(locus_named(f"{part.path}[text]", "string"), text, "note", note)


def _photo(
    walk: Walk, part: TypePart, value: Any, parent: dict[str, Any], hint: str
) -> ResourceNode | None:
    """The photo of a person: counted, never released."""
    walk.left["photos"] += 1
    walk.leaf(locus_named(part.path, "base64Binary[image]", part.place.role), "photo", "bytes")
    return None


def _div(
    walk: Walk, part: TypePart, value: Any, parent: dict[str, Any], hint: str
) -> ResourceNode | None:
    """`div` of a narrative: the leaf is the text between its tags."""
    if not isinstance(value, str):
        walk.drop(part.path)
        return None
    markup, text = read_narrative(value)
    if not text:
        return ClosedToken(write_narrative(markup, ""))
    return walk.leaf(locus_named(part.path, "xhtml"), text, "narrative", markup)


Special = Callable[["Walk", TypePart, Any, dict[str, Any], str], ResourceNode | None]
SPECIAL_ELEMENTS: dict[tuple[str, str], Special] = {
    ("Reference", "reference"): _pointer,
    ("Reference", "type"): _target_type,
    ("Identifier", "value"): _uri_identifier,
    ("Bundle.entry", "fullUrl"): _pointer,
    ("Bundle.entry.request", "url"): _pointer,
    ("Bundle.entry.request", "ifNoneExist"): _pointer,
    ("Bundle.entry.response", "location"): _pointer,
    ("Attachment", "url"): _attachment_url,
    ("Attachment", "contentType"): _content_type,
    ("Binary", "contentType"): _content_type,
    ("Attachment", "data"): _attachment_data,
    ("Binary", "data"): _attachment_data,
    ("Narrative", "div"): _div,
    ("Patient", "photo"): _photo,
    ("Person", "photo"): _photo,
    ("Practitioner", "photo"): _photo,
    ("RelatedPerson", "photo"): _photo,
}


def _entry_type(parent: dict[str, Any]) -> str:
    """The type of the resource in the same Bundle entry as a full URL, or ""."""
    resource = parent.get("resource")
    kind = resource.get("resourceType") if isinstance(resource, dict) else None
    return kind if isinstance(kind, str) and kind in reference_types() else ""
