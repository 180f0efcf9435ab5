"""Check kept cells one by one: none may look like an identifier or hold a known value.

A policy or profile that keeps a column is trusted for the column, not for each cell.
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
MAX_REMEMBERED_CELLS = 1 << 17
# Separates the cells of a row, so that no form of a value runs from one into the next.
CELL_SEPARATOR = "\n\n¦¦¦\n\n"
_PLAIN = re.compile(r"\d{1,4}|[-+]?\d{0,4}\.\d+|.{1,2}|")


@dataclass(slots=True)
class KeptCells:
    """The kept cells of one table; `own` are the columns that tell who each row is about."""

    decisions: tuple[Decision, ...]
    own: KnownColumns
    _kept: dict[int, Decision] = field(init=False, repr=False)
    _label_columns: tuple[int, ...] = field(init=False)
    _answer_columns: tuple[Decision, ...] = field(init=False, repr=False)
    _clean: set[tuple[str | None, str]] = field(default_factory=set, repr=False)

    def __post_init__(self) -> None:
        self._kept = {d.index: d for d in self.decisions if d.stays}
        self._label_columns, self._answer_columns = (
            label_columns(self.decisions),
            answer_columns(self.decisions),
        )

    def check(self, row: RowInProgress) -> None:
        """Blank kept cells that look like an identifier or hold a known value."""
        pending = []
        for index, value in enumerate(row.cells):
            if value is None or (decision := self._kept.get(index)) is None or is_null(value):
                continue
            if (refusal := decision.refuses(value)) is not None:
                withhold_cell(row, decision, value, *refusal)
            elif not is_plain(value) and (row.told or (row.owner, value) not in self._clean):
                pending.append((decision, value))
        if not pending:
            return
        if row.owner is None:
            self._check_against_own(row, pending)
        if not row.known:
            return
        text = "".join(value + CELL_SEPARATOR for _, value in pending)
        findings = row.known.find(text)
        start = 0
        for decision, value in pending:
            end = start + len(value)
            hit = next((f for f in findings if f.start < end and f.end > start), None)
            if hit is not None:
                withhold_cell(row, decision, value, hit.identifier)
            elif row.owner is not None and not row.told and len(self._clean) < MAX_REMEMBERED_CELLS:
                self._clean.add((row.owner, value))
            start = end + len(CELL_SEPARATOR)

    def check_answers(self, row: RowInProgress) -> None:
        """Blank answers whose question asks for an identifier."""
        for index in self._label_columns:
            label = row.record.cells[index] or ""
            for decision in self._answer_columns if label else ():
                value = row.record.cells[decision.index] or ""
                word = labelled_identifier(label, value) if value else None
                if word is not None and row.cells[decision.index]:
                    row.texts.pop(decision.index, None)
                    withhold_cell(row, decision, value, word)

    def _check_against_own(
        self, row: RowInProgress, pending: Sequence[tuple[Decision, str]]
    ) -> None:
        """Compare a row without a known patient with its own identifiers, as substrings."""
        own = [
            (known.identifier, known.value.casefold())
            for known in self.own.values(row.record.cells)
            if len(known.value) >= LEAST_OWN and known.part != "comment"
        ]
        for decision, value in pending:
            held = next((word for word, known in own if known in value.casefold()), None)
            if held is not None:
                withhold_cell(row, decision, value, held)


@lru_cache(maxsize=1 << 14)
def is_plain(value: str) -> bool:
    """Short numbers, decimals, and one or two letters: nothing that identifies by itself."""
    return bool(_PLAIN.fullmatch(value))
