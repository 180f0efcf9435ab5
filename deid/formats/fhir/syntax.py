"""The common interface of FHIR files in JSON and XML: parts to read, and texts to write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from deid.formats.contract import RecordFault

Shape = Literal["lines", "bundle", "array", "resource"]
FilePart = Literal["line", "shell", "entry"]


class FhirPart(Protocol):
    """A resource of a file, an entry of its Bundle, or the Bundle without entries (`shell`)."""

    @property
    def ordinal(self) -> int: ...
    @property
    def part(self) -> FilePart: ...
    def value(self) -> Any:
        """The part as FHIR JSON. Raises `JsonError`."""


class Syntax(Protocol):
    """How a file is read and written; texts have no line end."""

    def parts(self, path: Path, shape: Shape) -> Iterator[FhirPart | RecordFault]: ...
    def resource(self, value: dict[str, Any]) -> str: ...
    def entry(self, value: dict[str, Any], *, first: bool) -> str:
        """The text of a Bundle entry, with the separator from the previous entry before it."""

    def bundle(self, shell: dict[str, Any]) -> tuple[str, str]:
        """The text of a Bundle before its entries, and the text after them."""


@dataclass(frozen=True, slots=True)
class FhirLayout:
    """The layout of a file: its shape and its syntax."""

    shape: Shape
    syntax: Syntax
