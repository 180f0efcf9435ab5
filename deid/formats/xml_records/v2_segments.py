"""HL7 v2 messages in XML: their segments are read with the rules of the vertical-bar encoding.

The elements are written again as they were: segments, fields and components with their numbers,
groups of known words. A message with any other element is withheld.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from deid.formats.cda.specs import local, namespace_of
from deid.formats.hl7v2.escapes import Delimiters, escape, unescape
from deid.formats.hl7v2.loci import is_composite, is_segment
from deid.formats.hl7v2.message import parse_message
from deid.formats.hl7v2.pieces import Message, Unreadable
from deid.formats.xml_records.leaves import MessageLeaf, message_leaves
from deid.vocabularies.locus import Locus
from deid.vocabularies.wording import NAME, names_nobody

_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")
_STRUCTURE = re.compile(r"(?:[A-Z]{3}(?:_[A-Z][A-Z0-9]{2})?|HL7Message)")
_SEGMENT_GROUP = re.compile(r"[A-Z]{3}_[A-Z0-9]{3}\.([A-Z0-9_]{2,40})")
_V2_PART = re.compile(r"((?:[A-Z][A-Z0-9]{1,2}|CM_[A-Z]{3})(?:\.\d{1,3}){0,2})[.-](\d{1,3})")
_ESCAPE_COMMAND = re.compile(r"\.[a-z]{2}[-+]?\d{0,4}|[FSTREHN]|X(?:[0-9A-Fa-f]{2})+")
# Types without components, and the types of version 2.3 for the fields that had none.
_SIMPLE = frozenset(["DT", "FT", "ID", "IS", "NM", "SI", "ST", "TM", "TN", "TS", "TX"])
_ER7_SIGNS = Delimiters()
_HEADER_SEGMENT = "MSH"
_DEEPEST_GROUP = 12

# The number of the field, and of the repetition, component and subcomponent from 0.
Position = tuple[int, int, int, int, int]


@dataclass(slots=True)
class SegmentTree:
    """A message in XML: its nodes by position, and the message that holds their values."""

    root: Any = field(repr=False)
    nodes: dict[Position, Any] = field(default_factory=dict, repr=False)
    message: Message = field(default_factory=Message, repr=False)
    strays: int = 0

    def leaves(self) -> Iterator[tuple[MessageLeaf, Locus | None]]:
        """The values of the message and their loci, in order."""
        return message_leaves(self.message)

    def finish(self) -> None:
        """Write the released values into the nodes."""
        lines = [line.split(_ER7_SIGNS.field) for line in "".join(self.message.pieces).split("\r")]
        for (line, number, *below), node in self.nodes.items():
            node.text = _value_at(lines[line], number, below) or None


def _value_at(line: Sequence[str], number: int, below: Sequence[int]) -> str:
    raw = line[number] if number < len(line) else ""
    signs = (_ER7_SIGNS.repetition, _ER7_SIGNS.component, _ER7_SIGNS.subcomponent)
    for sign, place in zip(signs, below, strict=True):
        parts = raw.split(sign)
        raw = parts[place] if place < len(parts) else ""
    return unescape(raw, _ER7_SIGNS)


def is_v2_message(element: Any) -> bool:
    """Whether the element is a message: its name is that of a structure and MSH is within it."""
    name = local(element)
    return _STRUCTURE.fullmatch(name) is not None and any(
        local(child) == _HEADER_SEGMENT for child in element
    )


def take_v2_message(old: Any, rtf: str) -> SegmentTree:
    """Read a message in XML.

    Raises:
        Unreadable: `unknown-segment`, `broken-segment`, or an error of `parse_message`.
    """
    space = namespace_of(old)
    tree = SegmentTree(etree.Element(old.tag, nsmap={None: space} if space else None))
    lines: list[str] = []
    _segment_groups(tree, old, tree.root, lines, 0)
    tree.message = parse_message("\r".join(lines), _ER7_SIGNS, rtf)
    return tree


def _segment_groups(tree: SegmentTree, old: Any, new: Any, lines: list[str], depth: int) -> None:
    tree.strays += len(old.attrib) > 0
    for child in old:
        name, copy = local(child), etree.SubElement(new, child.tag)
        group = _SEGMENT_GROUP.fullmatch(name)
        if _SEGMENT.fullmatch(name) and is_segment(name):
            lines.append(_segment_line(tree, child, copy, len(lines)))
        elif group is not None and depth < _DEEPEST_GROUP and _is_group_name(group[1]):
            _segment_groups(tree, child, copy, lines, depth + 1)
        else:
            raise Unreadable("unknown-segment")


def _is_group_name(name: str) -> bool:
    return names_nobody(name.replace("_", " "), NAME)


def _segment_line(tree: SegmentTree, old: Any, new: Any, line: int) -> str:
    """The segment in vertical bars, with its nodes noted."""
    name = local(old)
    fields: dict[int, list[str]] = {}
    tree.strays += bool((old.text or "").strip()) + bool(old.attrib)
    for child in old:
        number = _part_number(child, name)
        copy = etree.SubElement(new, child.tag)
        rep = fields.setdefault(number, [])
        if name == _HEADER_SEGMENT and number in (1, 2):
            copy.text = _ER7_SIGNS.field if number == 1 else "^~\\&"
            continue
        place = number - 1 if name == _HEADER_SEGMENT else number
        rep.append(_field_raw(tree, child, copy, (line, place, len(rep), 0, 0)))
    first = 3 if name == _HEADER_SEGMENT else 1
    last = max(fields, default=0)
    parts = ["~".join(fields.get(number, [])) for number in range(first, last + 1)]
    head = [_HEADER_SEGMENT, "^~\\&"] if name == _HEADER_SEGMENT else [name]
    return _ER7_SIGNS.field.join([*head, *parts])


def _part_number(element: Any, above: str) -> int:
    """The number of a field or component.

    Raises:
        Unreadable: the name is not that of a part of the element above.
    """
    found = _V2_PART.fullmatch(local(element))
    if found is None:
        raise Unreadable("broken-segment")
    holder = found[1].partition(".")[0]
    if above and holder != above:
        raise Unreadable("broken-segment")
    listed = holder in _SIMPLE or "_" in holder or is_composite(holder) or is_segment(holder)
    if not (above or listed):
        raise Unreadable("broken-segment")
    return int(found[2])


def _field_raw(tree: SegmentTree, old: Any, new: Any, at: Position) -> str:
    if not _parts_of(old):
        return _leaf(tree, old, new, at)
    components: dict[int, str] = {}
    for child in _parts_of(old):
        number = _part_number(child, "")
        copy = etree.SubElement(new, child.tag)
        where = (*at[:3], number - 1, 0)
        subs = _parts_of(child)
        if not subs:
            components[number] = _leaf(tree, child, copy, where)
            continue
        found: dict[int, str] = {}
        for sub in subs:
            if _parts_of(sub):
                raise Unreadable("broken-segment")
            place = _part_number(sub, "")
            below = etree.SubElement(copy, sub.tag)
            found[place] = _leaf(tree, sub, below, (*where[:4], place - 1))
        components[number] = _er7_parts(found, _ER7_SIGNS.subcomponent)
    return _er7_parts(components, _ER7_SIGNS.component)


def _er7_parts(parts: dict[int, str], sign: str) -> str:
    return sign.join(parts.get(number, "") for number in range(1, max(parts) + 1))


def _parts_of(element: Any) -> list[Any]:
    """The parts of an element, without the escapes within its text."""
    found = [child for child in element if local(child) != "escape"]
    if found and len(found) < len(element):
        raise Unreadable("broken-segment")
    texts = [element.text, *(child.tail for child in found)]
    if found and any(text and text.strip() for text in texts):
        raise Unreadable("broken-segment")
    return found


def _leaf(tree: SegmentTree, old: Any, new: Any, at: Position) -> str:
    """The raw value of an element without parts."""
    tree.nodes[at] = new
    tree.strays += bool(old.attrib)
    raw = [_escaped(old.text)]
    for child in old:
        command = child.get("V", "")
        if not _ESCAPE_COMMAND.fullmatch(command):
            raise Unreadable("broken-segment")
        raw += [f"\\{command}\\", _escaped(child.tail)]
    return "".join(raw)


def _escaped(text: str | None) -> str:
    """The text as a raw value; escapes of vertical bars that senders leave in it stay escapes."""
    parts = re.split(r"(\\(?:\.[a-z]{2}[-+]?\d{0,4}|[FSTREHN])\\)", (text or "").strip())
    return "".join(part if n % 2 else escape(part, _ER7_SIGNS) for n, part in enumerate(parts))
