"""The contract of a transform: it replaces a value and declares the residue."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from safe_harbor import Census, Identifier, Residue

if TYPE_CHECKING:
    from recognizers import KnownValues


class CodeSource(Protocol):
    """Supplies codes and surrogates; `deid.crosswalk.CodeAllocator` is one."""

    def __call__(self, identifier: Identifier, person: str | None, value: str, /) -> str:
        """Return the random code of a value."""
        ...

    def keep(self, kind: str, person: str | None, key: str, draw: Callable[[], str], /) -> str:
        """Return the surrogate of a person's key under `kind`, drawn once and kept."""
        ...

    def single_write(self) -> AbstractContextManager[None]:
        """A context in which everything drawn is written at once."""
        ...


@runtime_checkable
class RemoteCrosswalk(Protocol):
    """A source of outcomes for a worker without a crosswalk; it records values that have none."""

    def outcome(self, transform: Transform, value: str, context: TransformContext, /) -> Outcome:
        """The outcome drawn elsewhere; for a value that has none, record it and return any."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The text that replaces a value, and the residue of the value in it."""

    text: str
    residue: Residue


class Numbering:
    """Numbers the tags of one person in order of appearance; the same value has the same number."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], int] = {}
        self._last: dict[str, int] = {}

    def number(self, label: str, value: str) -> int:
        """The number of this value within its label, from 1."""
        key = (label, " ".join(value.casefold().split()))
        if key not in self._seen:
            self._last[label] = self._last.get(label, 0) + 1
            self._seen[key] = self._last[label]
        return self._seen[key]

    def __repr__(self) -> str:
        return f"Numbering({len(self._seen)} values)"


@dataclass(frozen=True, slots=True)
class TransformContext:
    """Everything a transform may use besides the value. Its `repr` is safe to print.

    `numbering` is None for plain tags. `birth` says that the value is a birth date or year; one
    that shows an age over 89 on `reference_date` becomes `90+` (164.514(b)(2)(i)(C)). `known` holds
    the person's known values; `allocate` is None without a crosswalk. `where` is "text" or
    "column". `over_89` says that the rest of the row shows a person over 89 on `reference_date`, so
    the value would reveal the age. `beside` is the row's cell in the column that the action names.
    `key_number` returns the number of a key in the job.
    """

    identifier: Identifier
    entity: str
    reference_date: date
    census: Census = "2020"
    where: str = "text"
    birth: bool = False
    over_89: bool = False
    beside: str | None = field(default=None, repr=False)
    person: str | None = field(default=None, repr=False)
    numbering: Numbering | None = None
    known: KnownValues | None = field(default=None, repr=False)
    allocate: CodeSource | None = field(default=None, repr=False)
    key_number: Callable[[str], int | None] | None = field(default=None, repr=False)


class Transform(Protocol):
    """One way to remove or replace a value.

    `name` is its key in a policy. `residues(entity)` is everything that `apply` may leave of a
    value of that Presidio entity type. The policy is checked against these residues before any
    record is read, so `apply` must leave nothing else.
    """

    @property
    def name(self) -> str: ...
    def residues(self, entity: str) -> frozenset[Residue]: ...
    @property
    def needs_crosswalk(self) -> bool: ...
    def apply(self, value: str, context: TransformContext) -> Outcome: ...


def apply(transform: Transform, value: str, context: TransformContext) -> Outcome:
    """Apply a transform to a value, through a remote crosswalk if the job has one."""
    desk = context.allocate
    if desk is not None and transform.needs_crosswalk and isinstance(desk, RemoteCrosswalk):
        return desk.outcome(transform, value, context)
    return transform.apply(value, context)
