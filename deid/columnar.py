"""Tables worked by column: each different cell is transformed once, or checked once.

Only tables of the plainest sort: no texts, tags without a number a person, nothing drawn from a
crosswalk, rows that tell all that is known of their own person. What cannot be settled by column,
because a kept cell might hold a value of its row, or because an age and the dates of its row might
show somebody over 89, goes through the flow of rows (`deid.table`). So the output is the same to
the byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.change import Change
from deid.decision import Decision
from deid.formats import ColumnSource, Record, Source
from deid.kept_cells import is_plain
from deid.key_numbers import ACTION as NUMBERED
from deid.known_cells import KnownColumn
from deid.labelled import label_columns
from deid.people import People
from deid.residual_columns import OwnRows
from deid.row import blanked
from deid.scrubbing import Scrubber
from deid.shares import ALONE, Spread
from deid.sifting import ROWS, are, candidates, code, evenly, nulls
from deid.table import DATES, Flow, applied, with_unit
from deid.transforms import Context, Outcome
from recognizers import Sieve, fits, held_shape, is_null
from safe_harbor import OLDEST_AGE, Identifier, Residue, read_age, read_date

LARGEST_MEMO, LARGEST_CACHE = 1 << 18, 1 << 12
# Different kept cells held of earlier batches.
MOST_CELLS, MOST_STANDING = 1 << 14, 1 << 12
Kind = tuple[int, Identifier, str, str, Residue, str, float, int]
"""Column, word, entity, transform, residue, source, score, round of cells changed whole."""


@dataclass(slots=True)
class ColumnsOut:
    """Some rows after the flow: the columns that leave, and what was changed in them."""

    first: int
    rows: int
    columns: list[pa.Array] = field(repr=False)
    cells: Counter[Kind]
    singles: list[tuple[int, int, tuple[Change, ...]]]
    characters: int = 0

    @property
    def last(self) -> int:
        """The ordinal of the last row."""
        return self.first + self.rows - 1


def can_go_by_column(source: Source, decisions: Sequence[Decision], scrubber: Scrubber) -> bool:
    """Is the table of the plain sort, as far as its file and its columns say?"""
    plain = not any(d.action == "text" or d.counts_from is not None for d in decisions)
    personal = scrubber.allocate is not None or scrubber.policy.tags != "plain"
    if label_columns(decisions) or not plain or personal or not any(d.leaves for d in decisions):
        return False
    return isinstance(source, ColumnSource) and source.is_regular()


def by_column(
    relative: str,
    source: Source,
    decisions: Sequence[Decision],
    scrubber: Scrubber,
    people: People,
) -> ColumnFlow | None:
    """The flow by column of a table that was left alone; None where it has to go row by row."""
    if not people.is_alone(relative) or not can_go_by_column(source, decisions, scrubber):
        return None
    assert isinstance(source, ColumnSource)
    return ColumnFlow(source, Flow(relative, tuple(decisions), scrubber, people))


@dataclass(slots=True)
class ColumnFlow:
    """One table on its way by column."""

    source: ColumnSource = field(repr=False)
    flow: Flow = field(repr=False)
    rows: int = 0
    _spread: Spread = field(default=ALONE, repr=False)
    _sieve: Sieve = field(default_factory=Sieve)
    _alone: dict[str, Sieve] = field(default_factory=dict, repr=False)
    _met: dict[int, dict[str, bool]] = field(default_factory=dict, repr=False)
    _version: int = 0
    _outcomes: dict[int, dict[str, Outcome]] = field(default_factory=dict, repr=False)

    def run(self, spread: Spread = ALONE) -> Iterator[ColumnsOut]:
        """The table in batches, in order. Every row of a regular table leaves."""
        self.rows, self._spread = 0, spread
        for out in spread(partial(_batches, self.source), self._through):
            self.rows += out.rows
            yield out

    def owners(self) -> OwnRows:
        """What the rows tell of their persons, for the search of what was written."""
        return OwnRows(self.source, self.flow.own, self.rows, self._spread)

    def _through(self, number: int, batch: pa.RecordBatch) -> ColumnsOut:
        coded = _Coded(batch)
        out = ColumnsOut(number * ROWS + 1, batch.num_rows, [], Counter(), [])
        written: dict[int, pa.Array] = {}
        for decision in self.flow.decisions:
            if decision.leaves:
                written[decision.index] = self._column(decision, coded, out.cells)
        self._agree(coded, written, out.cells)
        held, suspects = self._checked(written)
        if held.standing.any():
            suspects |= self._suspects(coded) & held.standing
        for place in np.flatnonzero(suspects):
            self._by_row(int(place), batch, written, held)
        for index, mask in held.masks.items():
            written[index] = pc.replace_with_mask(written[index], pa.array(mask), pa.scalar(""))
        out.columns = list(written.values())
        out.singles = held.singles(out.first)
        out.characters = int(batch.nbytes)
        return out

    # -- cells -------------------------------------------------------------------------------

    def _column(self, decision: Decision, coded: _Coded, cells: Counter[Kind]) -> pa.Array:
        column = coded.column(decision.index)
        if decision.action == "keep" and decision.identifier is None:
            return column
        if decision.action in ("tag", "remove"):
            outcome = self._outcome(decision, "")
            empty = coded.nulls(decision.index)
            changed = int((~empty).sum())
            if changed and decision.identifier is not None:
                cells[_kind(decision, outcome)] += changed
            texts = pc.if_else(pa.array(empty), pa.scalar(""), pa.scalar(outcome.text))
            return pc.if_else(column.is_null(), pa.scalar(None, pa.string()), texts)
        if decision.action == NUMBERED:
            return self._numbered(decision, coded, cells)
        return self._by_word(decision, coded, cells)

    def _numbered(self, decision: Decision, coded: _Coded, cells: Counter[Kind]) -> pa.Array:
        column, empty = coded.column(decision.index), coded.nulls(decision.index)
        if changed := int((~empty).sum()):
            cells[_kind(decision, Outcome("", Residue.TAG))] += changed
        tags = pc.if_else(pa.array(empty), pa.scalar(""), self.flow.people.keys.tags(column))
        return pc.if_else(column.is_null(), pa.scalar(None, pa.string()), tags)

    def _by_word(self, decision: Decision, coded: _Coded, cells: Counter[Kind]) -> pa.Array:
        words, places = coded.words(decision.index)
        empty = {words[number] for number in set(places[coded.nulls(decision.index)].tolist())}
        memo = self._outcomes.setdefault(decision.index, {})
        if len(memo) > LARGEST_MEMO:
            memo.clear()
        texts: list[str | None] = []
        kinds: dict[Kind, list[int]] = {}
        for number, word in enumerate(words):
            outcome = memo.get(word or "")
            if outcome is None:
                if word is None or word in empty:
                    texts.append(None if word is None else "")
                    continue
                outcome = memo[word] = self._outcome(decision, word)
            texts.append(outcome.text)
            if decision.identifier is not None:
                kinds.setdefault(_kind(decision, outcome), []).append(number)
        counts = np.bincount(places, minlength=len(words))
        for kind, numbers in kinds.items():
            cells[kind] += int(counts[numbers].sum())
        return pa.array(texts, pa.string()).take(pa.array(places))

    def _outcome(self, decision: Decision, value: str) -> Outcome:
        scrubber = self.flow.scrubber
        context = Context(
            identifier=decision.identifier or Identifier.OTHERS,
            entity=decision.entity,
            reference_date=scrubber.reference_date,
            census=scrubber.policy.zip3_census,
            where="column",
            birth=decision.birth,
            key_number=self.flow.people.keys.number,
        )
        return applied(decision, value, context)

    # -- ages and births ---------------------------------------------------------------------

    def _agree(self, coded: _Coded, written: dict[int, pa.Array], cells: Counter[Kind]) -> None:
        """Rows whose ages, births and dates together might show somebody over 89: as rows."""
        weighed = self.weighed
        if not weighed:
            return
        places = np.flatnonzero(self._might_be_old(coded))
        if not len(places):
            return
        told = [d.index for d in self.flow.decisions if d in weighed or _is_day(d)]
        columns = {index: coded.column(index).take(pa.array(places)).to_pylist() for index in told}
        texts: dict[int, list[str | None]] = {d.index: [] for d in weighed}
        for number, place in enumerate(places):
            record = [None] * len(self.flow.decisions)
            for index, column in columns.items():
                record[index] = column[number]
            row = self.flow.weighed(Record(int(place) + 1, tuple(record)))
            for decision in weighed:
                texts[decision.index].append(row.cells[decision.index])
                self._recount(decision, record[decision.index], row.changes, cells)
        mask = np.zeros(coded.size, bool)
        mask[places] = True
        for decision in weighed:
            array = pa.array(texts[decision.index], pa.string())
            column = written[decision.index]
            written[decision.index] = pc.replace_with_mask(column, pa.array(mask), array)

    @property
    def weighed(self) -> list[Decision]:
        """The columns whose cells depend on others of their row: ages, and births told twice."""
        decisions = [d for d in self.flow.decisions if d.leaves]
        ages = [d for d in decisions if d.entity == "AGE"]
        births = [d for d in decisions if d.birth and d.action == "year"]
        return [*ages, *births] if ages or len(births) > 1 else []

    def _might_be_old(self, coded: _Coded) -> np.ndarray:
        """Rows that hold a birth of 89 years ago or more, or an age that could be 90 by now."""
        reference = self.flow.scrubber.reference_date
        aged, earliest = np.zeros(coded.size, int), np.full(coded.size, reference.year)
        old = np.zeros(coded.size, bool)
        for decision in self.flow.decisions:
            if decision.entity == "AGE":
                reads = partial(_years_of_age, shape=decision.shape)
                aged = np.maximum(aged, coded.numbers(decision.index, reads))
            elif _is_day(decision):
                reads = partial(_year, reference=reference, birth=decision.birth)
                years = coded.numbers(decision.index, reads)
                if decision.birth:
                    old |= (years > 0) & (reference.year - years >= OLDEST_AGE)
                else:
                    earliest = np.minimum(earliest, np.where(years > 0, years, reference.year))
        return np.asarray(old | (aged + (reference.year - earliest) + 1 >= OLDEST_AGE), bool)

    def _recount(
        self,
        decision: Decision,
        value: str | None,
        changes: Mapping[int, tuple[Change, ...]],
        cells: Counter[Kind],
    ) -> None:
        """What was counted of a cell by column gives way to what became of it in its row."""
        if value is None or decision.index not in changes or decision.identifier is None:
            return
        before = self._outcomes[decision.index].get(value) or self._outcome(decision, value)
        kind = _kind(decision, before)
        cells[kind] -= 1
        if not cells[kind]:
            del cells[kind]
        (change,) = changes[decision.index]
        cells[_kind(decision, Outcome("", change.residue))] += 1

    # -- kept cells --------------------------------------------------------------------------

    def _checked(self, written: dict[int, pa.Array]) -> tuple[_Held, np.ndarray]:
        """Which kept cells may not stand by their shape; which rows have cells to be looked into,
        and which of them are to be looked into whoever they are of."""
        size = len(next(iter(written.values())))
        if self._sieve.version > MOST_CELLS:
            self._sieve, self._version = Sieve(), -1
        held, live = _Held(np.zeros(size, bool)), np.zeros(size, bool)
        for decision in self.flow.decisions:
            if not decision.stays:
                continue
            words, places = code(written[decision.index])
            marks = [self._mark(decision, word) for word in words]
            standing = [w for w, m in zip(words, marks, strict=True) if w and m is STANDING]
            held.note(decision, words, places, marks)
            if len(standing) > MOST_STANDING:  # nearly a cell a row: each is asked by itself
                live |= np.array([m is STANDING for m in marks], bool)[places]
                continue
            self._sieve.add(standing)
            live |= np.array([w in self._sieve.live for w in words], bool)[places]
        return held, live & held.standing

    def _mark(self, decision: Decision, word: str | None) -> Mark:
        """Whether a kept cell says nothing (None), may not stand (a word), or stands so far."""
        if word is None or is_null(word):
            return None
        if decision.shape and not fits(decision.shape, word):
            return held_shape(word) or Identifier.OTHERS
        return None if is_plain(word) else STANDING

    def _suspects(self, coded: _Coded) -> np.ndarray:
        """The rows that tell a value which might be found in one of the cells that stand."""
        found = np.zeros(coded.size, bool)
        for column in self.flow.own.columns:
            cells = coded.column(column.index)
            sifted = candidates(cells, self._sieve, column.identifier)
            found |= are(cells, sifted, partial(self._meets, column))
        if self._sieve.rows:
            found |= self._signed(coded)
        return found

    def _meets(self, column: KnownColumn, value: str) -> bool:
        if self._version != self._sieve.version:
            self._met.clear()
            self._version = self._sieve.version
        memo = self._met.setdefault(column.index, {})
        if (known := memo.get(value)) is not None:
            return known
        whose = bool(self.flow.own.who)
        part, role = "" if whose else column.part, "employer" if whose else column.role
        met = self._sieve.meets(column.identifier, part, value, role)
        if len(memo) < LARGEST_MEMO:
            memo[value] = met
        return met

    def _signed(self, coded: _Coded) -> np.ndarray:
        """The rows whose person may have initials that are one of the cells."""
        names = [c.index for c in self.flow.own.columns if c.identifier is Identifier.NAMES]
        columns = [coded.column(index).to_pylist() for index in names]
        return np.array(
            [self._sieve.signs(filter(None, values)) for values in zip(*columns, strict=True)]
            or np.zeros(coded.size),
            bool,
        )

    def _by_row(
        self, place: int, batch: pa.RecordBatch, written: dict[int, pa.Array], held: _Held
    ) -> None:
        """One row whose own cells might hold a value of it: through the flow of rows."""
        cells = tuple(column[place].as_py() for column in batch.columns)
        kept = (written[d.index][place].as_py() for d in self.flow.decisions if d.stays)
        if not any(self._might_hold(cell, cells) for cell in kept if cell):
            return
        out = self.flow.out(self.flow.row(Record(place + 1, cells)))
        for index, changes in out.changes.items():
            if changes[0].source == "kept_cell":
                held.hold(place, index, changes)

    def _might_hold(self, cell: str, cells: Sequence[str | None]) -> bool:
        if is_plain(cell):
            return False
        if cell not in self._alone:
            if len(self._alone) > LARGEST_CACHE:
                self._alone.clear()
            self._alone[cell] = Sieve()
            self._alone[cell].add([cell])
        sieve, own = self._alone[cell], self.flow.own
        if cell in sieve.live:
            return True
        values = list(own.values(cells))
        if any(sieve.meets(v.identifier, v.part, v.value, v.role) for v in values):
            return True
        return sieve.signs(v.value for v in values if v.identifier is Identifier.NAMES)


_Standing = type("_Standing", (), {})
STANDING: Any = _Standing()
Mark = Any


@dataclass(slots=True)
class _Held:
    """Kept cells of a batch that may not stand, and the rows with cells to be looked into."""

    standing: np.ndarray
    masks: dict[int, np.ndarray] = field(default_factory=dict)
    changes: dict[tuple[int, int], tuple[Change, ...]] = field(default_factory=dict)

    def note(
        self, decision: Decision, words: Sequence[str | None], places: np.ndarray, marks: list[Mark]
    ) -> None:
        """The cells of a column by the marks of its words."""
        self.standing |= np.array([mark is STANDING for mark in marks], bool)[places]
        bad = np.array([isinstance(mark, Identifier) for mark in marks], bool)[places]
        for place in np.flatnonzero(bad):
            number = places[place]
            self.hold(int(place), decision.index, (blanked(words[number] or "", marks[number]),))

    def hold(self, place: int, index: int, changes: tuple[Change, ...]) -> None:
        """A cell that is blanked."""
        if index not in self.masks:
            self.masks[index] = np.zeros(len(self.standing), bool)
        self.masks[index][place] = True
        self.changes[place, index] = changes

    def singles(self, first: int) -> list[tuple[int, int, tuple[Change, ...]]]:
        """(ordinal, column, changes), in order of the rows."""
        return [(first + p, i, self.changes[p, i]) for p, i in sorted(self.changes)]


class _Coded:
    """A batch whose columns are had as words and the place of each cell's word among them."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self._batch = batch
        self._words: dict[int, tuple[list[str | None], np.ndarray]] = {}
        self._nulls: dict[int, np.ndarray] = {}
        self.size: int = batch.num_rows

    def column(self, index: int) -> pa.Array:
        """The cells as they are."""
        return self._batch.column(index)

    def words(self, index: int) -> tuple[list[str | None], np.ndarray]:
        """Different cells, and for each row the number of its own."""
        if index not in self._words:
            self._words[index] = code(self.column(index))
        return self._words[index]

    def numbers(self, index: int, reads: Callable[[str], int]) -> np.ndarray:
        """What is read of each cell, 0 of empty ones; asked once a different cell."""
        words, places = self.words(index)
        read = np.array([reads(word) if word else 0 for word in words] or [0], int)
        return np.asarray(read[places])

    def nulls(self, index: int) -> np.ndarray:
        """Where nothing stands: empty cells, and words for nothing."""
        if index not in self._nulls:
            self._nulls[index] = nulls(self.column(index))
        return self._nulls[index]


def _batches(source: ColumnSource) -> Iterator[pa.RecordBatch]:
    return evenly(source.batches())


def _kind(decision: Decision, outcome: Outcome) -> Kind:
    return (
        decision.index,
        decision.identifier or Identifier.OTHERS,
        decision.entity,
        decision.told_action,
        outcome.residue,
        "column",
        decision.confidence,
        1,
    )


def _is_day(decision: Decision) -> bool:
    """Is it a column that the flow of rows reads days, or years of birth, of?"""
    return decision.shape in DATES or decision.birth


@lru_cache(maxsize=1 << 16)
def _years_of_age(value: str, shape: str) -> int:
    age = read_age(with_unit(shape, value))
    return 0 if age is None else OLDEST_AGE + 1 if age.over_89 else age.years


@lru_cache(maxsize=1 << 17)
def _year(value: str, reference: date, birth: bool) -> int:
    found = read_date(value, reference, birth, counted=True)
    return 0 if found is None else found.year


def settle(
    people: People,
    tables: Iterable[tuple[str, Source, Sequence[Decision]]],
    scrubber: Scrubber,
) -> None:
    """Hold in memory after all what was left alone, where a table has to go row by row."""
    for relative, source, decisions in tables:
        if people.is_alone(relative) and not can_go_by_column(source, decisions, scrubber):
            people.fill()
