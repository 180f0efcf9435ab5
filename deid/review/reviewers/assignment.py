"""Divides the sample among the reviewers, with a part that all of them read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import floor

from deid.errors import DeidError
from deid.review.released_notes import NotePlace


@dataclass(frozen=True, slots=True)
class Assignment:
    """The reviewers, and the share of the sample that all of them read.

    The order of the sample is random, so notes are assigned by their position in the sample. In any
    part of the sample, all reviewers read the same share of the notes.
    """

    reviewers: tuple[str, ...]
    overlap: float

    def __post_init__(self) -> None:
        if not 0 <= self.overlap <= 1:
            raise DeidError(
                "overlap-invalid", "--overlap must be from 0 to 1", hint="for example --overlap 0.2"
            )

    def readers(self, places: Sequence[NotePlace]) -> list[tuple[NotePlace, tuple[str, ...]]]:
        """The notes of the sample, in order, each with its readers.

        >>> plan = Assignment(("ann", "ben"), 0.5)
        >>> [len(readers) for _, readers in plan.readers([(1, n) for n in range(1, 7)])]
        [1, 2, 1, 2, 1, 2]
        """
        alone = count()
        return [
            (
                place,
                self.reviewers
                if floor((at + 1) * self.overlap) > floor(at * self.overlap)
                else (self.reviewers[next(alone) % len(self.reviewers)],),
            )
            for at, place in enumerate(places)
        ]


def assigned_places(
    assignment: Assignment | None, places: Sequence[NotePlace], reviewer: str | None
) -> list[NotePlace]:
    """The notes of the sample that a reviewer must read: all, if none are assigned to them."""
    if assignment is None or reviewer not in assignment.reviewers:
        return list(places)
    return [place for place, readers in assignment.readers(places) if reviewer in readers]
