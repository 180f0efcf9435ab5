"""A row in the table flow and the changes to its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deid.decision import Decision, RowOut
from deid.formats import Record
from deid.text.change import Change
from deid.text.note_lines import JoinedLines, split_lines
from deid.text.scrubber import Scrubbed, WithheldText
from deid.transforms import Outcome
from recognizers import KnownValues
from safe_harbor import Identifier, Residue

# The source of a change that blanked a kept cell; the reason may follow after a colon.
KEPT_CELL = "kept_cell"


def why_blanked(source: str) -> str:
    """Why a kept cell was blanked, from the source of its change; "" for any other change."""
    kind, _, why = source.partition(":")
    return (why or "known") if kind == KEPT_CELL else ""


@dataclass(slots=True)
class RowInProgress:
    """A row in the table flow: its person, what is known of them, and its current cells."""

    record: Record
    owner: str | None
    known: KnownValues | None = field(repr=False)
    cells: list[str | None] = field(repr=False)
    changes: dict[int, tuple[Change, ...]] = field(default_factory=dict)
    texts: dict[int, tuple[str, str]] = field(default_factory=dict, repr=False)
    code: str = ""
    told: KnownValues | None = field(default=None, repr=False)
    late: bool = False

    def out(self) -> RowOut:
        """The finished row."""
        if self.code:
            return RowOut(self.record.ordinal, None, self.code, self.owner)
        return RowOut(
            self.record.ordinal,
            tuple(self.cells),
            "",
            self.owner,
            self.told,
            self.changes,
            self.texts,
            self.record.skeleton,
            self.late,
        )


def take_text(row: RowInProgress, index: int, value: str, result: Scrubbed | WithheldText) -> None:
    """Put a scrubbed text into its cell; a text that was withheld withholds the row."""
    if isinstance(result, WithheldText):
        row.code = result.code
        return
    row.cells[index] = result.text
    row.texts[index] = (value, result.text)
    row.changes[index] = result.changes


def take_lines(
    rows: Sequence[RowInProgress], index: int, joined: JoinedLines, result: Scrubbed | WithheldText
) -> None:
    """Put a scrubbed note back into the rows of its lines; if it was withheld, they all are."""
    if isinstance(result, WithheldText):
        for row in rows:
            row.code = result.code
        return
    lines = split_lines(joined, result.text, result.changes)
    for row, (text, changes) in zip(rows, lines, strict=True):
        before = row.record.cells[index]
        if before is None:
            continue
        row.cells[index] = text
        row.texts[index] = (before, text)
        row.changes[index] = changes


def withhold_cell(
    row: RowInProgress, decision: Decision, value: str, word: Identifier, why: str = "known"
) -> None:
    """Blank a cell of a kept column, and count it under that identifier."""
    row.cells[decision.index] = ""
    row.changes[decision.index] = (blanked_cell(value, word, why),)


def blanked_cell(value: str, word: Identifier, why: str) -> Change:
    """The change that blanks a kept cell; `why` is `known` or a key of `UNVOUCHED`."""
    source = KEPT_CELL if why == "known" else f"{KEPT_CELL}:{why}"
    return Change(0, len(value), 0, 0, word, "", "remove", Residue.NOTHING, source, 1.0, 1)


def record_cell_change(
    row: RowInProgress, decision: Decision, value: str, outcome: Outcome
) -> None:
    """Record that a whole cell was transformed."""
    row.changes[decision.index] = (
        Change(0, len(value), 0, len(outcome.text), *decision.change_facts(outcome.residue)),
    )
