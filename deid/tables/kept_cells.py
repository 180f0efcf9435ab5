"""Check kept cells: none may look like an identifier or hold a known value.

A policy or profile that keeps a column is trusted for the column, not for each cell. The distinct
cells of a batch go into prefilters. A row is searched only if a known value of its person passes a
prefilter, and only for the known values of that person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

import numpy as np

from deid.decision import ColumnDecision
from deid.people.known_cells import KnownColumns
from deid.tables.cell_prefilter import CellPrefilter, MetValues
from deid.tables.question_columns import answer_columns, label_columns
from deid.tables.row_knowledge import RowKnowledge
from deid.tables.table_batch import CellColumn, Cells, TableBatch, coded
from deid.text.change import Change
from recognizers import KnownValue, KnownValues, is_null, labelled_identifier
from safe_harbor import Identifier, Residue

LEAST_OWN = 4
# Shorter names may be parts of ordinary words.
LEAST_WITHIN = 6
# The most distinct cells of a column that a batch adds to the prefilter; the most cached answers.
MOST_PENDING, MOST_SEARCHED = 1 << 12, 1 << 17
# Separates the cells of a row, so that no form of a value runs from one cell into the next.
CELL_SEPARATOR = "\n\n¦¦¦\n\n"
# The source of a change that blanked a kept cell; the reason may follow after a colon.
KEPT_CELL = "kept_cell"
_UNSEARCHED = re.compile(r"\d{1,4}|[-+]?\d{0,4}\.\d+|.{1,2}|")
CellRefusal = tuple[Identifier, str]
"""Why a cell must not be released: an identifier that it may be, and a reason."""
Refusals = dict[int, dict[int, CellRefusal]]
"""The refusals by column and row."""


class CellMark(Enum):
    """The state of a cell that is not refused: it identifies no person, or it must be searched."""

    PLAIN = 0
    PENDING = 1


@dataclass(slots=True)
class PendingCells:
    """The kept cells of a batch that must still be searched, by column.

    `rows` marks the rows with such cells; `live` marks the rows with a cell that no prefilter can
    rule out.
    """

    columns: list[tuple[ColumnDecision, Cells, np.ndarray]]
    rows: np.ndarray = field(repr=False)
    live: np.ndarray = field(repr=False)

    def rows_with(self, cells: Sequence[Set[str]], codes: np.ndarray) -> np.ndarray:
        """Mark the rows with a cell that `cells` lists for the code of their person."""
        found = np.zeros(len(self.rows), bool)
        numbers: dict[str, int] = {}
        pairs = [
            (code, numbers.setdefault(cell, len(numbers)))
            for code, some in enumerate(cells)
            for cell in some
        ]
        if not pairs:
            return found
        whole = np.array(pairs, np.int64)
        wanted = np.unique(whole[:, 0] * len(numbers) + whole[:, 1])
        for _, (words, places), _ in self.columns:
            own = np.array([numbers.get(word or "", -1) for word in words], np.int64)[places]
            rows = np.flatnonzero(own >= 0)
            found[rows[np.isin(codes[rows] * len(numbers) + own[rows], wanted)]] = True
        return found

    def of(self, place: int) -> list[tuple[ColumnDecision, str]]:
        """The pending cells of a row."""
        found = []
        for decision, (words, places), is_pending in self.columns:
            code = int(places[place])
            if is_pending[code] and (word := words[code]) is not None:
                found.append((decision, word))
        return found


@dataclass(slots=True)
class KeptCells:
    """Checks the kept cells of one table; `own` are the columns that hold known values."""

    decisions: Sequence[ColumnDecision] = field(repr=False)
    own: KnownColumns
    _kept: list[ColumnDecision] = field(init=False, repr=False)
    _prefilter: CellPrefilter = field(init=False)
    _label_columns: tuple[int, ...] = field(init=False)
    _answer_columns: tuple[ColumnDecision, ...] = field(init=False, repr=False)
    _searched: dict[tuple[str, tuple[str, ...]], list[Identifier | None]] = field(
        default_factory=dict, repr=False
    )
    _met: dict[str, MetValues] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._kept = [decision for decision in self.decisions if decision.stays]
        self._prefilter = CellPrefilter(self.own)
        self._label_columns = label_columns(self.decisions)
        self._answer_columns = answer_columns(self.decisions)

    def check(
        self, batch: TableBatch, written: Mapping[int, CellColumn], known: RowKnowledge
    ) -> Refusals:
        """The kept cells of the batch that must not be released; `written` are the output cells."""
        refused: Refusals = {}
        pending = self._judge(batch, written, refused)
        if pending.rows.any():
            suspects = pending.live | self._suspects(batch, known, pending)
            for place in np.flatnonzero(suspects & pending.rows).tolist():
                self._search(pending.of(place), place, known, refused)
        return refused

    def _judge(
        self, batch: TableBatch, written: Mapping[int, CellColumn], refused: Refusals
    ) -> PendingCells:
        """Refuse distinct cells that do not fit their column; return the cells still to search."""
        self._prefilter.renew()
        pending = PendingCells([], np.zeros(len(batch), bool), np.zeros(len(batch), bool))
        for decision in self._kept:
            column = written[decision.index]
            is_read = column is batch.column(decision.index)
            words, places = batch.words(decision.index) if is_read else coded(column)
            marks = [_cell_mark(decision, word) for word in words]
            refusals = {n: mark for n, mark in enumerate(marks) if isinstance(mark, tuple)}
            if refusals:
                rows = np.flatnonzero(np.isin(places, list(refusals))).tolist()
                refused[decision.index] = {row: refusals[int(places[row])] for row in rows}
            is_pending = np.array([mark is CellMark.PENDING for mark in marks] or [False], bool)
            if is_pending.any():
                pending.columns.append((decision, (words, places), is_pending))
                pending.rows |= is_pending[places]
        self._add(pending)
        return pending

    def _add(self, pending: PendingCells) -> None:
        """Add pending cells to the prefilter; mark the rows of cells that it cannot rule out."""
        few = []
        for _, (words, places), is_pending in pending.columns:
            if is_pending.sum() > MOST_PENDING:  # too many: each is searched in its row
                pending.live |= is_pending[places]
            else:
                few.append((words, places, np.flatnonzero(is_pending).tolist()))
        self._prefilter.add(words[code] or "" for words, _, codes in few for code in codes)
        for words, places, _ in few:
            pending.live |= self._prefilter.live(words)[places]

    def _suspects(
        self, batch: TableBatch, known: RowKnowledge, pending: PendingCells
    ) -> np.ndarray:
        """The rows with a pending cell in which a value of their person might be found."""
        owners = known.owners
        met = [self._prefilter.met_by(key, known.people) for key in owners.people]
        told = zip(owners.people, met, strict=True)
        self._met = {key: one for key, one in told if key is not None and one is not None}
        found = pending.rows_with([one.cells if one else frozenset() for one in met], owners.codes)
        own = np.array([one is None for one in met] or [False], bool)[owners.codes]
        found[list(known.stated)] = True
        if (own & pending.rows).any():
            found |= self._prefilter.rows(batch) & own
        return np.asarray(found)

    def _search(
        self,
        cells: Sequence[tuple[ColumnDecision, str]],
        place: int,
        known: RowKnowledge,
        refused: Refusals,
    ) -> None:
        """Search the pending cells of one row for the known values of its person."""
        owner = known.owners.key(place)
        words = tuple(word for _, word in cells)
        is_shared = owner is not None and place not in known.stated
        found = self._searched.get((owner or "", words)) if is_shared else None
        if found is None:
            found = self._found(words, place, known, self._met.get(owner or "", None))
            if is_shared and len(self._searched) < MOST_SEARCHED:
                self._searched[owner or "", words] = found
        for (decision, _), word in zip(cells, found, strict=True):
            if word is not None:
                refused.setdefault(decision.index, {})[place] = word, "known"

    def _found(
        self, words: tuple[str, ...], place: int, known: RowKnowledge, met: MetValues | None
    ) -> list[Identifier | None]:
        """Return, for each pending cell of a row, the identifier of the known value in
        it, or None.
        """
        if met is None or place in known.stated:
            return self._found_in_row(words, place, known)
        if self._is_sifted(words, place, known):
            is_met = not met.cells.isdisjoint(words)
            return _first_known(words, met.values) if is_met else [None] * len(words)
        # The prefilter cannot rule these cells out: search for all known values of the patient.
        return _first_known(words, known.known(place))

    def _is_sifted(self, words: tuple[str, ...], place: int, known: RowKnowledge) -> bool:
        """Whether the prefilter reports every value that can be found in these cells."""
        if all(map(self._prefilter.sifts, words)):
            return True
        if not all(map(self._prefilter.sifts_all_but_dates, words)):
            return False
        return not known.known(place).dates.find(_row_text(words))

    def _found_in_row(
        self, words: tuple[str, ...], place: int, known: RowKnowledge
    ) -> list[Identifier | None]:
        """Do the same as `_found` for a row that itself holds known values of its person."""
        found: list[Identifier | None] = [None] * len(words)
        if known.owners.key(place) is None:
            found = _held_by_row(words, known.own.values(known.cells(place)))
        values = known.known(place)
        if not self._prefilter.may_hold(words, values):
            return found
        told = zip(found, _first_known(words, values), strict=True)
        return [two or one for one, two in told]

    def refused_answers(
        self, batch: TableBatch, written: Mapping[int, CellColumn]
    ) -> Iterator[tuple[int, int, Identifier]]:
        """Yield column, row and identifier of each answer to a question for an identifier."""
        for label_column in self._label_columns:
            labels, codes = batch.words(label_column)
            for decision in self._answer_columns:
                values, places = batch.words(decision.index)
                for place, (label, value) in enumerate(
                    zip(codes.tolist(), places.tolist(), strict=True)
                ):
                    word = _asked_for(labels[label] or "", values[value] or "")
                    if word is not None and written[decision.index][place]:
                        yield decision.index, place, word


def _cell_mark(decision: ColumnDecision, word: str | None) -> CellMark | CellRefusal:
    if word is None or is_null(word) or decision.is_listed:
        return CellMark.PLAIN
    if (refusal := decision.refuses(word)) is not None:
        return refusal
    return CellMark.PLAIN if is_plain(word) else CellMark.PENDING


def _row_text(cells: Sequence[str]) -> str:
    return "".join(cell + CELL_SEPARATOR for cell in cells)


def _first_known(cells: Sequence[str], known: KnownValues) -> list[Identifier | None]:
    """For each cell, the identifier of the first known value found in it."""
    findings = known.find(_row_text(cells))
    found: list[Identifier | None] = []
    start = 0
    for cell in cells:
        end = start + len(cell)
        hits = (f.identifier for f in findings if f.start < end and f.end > start)
        found.append(next(hits, None))
        start = end + len(CELL_SEPARATOR)
    return found


def _held_by_row(cells: Sequence[str], own: Iterable[KnownValue]) -> list[Identifier | None]:
    """Return, for each cell, the identifier of a value of the same row that the cell holds, or
    None.
    """
    values = [
        (known.identifier, known.value.casefold())
        for known in own
        if len(known.value) >= LEAST_OWN and known.part != "comment"
    ]
    return [
        next((word for word, value in values if _stands_in(value, cell.casefold())), None)
        for cell in cells
    ]


def _stands_in(value: str, cell: str) -> bool:
    """Whether the cell holds the value: a short name only as a word (`tran` is not in `transfer`).

    The word may have an initial before the name and an ending after it: `jtran`, `trans`.
    """
    if value not in cell or not value.isalpha() or len(value) >= LEAST_WITHIN:
        return value in cell
    letter, before = r"[^\W\d_]", "dr|mr|mrs|ms"
    form = rf"(?:{before}|{letter})?{re.escape(value)}(?:e?s|{letter})?"
    form = rf"(?<!{letter}){form}(?!{letter})"
    return re.search(form, cell) is not None


@lru_cache(maxsize=1 << 16)
def _asked_for(label: str, value: str) -> Identifier | None:
    return labelled_identifier(label, value) if label and value else None


@lru_cache(maxsize=1 << 14)
def is_plain(value: str) -> bool:
    """Whether the value is a short number, a decimal, or one or two characters."""
    return bool(_UNSEARCHED.fullmatch(value))


def why_blanked(source: str) -> str:
    """Why a kept cell was blanked, from the source of its change; "" for any other change."""
    kind, _, why = source.partition(":")
    return (why or "known") if kind == KEPT_CELL else ""


def blanked_cell(value: str, word: Identifier, why: str) -> Change:
    """The change that blanks a kept cell; `why` is `known` or a key of `UNVOUCHED`."""
    source = KEPT_CELL if why == "known" else f"{KEPT_CELL}:{why}"
    return Change(0, len(value), 0, 0, word, "", "remove", Residue.NOTHING, source, 1.0)
