"""Cells that leave as they are: none that looks like an identifier, or holds what is known.

A column that the policy or the profile keeps is believed, its single cells are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from deid.decision import Decision
from deid.people.known_cells import KnownColumns
from deid.tables.question_columns import answer_columns, label_columns
from deid.tables.row import RowInProgress, withhold_cell
from recognizers import is_null, labelled_identifier

LEAST_OWN = 4
LARGEST_MEMO = 1 << 17
# Between the cells of a row: no form of a value runs across it.
WALL = "\n\n¦¦¦\n\n"
_PLAIN = re.compile(r"\d{1,4}|[-+]?\d{0,4}\.\d+|.{1,2}|")


@dataclass(slots=True)
class KeptCells:
    """The kept cells of one table, and what their rows tell of themselves by its columns `own`."""

    decisions: tuple[Decision, ...]
    own: KnownColumns
    _kept: dict[int, Decision] = field(init=False, repr=False)
    _labels: tuple[int, ...] = field(init=False)
    _answers: tuple[Decision, ...] = field(init=False, repr=False)
    _clean: set[tuple[str | None, str]] = field(default_factory=set, repr=False)

    def __post_init__(self) -> None:
        self._kept = {d.index: d for d in self.decisions if d.stays}
        self._labels, self._answers = label_columns(self.decisions), answer_columns(self.decisions)

    def check(self, row: RowInProgress) -> None:
        """A kept cell that looks like an identifier, or holds what is known, does not leave."""
        standing = []
        for index, value in enumerate(row.cells):
            if value is None or (decision := self._kept.get(index)) is None or is_null(value):
                continue
            if (refusal := decision.refuses(value)) is not None:
                withhold_cell(row, decision, value, *refusal)
            elif not is_plain(value) and (row.told or (row.owner, value) not in self._clean):
                standing.append((decision, value))
        if not standing:
            return
        if row.owner is None:
            self._check_against_own(row, standing)
        if not row.known:
            return
        text = "".join(value + WALL for _, value in standing)
        findings = row.known.find(text)
        start = 0
        for decision, value in standing:
            end = start + len(value)
            hit = next((f for f in findings if f.start < end and f.end > start), None)
            if hit is not None:
                withhold_cell(row, decision, value, hit.identifier)
            elif row.owner is not None and not row.told and len(self._clean) < LARGEST_MEMO:
                self._clean.add((row.owner, value))
            start = end + len(WALL)

    def check_answers(self, row: RowInProgress) -> None:
        """An answer that its question calls an identifier does not leave."""
        for index in self._labels:
            label = row.record.cells[index] or ""
            for decision in self._answers if label else ():
                value = row.record.cells[decision.index] or ""
                word = labelled_identifier(label, value) if value else None
                if word is not None and row.cells[decision.index]:
                    row.texts.pop(decision.index, None)
                    withhold_cell(row, decision, value, word)

    def _check_against_own(
        self, row: RowInProgress, standing: Sequence[tuple[Decision, str]]
    ) -> None:
        """A row of nobody's: its kept cells against its own identifiers, letter by letter."""
        own = [
            (known.identifier, known.value.casefold())
            for known in self.own.values(row.record.cells)
            if len(known.value) >= LEAST_OWN and known.part != "comment"
        ]
        for decision, value in standing:
            held = next((word for word, known in own if known in value.casefold()), None)
            if held is not None:
                withhold_cell(row, decision, value, held)


@lru_cache(maxsize=1 << 14)
def is_plain(value: str) -> bool:
    """Short numbers, decimals and one or two letters name nobody by themselves."""
    return bool(_PLAIN.fullmatch(value))
