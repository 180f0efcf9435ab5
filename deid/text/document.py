"""One text and whose it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from recognizers import KnownValues


@dataclass(frozen=True, slots=True)
class Document:
    """A note or a text cell. `ordinal` is its place in the job; the `repr` shows no content.

    `patient` is the key of its person within the job, `known` what is known of that person.
    """

    ordinal: int
    text: str = field(repr=False)
    patient: str | None = field(default=None, repr=False)
    known: KnownValues | None = field(default=None, repr=False)
