"""What a transform is: it takes a value and says what it leaves in its place."""

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
    """Where codes and surrogates are asked for; `deid.crosswalk.CodeAllocator` is one."""

    def __call__(self, identifier: Identifier, person: str | None, value: str, /) -> str:
        """The random code of a value."""
        ...

    def keep(self, kind: str, person: str | None, key: str, draw: Callable[[], str], /) -> str:
        """What stands for a key of that person under `kind`: drawn once and kept."""
        ...

    def together(self) -> AbstractContextManager[None]:
        """What is drawn inside is one write."""
        ...


@runtime_checkable
class RemoteCrosswalk(Protocol):
    """A desk that has no crosswalk: it knows what was settled elsewhere, and notes the rest."""

    def outcome(self, transform: Transform, value: str, context: TransformContext, /) -> Outcome:
        """What was settled; anything at all of what is only noted."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The replacement, and what of the value it still holds."""

    text: str
    residue: Residue


class Numbering:
    """Numbers for the tags of one person: the same value, the same number, in order of sight."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], int] = {}
        self._last: dict[str, int] = {}

    def number(self, label: str, value: str) -> int:
        """The number of this value among those of its label, from 1."""
        key = (label, " ".join(value.casefold().split()))
        if key not in self._seen:
            self._last[label] = self._last.get(label, 0) + 1
            self._seen[key] = self._last[label]
        return self._seen[key]

    def __repr__(self) -> str:
        return f"Numbering({len(self._seen)} values)"


@dataclass(frozen=True, slots=True)
class TransformContext:
    """All a transform may know beside the value. Its `repr` is safe to print.

    `numbering` is None for plain tags. `birth` says the value is a birth date or birth year, so
    that one which shows an age over 89 on `reference_date` is pooled (164.514(b)(2)(i)(C)).
    `known` is what is known of the person; `allocate` is None without a crosswalk. `where` is
    "text" or "column". `over_89` says that what else the row tells of the person shows one over 89
    on `reference_date`, and that the value would give the age back. `index` is the row's date that
    an interval counts from. `key_number` gives the number of a key in the job.
    """

    identifier: Identifier
    entity: str
    reference_date: date
    census: Census = "2020"
    where: str = "text"
    birth: bool = False
    over_89: bool = False
    index: date | None = field(default=None, repr=False)
    person: str | None = field(default=None, repr=False)
    numbering: Numbering | None = None
    known: KnownValues | None = field(default=None, repr=False)
    allocate: CodeSource | None = field(default=None, repr=False)
    key_number: Callable[[str], int | None] | None = field(default=None, repr=False)


class Transform(Protocol):
    """One way to take a value out.

    `name` is its key in a policy. `residues(entity)` is everything `apply` may leave of a value of
    that Presidio entity type; the rule is judged on it before a single record is read, and `apply`
    must not leave anything else.
    """

    @property
    def name(self) -> str: ...
    def residues(self, entity: str) -> frozenset[Residue]: ...
    @property
    def needs_crosswalk(self) -> bool: ...
    def apply(self, value: str, context: TransformContext) -> Outcome: ...


def apply(transform: Transform, value: str, context: TransformContext) -> Outcome:
    """What the transform leaves of a value; one that asks the crosswalk, where there is one."""
    desk = context.allocate
    if desk is not None and transform.needs_crosswalk and isinstance(desk, RemoteCrosswalk):
        return desk.outcome(transform, value, context)
    return transform.apply(value, context)
