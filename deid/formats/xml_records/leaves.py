"""The leaves of an XML record: values with their paths, and how they are written back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from deid.formats.hl7v2.escapes import Delimiters
from deid.formats.hl7v2.fields import take_field
from deid.formats.hl7v2.loci import type_of
from deid.formats.hl7v2.pieces import Message, Value, released_pieces
from deid.vocabularies.locus import Locus


class XmlRecordLeaf(Protocol):
    """A value of a record and its path; `put` writes the released cell, or nothing for None."""

    @property
    def path(self) -> str: ...
    @property
    def value(self) -> str: ...
    def put(self, cell: str | None) -> None: ...


@dataclass(frozen=True, slots=True)
class XmlLeaf:
    """An attribute, or the text of an element if `name` is empty."""

    path: str
    value: str = field(repr=False)
    node: Any = field(repr=False)
    name: str = ""

    def put(self, cell: str | None) -> None:
        """Write the cell; an attribute without a cell stays as an empty attribute."""
        if self.name:
            self.node.set(self.name, cell or "")
        else:
            self.node.text = cell or None


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
        text = "".join(self.message.pieces)
        if self.name:
            self.node.set(self.name, text)
        else:
            self.node.text = text or None


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
    found = [
        (MessageLeaf(value.place.path, value.text, value, message), value.place.locus)
        for value in message.values
    ]
    return FieldText(node, message, name), found
