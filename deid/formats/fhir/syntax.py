"""What JSON and XML have in common as files of FHIR: parts to read, and texts to write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from deid.formats.contract import RecordFault

Shape = Literal["lines", "bundle", "resource"]
FilePart = Literal["line", "shell", "entry"]


class FhirPart(Protocol):
    """A resource of a file, an entry of its Bundle, or the Bundle without entries (`shell`)."""

    @property
    def ordinal(self) -> int: ...
    @property
    def part(self) -> FilePart: ...
    def value(self) -> Any:
        """The part as FHIR has it in JSON. Raises `JsonError`."""


class Syntax(Protocol):
    """How a file is read and written; texts are without the end of their line."""

    def parts(self, path: Path, shape: Shape) -> Iterator[FhirPart | RecordFault]: ...
    def resource(self, value: dict[str, Any]) -> str: ...
    def entry(self, value: dict[str, Any], *, first: bool) -> str:
        """An entry of a Bundle with what stands between it and the one before."""

    def bundle(self, shell: dict[str, Any]) -> tuple[str, str]:
        """What stands in a Bundle before its entries, and what stands behind them."""


@dataclass(frozen=True, slots=True)
class FhirLayout:
    """How a file is laid out: its shape, and its syntax."""

    shape: Shape
    syntax: Syntax
