"""Seeded leaks: changes shown as if they had been missed, to measure how many a reviewer finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deid.review.released_notes import NotePlace, ReviewBatch, ReviewedCell
from deid.review.sampling.sampling_plan import Rank, SampledNote, SamplingPlan
from deid.text.change import Change
from safe_harbor import Identifier, Residue

# Values shown without originals, for categories whose made-up values are recognizable.
MADE_UP: dict[Identifier, tuple[str, ...]] = {
    Identifier.NAMES: ("Harriet Lindqvist", "Tomasz Okafor", "Dr. Bell-Moreau", "Ngozi Abernathy"),
    Identifier.PLACES: ("418 Orchard Lane", "Millbrook", "Saint Ansgar Hospital", "77 Quay Street"),
    Identifier.DATES: ("03/14/2019", "November 2", "14-Jun", "2/27"),
    Identifier.PHONES: ("(555) 010-4471", "555-0163", "555.010.9982"),
    Identifier.MRNS: ("00719346", "MR-448120", "5530917"),
    Identifier.EMAILS: ("h.lindqvist@example.org", "okafor77@example.com"),
}
_VISIBLE = (Residue.TAG, Residue.NOTHING, Residue.RANDOM_CODE, Residue.SURROGATE, Residue.YEAR)


@dataclass(frozen=True, slots=True)
class SeededLeak:
    """One change that the page shows as if it had not been made."""

    place: NotePlace
    column: int
    change: int
    word: Identifier


def plant_errors(plan: SamplingPlan, batch: ReviewBatch, rank: Rank) -> tuple[SeededLeak, ...]:
    """Choose the seeded leaks of a plan: at most one per note, rotating through the categories."""
    notes = sorted(
        (batch.notes[batch.number((p.unit.file, p.unit.record))] for p in plan.picks),
        key=lambda note: rank("seeded", _sampled_note(plan, note.place)),
    )
    leaks: list[SeededLeak] = []
    used = defaultdict[Identifier, int](int)
    for note in notes:
        if len(leaks) == plan.design.seeded:
            break
        options = [
            SeededLeak(note.place, cell.column, number, change.identifier)
            for cell in batch.cells(note)
            for number, change in enumerate(cell.changes)
            if change.residue in _VISIBLE and _planted_text(cell, change, number) is not None
        ]
        if options:
            least = min(used[option.word] for option in options)
            choice = [option for option in options if used[option.word] == least]
            chance = rank("seeded change", _sampled_note(plan, note.place))
            leaks.append(choice[int(chance * len(choice))])
            used[leaks[-1].word] += 1
    return tuple(leaks)


def _sampled_note(plan: SamplingPlan, place: NotePlace) -> SampledNote:
    return next(p.unit for p in plan.picks if (p.unit.file, p.unit.record) == place)


def _planted_text(cell: ReviewedCell, change: Change, number: int) -> str | None:
    """The text of a seeded leak: the original, or a made-up value of the same category."""
    if cell.before is not None:
        value = cell.before[change.start : change.end]
        return value if value.strip() and "\n" not in value else None
    made_up = MADE_UP.get(change.identifier)
    return None if made_up is None else made_up[number % len(made_up)]


@dataclass(frozen=True, slots=True)
class PlantedError:
    """A cell as shown, with its seeded leak, and the mapping to the released text.

    `numbers` are the indexes of the changes still shown, without the seeded one. `out` is the
    position of the seeded change in the release, and `at` is the position of its text as shown.
    """

    cell: ReviewedCell
    numbers: tuple[int, ...]
    out: tuple[int, int] | None = None
    at: tuple[int, int] | None = None

    def released(self, start: int, end: int) -> tuple[int, int, bool]:
        """Map shown offsets to released offsets; True if they touch the seeded leak."""
        if self.out is None or self.at is None:
            return start, end, False
        if start < self.at[1] and end > self.at[0]:
            return *self.out, True
        shift = (self.out[1] - self.out[0]) - (self.at[1] - self.at[0])
        return (start, end, False) if end <= self.at[0] else (start + shift, end + shift, False)

    def shown(self, start: int, end: int) -> tuple[int, int]:
        """Map released offsets to shown offsets."""
        if self.out is None or self.at is None or end <= self.out[0]:
            return start, end
        if (start, end) == self.out:
            return self.at
        shift = (self.at[1] - self.at[0]) - (self.out[1] - self.out[0])
        return start + shift, end + shift


def plant_error(cell: ReviewedCell, leaks: Sequence[SeededLeak]) -> PlantedError:
    """The cell as shown: as released, or with its seeded leak."""
    leak = next((x for x in leaks if x.column == cell.column), None)
    numbers = tuple(range(len(cell.changes)))
    if leak is None or leak.change >= len(cell.changes):
        return PlantedError(cell, numbers)
    gone = cell.changes[leak.change]
    text = _planted_text(cell, gone, leak.change)
    if text is None:
        return PlantedError(cell, numbers)
    shift = len(text) - (gone.out_end - gone.out_start)
    changes = tuple(
        change
        if change.out_end <= gone.out_start
        else replace(change, out_start=change.out_start + shift, out_end=change.out_end + shift)
        for change in cell.changes
        if change is not gone
    )
    after = cell.after[: gone.out_start] + text + cell.after[gone.out_end :]
    before = cell.before
    planted = ReviewedCell(cell.column, cell.header, before, after, changes)
    at = (gone.out_start, gone.out_start + len(text))
    shown = tuple(n for n in numbers if n != leak.change)
    return PlantedError(planted, shown, (gone.out_start, gone.out_end), at)
