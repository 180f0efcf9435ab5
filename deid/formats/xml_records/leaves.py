"""The leaves of an XML record: values with their paths, and how they are written back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from deid.formats.hl7v2.escapes import Delimiters
from deid.formats.hl7v2.fields import take_field
from deid.formats.hl7v2.loci import type_of
from deid.formats.hl7v2.pieces import Message, Value, released_pieces
from deid.vocabularies.locus import Locus


@dataclass(frozen=True, slots=True)
class XmlLeaf:
    """An attribute, or the text of an element if `name` is empty."""

    path: str
    value: str = field(repr=False)
    node: Any = field(repr=False)
    name: str = ""

    def put(self, cell: str | None) -> None:
        """Write the cell; an attribute without a cell stays as an empty attribute."""
        _put_text(self.node, self.name, cell or "")


@dataclass(frozen=True, slots=True)
class MessageLeaf:
    """A value of HL7 v2 within a message or a field that is written in XML."""

    path: str
    value: str = field(repr=False)
    written: Value = field(repr=False)
    message: Message = field(repr=False)

    def put(self, cell: str | None) -> None:
        """Replace the raw pieces of the value in its message."""
        raws = released_pieces(self.message, self.written, cell)
        for piece, raw in zip(self.written.pieces, raws, strict=True):
            self.message.pieces[piece] = raw


@dataclass(frozen=True, slots=True)
class FieldText:
    """A text of XML that holds one field of HL7 v2, such as the author in a slot of XDS."""

    node: Any = field(repr=False)
    message: Message = field(repr=False)
    name: str = ""

    def finish(self) -> None:
        """Write the field with its released values."""
        _put_text(self.node, self.name, "".join(self.message.pieces))


def _put_text(node: Any, name: str, text: str) -> None:
    """Write the attribute of that name, or the text of the element if there is no name."""
    if name:
        node.set(name, text)
    else:
        node.text = text or None


def message_leaves(message: Message) -> Iterator[tuple[MessageLeaf, Locus | None]]:
    """The values of a message and their loci, in order."""
    for value in message.values:
        yield MessageLeaf(value.place.path, value.text, value, message), value.place.locus


def field_leaves(
    node: Any, segment: str, number: int, raw: str, rtf: str, name: str = ""
) -> tuple[FieldText, list[tuple[MessageLeaf, Locus | None]]]:
    """The values in an XML text that holds a field of HL7 v2.

    Raises:
        Unreadable: an error of `take_field`.
    """
    message = Message(Delimiters())
    kind = type_of(segment, number)
    message.add(take_field(segment, number, kind, raw, None, message.delimiters, rtf))
    return FieldText(node, message, name), list(message_leaves(message))
