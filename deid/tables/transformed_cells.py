"""The output cells of a batch: each distinct cell is transformed once.

The output may depend on more than the cell's text: the day on which its row is judged, an age that
the row shows, and the cell of another column that the action names. If codes or tags are drawn per
person, it also depends on the person. Equal cells in equal circumstances have one outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.decision import ColumnDecision
from deid.people.key_numbers import ACTION as NUMBERED
from deid.people.linking import Owners
from deid.people.patients import People
from deid.tables.row_births import is_time_of_day, with_unit
from deid.tables.table_batch import CellColumn, TableBatch
from deid.text.change import Change, ChangeFacts
from deid.text.scrubber import Scrubber
from deid.transforms import Outcome, TransformContext, apply, transform
from recognizers import KnownValues
from safe_harbor import Identifier, Residue

# The most outcomes kept per column.
MAX_OUTCOMES, MAX_CONTEXTS = 1 << 18, 1 << 10
Kind = tuple[int, *ChangeFacts]
"""Column, identifier, entity, transform, residue, source and score of whole-cell changes."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the output cells of a batch depend on, besides the text of the cells.

    `days` are the days on which rows are judged, and `day` the index of each row's day. `over_89`
    gives, by column, the rows whose cells show an age over 89. `known` returns the known values of
    the person of a row.
    """

    days: Sequence[date]
    day: np.ndarray = field(repr=False)
    over_89: Mapping[int, np.ndarray] = field(repr=False)
    owners: Owners
    known: Callable[[int], KnownValues | None] = field(repr=False)


@dataclass(frozen=True, slots=True)
class CellChanges:
    """The whole-cell changes of one column.

    `codes` gives the code of each row's distinct cell. `residues` are by code, None if unchanged.
    `texts` are the new cells by code, or by row if they are an Arrow array.
    """

    decision: ColumnDecision
    residues: Sequence[Residue | None]
    codes: np.ndarray = field(repr=False)
    texts: Sequence[str | None] | pa.Array = field(repr=False)

    def count(self, changed: Counter[Kind]) -> None:
        """Add up the changes by kind."""
        counts = np.bincount(self.codes, minlength=len(self.residues)).tolist()
        for residue, times in zip(self.residues, counts, strict=True):
            if residue is not None and times:
                changed[self.decision.index, *self.decision.change_facts(residue)] += times

    def at(self, place: int, before: str) -> Change | None:
        """The change of the cell in row `place`, whose original is `before`; None if unchanged."""
        code = int(self.codes[place])
        if (residue := self.residues[code]) is None:
            return None
        after = self.texts[code] if isinstance(self.texts, Sequence) else self.texts[place].as_py()
        facts = self.decision.change_facts(residue)
        return Change(0, len(before), 0, len(after or ""), *facts)


@dataclass(slots=True)
class TransformedCells:
    """Transforms the cells of one table."""

    scrubber: Scrubber = field(repr=False)
    people: People = field(repr=False)
    _outcomes: dict[tuple[object, ...], Outcome] = field(default_factory=dict, repr=False)
    _contexts: dict[tuple[object, ...], TransformContext] = field(default_factory=dict, repr=False)

    def columns(
        self, decisions: Sequence[ColumnDecision], batch: TableBatch, seen: Circumstances
    ) -> tuple[dict[int, CellColumn], list[CellChanges]]:
        """The output columns by index, and their changes."""
        columns: dict[int, CellColumn] = {}
        changes: list[CellChanges] = []
        distinct: list[_DistinctCells] = []
        for decision in decisions:
            if decision.action == "keep" and decision.identifier is None:
                columns[decision.index] = batch.column(decision.index)
            elif decision.action in ("tag", "remove") and not self._is_personal:
                columns[decision.index], change = self._same_tag(decision, batch)
                changes.append(change)
            elif decision.action == NUMBERED and batch.records is None:
                columns[decision.index], change = self._key_tags(decision, batch)
                changes.append(change)
            else:
                distinct.append(self._distinct(decision, batch, seen))
        self._transform(distinct, batch, seen)
        for cells in distinct:
            columns[cells.decision.index] = batch.spread(cells.texts, cells.codes)
            changes.append(cells.changes())
        return columns, [change for change in changes if change.decision.identifier is not None]

    @property
    def _is_personal(self) -> bool:
        """Whether the codes or tags depend on the person of the row."""
        return self.scrubber.allocate is not None or self.scrubber.policy.tags != "plain"

    def _same_tag(
        self, decision: ColumnDecision, batch: TableBatch
    ) -> tuple[CellColumn, CellChanges]:
        """Return a column in which the same text replaces every value, and its changes."""
        day = self.scrubber.reference_date
        outcome = apply_to_cell(decision, "", self._context(decision, day))
        told, column = ~batch.nulls(decision.index), batch.column(decision.index)
        changes = CellChanges(
            decision, (None, outcome.residue), told.astype(np.int8), ("", outcome.text)
        )
        if isinstance(column, list):
            cells = zip(column, told.tolist(), strict=True)
            return [None if c is None else outcome.text if t else "" for c, t in cells], changes
        texts = pc.if_else(pa.array(told), pa.scalar(outcome.text), pa.scalar(""))
        return pc.if_else(column.is_null(), pa.scalar(None, pa.string()), texts), changes

    def _key_tags(
        self, decision: ColumnDecision, batch: TableBatch
    ) -> tuple[CellColumn, CellChanges]:
        """Return a column in which each key is replaced by the tag of its number in the job."""
        column, told = batch.column(decision.index), ~batch.nulls(decision.index)
        tags = pc.if_else(pa.array(told), self.people.keys.tags(column), pa.scalar(""))
        texts = pc.if_else(column.is_null(), pa.scalar(None, pa.string()), tags)
        changes = CellChanges(decision, (None, Residue.TAG), told.astype(np.int8), texts)
        return texts, changes

    def _distinct(
        self, decision: ColumnDecision, batch: TableBatch, seen: Circumstances
    ) -> _DistinctCells:
        """The distinct cells of a column with what they depend on."""
        words, places = batch.words(decision.index)
        told = ~batch.nulls(decision.index)
        codes, size = np.zeros(len(batch), np.int64), 1
        own = [(seen.day, len(seen.days)), (seen.over_89.get(decision.index), 2)]
        if self._is_personal:
            own.append((seen.owners.codes, len(seen.owners.people)))
        if decision.other_column is not None:
            others, other = batch.words(decision.other_column)
            own.append((other, len(others)))
        for more, count in own:
            if more is not None and count > 1:
                codes, size = codes * count + more, size * count
        if size == 1:
            first = np.zeros(len(words), np.int64)
            first[places[::-1]] = np.arange(len(batch) - 1, -1, -1)
            return _DistinctCells(decision, words, told, first, places)
        whole = places.astype(np.int64) * size + np.where(told, codes, 0)
        distinct, first, codes = np.unique(whole, return_index=True, return_inverse=True)
        cells = [words[number] for number in (distinct // size).tolist()]
        return _DistinctCells(decision, cells, told, first, codes)

    def _transform(
        self, distinct: Sequence[_DistinctCells], batch: TableBatch, seen: Circumstances
    ) -> None:
        """Transform the distinct cells; numbers of tags are given in the order of the rows."""
        asked = [
            (place, cells, code)
            for cells in distinct
            for code, place in enumerate(cells.first.tolist())
        ]
        if self.scrubber.policy.tags != "plain":
            asked.sort(key=lambda one: (one[0], one[1].decision.index))
        for place, cells, code in asked:
            word = cells.words[code]
            if word is None or not cells.told[place]:
                cells.texts[code] = None if word is None else ""
                continue
            outcome = self._outcome(cells.decision, word, place, batch, seen)
            cells.texts[code], cells.residues[code] = outcome.text, outcome.residue

    def _outcome(
        self,
        decision: ColumnDecision,
        word: str,
        place: int,
        batch: TableBatch,
        seen: Circumstances,
    ) -> Outcome:
        """Return the outcome of a cell in the circumstances of one of its rows."""
        over = seen.over_89.get(decision.index)
        over_89 = over is not None and bool(over[place])
        day, beside = seen.days[int(seen.day[place])], _cell_beside(decision, place, batch)
        key = (decision.index, word, beside, day, over_89)
        if not self._is_personal and (known := self._outcomes.get(key)) is not None:
            return known
        context = self._context(decision, day, over_89, beside)
        if self._is_personal:
            person = seen.owners.key(place)
            numbering, told = self.scrubber.numbering(person), seen.known(place)
            context = replace(context, person=person, numbering=numbering, known=told)
            return apply_to_cell(decision, word, context)
        outcome = apply_to_cell(decision, word, context)
        if len(self._outcomes) >= MAX_OUTCOMES:
            self._outcomes.clear()
        self._outcomes[key] = outcome
        return outcome

    def _context(
        self,
        decision: ColumnDecision,
        day: date,
        over_89: bool = False,
        beside: str | None = None,
    ) -> TransformContext:
        """Return the context of the transform, which cells in the same circumstances share."""
        key = (decision.index, day, over_89, beside)
        if (known := self._contexts.get(key)) is not None:
            return known
        if len(self._contexts) >= MAX_CONTEXTS:
            self._contexts.clear()
        self._contexts[key] = TransformContext(
            identifier=decision.identifier or Identifier.OTHERS,
            entity=decision.entity,
            reference_date=day,
            census=self.scrubber.policy.zip3_census,
            where="column",
            birth=decision.birth,
            over_89=over_89,
            beside=beside,
            allocate=self.scrubber.allocate,
            key_number=self.people.keys.number,
        )
        return self._contexts[key]


@dataclass(slots=True)
class _DistinctCells:
    """The distinct cells of a column: the first row of each, and the code of each row.

    `told` marks the rows whose cell is neither empty nor a word for a missing value.
    """

    decision: ColumnDecision
    words: list[str | None] = field(repr=False)
    told: np.ndarray = field(repr=False)
    first: np.ndarray = field(repr=False)
    codes: np.ndarray = field(repr=False)
    texts: list[str | None] = field(init=False, repr=False)
    residues: list[Residue | None] = field(init=False)

    def __post_init__(self) -> None:
        self.texts = [None] * len(self.words)
        self.residues = [None] * len(self.words)

    def changes(self) -> CellChanges:
        """The changes of the column."""
        return CellChanges(self.decision, self.residues, self.codes, self.texts)


def _cell_beside(decision: ColumnDecision, place: int, batch: TableBatch) -> str | None:
    """The cell of the row in the column that the action names."""
    if decision.other_column is None:
        return None
    words, places = batch.words(decision.other_column)
    return words[int(places[place])]


def apply_to_cell(decision: ColumnDecision, value: str, context: TransformContext) -> Outcome:
    """The transform's outcome; a bare number in a column of months or days gets its unit first."""
    if is_time_of_day(decision, value) and decision.action == "year":
        return Outcome("", Residue.NOTHING)
    told = with_unit(decision.shape, value)
    if told == value:
        return apply(transform(decision.action), value, context)
    outcome = apply(transform(decision.action), told, context)
    if outcome.text == told:
        return replace(outcome, text=value)
    return replace(outcome, text=f"{outcome.text} years") if outcome.text.isdigit() else outcome
