"""The table flow by row: rows in, rows out, each column as decided, each cell checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from deid.columns.column_profiles import DescribedColumn
from deid.decision import Decision, RowOut
from deid.errors import DeidError
from deid.formats import Record, RecordFault
from deid.people.key_numbers import number_keys
from deid.people.known_cells import KnownColumns, telling_columns
from deid.people.patients import People
from deid.tables.kept_cells import MAX_REMEMBERED_CELLS, KeptCells
from deid.tables.row import RowInProgress, record_cell_change
from deid.tables.row_births import BirthColumns, RowAges, with_unit
from deid.tables.row_texts import RowText, same_note, scrub_texts, texts_of
from deid.text.scrubber import Scrubber
from deid.transforms import Outcome, TransformContext, apply, transform
from recognizers import (
    ColumnProfile,
    KnownValueError,
    KnownValues,
    is_null,
)
from safe_harbor import Identifier, PartialDate, read_date

BATCH = 128


def scrub_rows(
    records: Iterable[Record | RecordFault],
    relative: str,
    decisions: Sequence[Decision],
    scrubber: Scrubber,
    people: People,
) -> Iterator[RowOut]:
    """One row out per record in, in order; a withheld row has a code and no cells."""
    people.fill()
    table = RowFlow(relative, tuple(decisions), scrubber, people)
    for batch in _batches(records):
        yield from table.run(batch)


def survey_rows(
    records: Iterable[Record | RecordFault],
    relative: str,
    decisions: Sequence[Decision],
    scrubber: Scrubber,
    people: People,
) -> None:
    """Number the keys, and learn from the notes of each patient before any note is written.

    Files come in the order of the job.
    """
    if not any(decision.action == "text" for decision in decisions):
        number_keys(records, decisions, people.keys)
        return
    table = RowFlow(relative, tuple(decisions), scrubber, people)
    for batch in _batches(records):
        number_keys(batch, decisions, people.keys)
        rows = [table.row(record) for record in batch if isinstance(record, Record)]
        scrubber.survey([text.document for text in table.texts(rows)])


def _batches(records: Iterable[Record | RecordFault]) -> Iterator[list[Record | RecordFault]]:
    """Rows in batches; the lines of a note stay in one batch."""
    batch: list[Record | RecordFault] = []
    for record in records:
        if len(batch) >= BATCH and not same_note(batch[-1], record):
            yield batch
            batch = []
        batch.append(record)
    if batch:
        yield batch


@dataclass(slots=True)
class RowFlow:
    """The rows of one table, one by one."""

    relative: str = field(repr=False)
    decisions: tuple[Decision, ...]
    scrubber: Scrubber = field(repr=False)
    people: People = field(repr=False)
    births: BirthColumns = field(init=False, repr=False)
    _memo: dict[tuple[int, str, date | None, date, bool], Outcome] = field(
        default_factory=dict, repr=False
    )
    own: KnownColumns = field(init=False)
    _changing: dict[int, Decision] = field(init=False, repr=False)
    _kept: KeptCells = field(init=False, repr=False)
    _texts: tuple[int, ...] = field(init=False)
    _has_dependent_columns: bool = field(init=False)

    def __post_init__(self) -> None:
        seen = [DescribedColumn(_as_profile(d), path=d.path, part=d.part) for d in self.decisions]
        self.own = telling_columns([d.original for d in self.decisions], seen)
        self._changing = {d.index: d for d in self.decisions if d.leaves and d.action != "text"}
        self._kept = KeptCells(self.decisions, self.own)
        self._texts = tuple(d.index for d in self.decisions if d.action == "text")
        self.births = BirthColumns.of(self.decisions)
        later = self.scrubber.latest_date > self.scrubber.reference_date
        self._has_dependent_columns = bool(self.births.dependent_columns(later))

    def run(self, batch: Sequence[Record | RecordFault]) -> list[RowOut]:
        """One row out per record in, in order; the texts of all rows are searched together."""
        rows = [item if isinstance(item, RecordFault) else self.row(item) for item in batch]
        whole = [row for row in rows if isinstance(row, RowInProgress) and not row.code]
        scrub_texts(self.texts(whole), self.scrubber)
        with self.scrubber.one_crosswalk_write():
            return [self.out(row) for row in rows]

    def out(self, row: RowInProgress | RecordFault) -> RowOut:
        """Transform and check the cells of a row."""
        if isinstance(row, RecordFault):
            return RowOut(row.ordinal, None, row.code)
        if not row.code:
            try:
                self._transform(row)
                self._kept.check(row)
                self._kept.check_answers(row)
            except (DeidError, OSError, MemoryError):  # of the crosswalk or the machine
                raise
            except Exception:  # one failing row must not take the others of its batch along
                row.code = "engine-error"
        row.late = row.late or self._has_late_texts(row)
        return row.out()

    def _has_late_texts(self, row: RowInProgress) -> bool:
        day = self.scrubber.reference_date
        if self.scrubber.latest_date == day:
            return False
        return any(self.scrubber.judged(before) > day for before, _ in row.texts.values())

    def row(self, record: Record) -> RowInProgress:
        """The row of a record, with its patient and what is known of them."""
        owner = self.people.key_for(self.relative, record.cells, record.patient)
        row = RowInProgress(record, owner, self.people.of(owner), [None] * len(self.decisions))
        try:
            if record.known:
                told = KnownValues.of(record.known)
                row.known = told if row.known is None else row.known + told
                row.told = KnownValues(row.known.values)
        except KnownValueError:
            row.code = "broken-known-values"
        if row.known is None:
            row.known = KnownValues(tuple(self.own.values(record.cells)))
            row.told = KnownValues(row.known.values) if row.known.values else None
        return row

    def texts(self, rows: Sequence[RowInProgress]) -> list[RowText]:
        """The texts of these rows, each with its rows and its column."""
        return texts_of(rows, self._texts)

    def judged(self, record: Record) -> RowInProgress:
        """The row without a patient, its cells transformed."""
        row = RowInProgress(record, None, None, [None] * len(self.decisions))
        self._transform(row)
        return row

    def _transform(self, row: RowInProgress) -> None:
        judged = self._judged_ages(row)
        row.late = row.late or judged.late
        # Rows of trees are hundreds of cells wide, nearly all of them null.
        for index, value in enumerate(row.record.cells):
            if value is None or (decision := self._changing.get(index)) is None:
                continue
            if decision.action == "keep" and decision.identifier is None:
                row.cells[index] = value
            elif is_null(value):
                row.cells[index] = ""
            else:
                outcome = self._outcome(decision, value, row, judged)
                row.cells[index] = outcome.text
                if decision.identifier is not None:
                    record_cell_change(row, decision, value, outcome)

    def _judged_ages(self, row: RowInProgress) -> RowAges:
        """What ages, years and events of the row show together."""
        day = self.scrubber.reference_date
        if not self._has_dependent_columns:
            return RowAges(day)
        known = self._known_birth(row)
        return self.births.judge_row(row.record.cells, day, self.scrubber.latest_date, known)

    def _known_birth(self, row: RowInProgress) -> str | None:
        births = (k.value for k in row.known or () if k.part == "birth" and k.role == "patient")
        return next(births, None)

    def _outcome(
        self, decision: Decision, value: str, row: RowInProgress, judged: RowAges
    ) -> Outcome:
        index = self._index(decision, row)
        over_89 = decision.index in judged.over_89
        key = (decision.index, value, index, judged.reference, over_89)
        numbering = self.scrubber.numbering(row.owner)
        personal = numbering is not None or self.scrubber.allocate is not None
        if not personal and (known := self._memo.get(key)) is not None:
            return known
        context = TransformContext(
            identifier=decision.identifier or Identifier.OTHERS,
            entity=decision.entity,
            reference_date=judged.reference,
            census=self.scrubber.policy.zip3_census,
            where="column",
            birth=decision.birth,
            over_89=over_89,
            index=index,
            person=row.owner,
            numbering=numbering,
            known=row.known,
            allocate=self.scrubber.allocate,
            key_number=self.people.keys.number,
        )
        outcome = apply_to_cell(decision, value, context)
        if not personal and len(self._memo) < MAX_REMEMBERED_CELLS:
            self._memo[key] = outcome
        return outcome

    def _index(self, decision: Decision, row: RowInProgress) -> date | None:
        """The date in the row from which an interval counts."""
        if (
            decision.counts_from is None
            or (value := row.record.cells[decision.counts_from]) is None
        ):
            return None
        return _whole(read_date(value, self.scrubber.reference_date, counted=True))


def apply_to_cell(decision: Decision, value: str, context: TransformContext) -> Outcome:
    """The transform's outcome; a bare number in a column of months or days gets its unit first."""
    told = with_unit(decision.shape, value)
    if told == value:
        return apply(transform(decision.action), value, context)
    outcome = apply(transform(decision.action), told, context)
    if outcome.text == told:
        return replace(outcome, text=value)
    return replace(outcome, text=f"{outcome.text} years") if outcome.text.isdigit() else outcome


def _whole(found: PartialDate | None) -> date | None:
    return None if found is None else found.whole


def _as_profile(decision: Decision) -> ColumnProfile:
    """The decision as a profile, for `telling_columns`."""
    if decision.action == "text":
        return ColumnProfile("text", None, "", "text", "", 1.0, ())
    if decision.identifier is None:
        return ColumnProfile("keep", None, "", decision.shape, "", 1.0, ())
    return ColumnProfile(
        "identifier", decision.identifier, decision.entity, decision.shape, decision.role, 1.0, ()
    )
