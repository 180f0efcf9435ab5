"""The table flow: batches of rows in, batches of rows out.

Each distinct cell of a column is transformed once, and each distinct kept cell is judged once.
Cells that depend on more than their own text are processed by row: texts, ages next to dates, and
kept cells that might hold a known value of their person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.columns.column_profiles import DescribedColumn, settled_profile
from deid.decision import ColumnDecision
from deid.errors import DeidError
from deid.people.known_cells import KnownColumns, telling_columns
from deid.people.patients import People
from deid.tables.kept_cells import KeptCells, Refusals, blanked_cell
from deid.tables.row_ages import AgeJudge
from deid.tables.row_births import BirthColumns
from deid.tables.row_knowledge import RowKnowledge
from deid.tables.row_texts import (
    PlainCells,
    RowText,
    ScrubbedCells,
    TextColumns,
    add_cells,
    add_plain,
)
from deid.tables.table_batch import CellColumn, ReadRows, TableBatch
from deid.tables.transformed_cells import CellChanges, Circumstances, Kind, TransformedCells
from deid.text.change import Change
from deid.text.scrubber import Scrubber
from recognizers import KnownValues

Withheld = dict[int, str]
"""The reason for each row of a batch that is withheld."""


@dataclass(slots=True)
class BatchOut:
    """A batch after the flow. The `repr` shows no content.

    `batch` holds the released rows as they were read, and `columns` their output cells by index.
    `withheld` are pairs (ordinal, code). `cells` are whole-cell changes by column, `singles` all
    other changes by row and column. `late` marks rows with dates after the reference date.
    """

    batch: TableBatch = field(repr=False)
    columns: dict[int, CellColumn] = field(repr=False)
    withheld: list[tuple[int, str]]
    cells: list[CellChanges] = field(repr=False)
    singles: dict[tuple[int, int], tuple[Change, ...]] = field(repr=False)
    texts: ScrubbedCells = field(repr=False)
    known: RowKnowledge = field(repr=False)
    late: np.ndarray = field(repr=False)

    def __len__(self) -> int:
        return len(self.batch)

    def owners(self) -> list[str | KnownValues | None]:
        """The patient of each row: the known values in the row, or else the patient's key."""
        owners = self.known.owners
        keys: list[str | KnownValues | None] = [owners.people[c] for c in owners.codes.tolist()]
        for place in (*np.flatnonzero(self.known.strangers()).tolist(), *self.known.stated):
            keys[place] = self.known.told(place) or keys[place]
        return keys

    def counted(self) -> Counter[Kind]:
        """The whole-cell changes by kind."""
        changed: Counter[Kind] = Counter()
        for change in self.cells:
            change.count(changed)
        return changed


@dataclass(slots=True)
class TableFlow:
    """Processes one table whose columns are decided and whose patients are known.

    `without` gives the ordinals of rows that are withheld regardless of their content, each with
    the reason.
    """

    relative: str = field(repr=False)
    decisions: tuple[ColumnDecision, ...] = field(repr=False)
    scrubber: Scrubber = field(repr=False)
    people: People = field(repr=False)
    without: Mapping[int, str] = field(default_factory=dict, repr=False)
    own: KnownColumns = field(init=False)
    _texts: TextColumns = field(init=False)
    _ages: AgeJudge = field(init=False, repr=False)
    _cells: TransformedCells = field(init=False, repr=False)
    _kept: KeptCells = field(init=False, repr=False)

    def __post_init__(self) -> None:
        seen = [
            DescribedColumn(
                settled_profile(d.action, d.leaves, d.identifier, d.entity, d.shape, d.role),
                path=d.path,
                part=d.part,
            )
            for d in self.decisions
        ]
        scrubber = self.scrubber
        self.own = telling_columns([d.original for d in self.decisions], seen)
        self._texts = TextColumns.of(self.decisions)
        self._ages = AgeJudge(
            BirthColumns.of(self.decisions), scrubber.reference_date, scrubber.latest_date
        )
        self._cells = TransformedCells(scrubber, self.people)
        self._kept = KeptCells(self.decisions, self.own)

    @property
    def has_texts(self) -> bool:
        """Whether a column holds texts."""
        return bool(self._texts.columns)

    def run(self, read: ReadRows) -> BatchOut:
        """Scrub a batch."""
        batch, faults = TableBatch.of(read)
        known, broken = self.known(batch)
        withheld = dict.fromkeys(broken, "broken-known-values")
        cells: ScrubbedCells = {}
        # Known values are compiled window by window and then released, to save memory.
        for texts, plain in self._windows(batch, known, broken):
            results = self.scrubber.scrub([text.document for text in texts])
            withheld |= add_cells(cells, batch, texts, results)
            add_plain(cells, batch, plain)
        if self.without:
            places = enumerate(batch.ordinals)
            withheld |= {p: self.without[n] for p, n in places if n in self.without}
        with self.scrubber.one_crosswalk_write():
            out = self._run_whole(batch, known, cells, withheld)
        out.withheld = sorted([*((f.ordinal, f.code) for f in faults), *out.withheld])
        return out

    def known(self, batch: TableBatch) -> tuple[RowKnowledge, list[int]]:
        """The knowledge about the rows, and the rows whose stated known values cannot be read."""
        return RowKnowledge.of(batch, self.relative, self.people, self.own, len(self.decisions))

    def survey(self, read: ReadRows) -> None:
        """Collect what the texts of a batch say for certain about their patients."""
        batch, _ = TableBatch.of(read)
        known, broken = self.known(batch)
        for texts, _ in self._windows(batch, known, broken):
            self.scrubber.survey([text.document for text in texts])

    def patients_of_texts(self, read: ReadRows) -> Iterator[str]:
        """The patient of each text of a batch."""
        batch, _ = TableBatch.of(read)
        known, _ = self.known(batch)
        for index in self._texts.columns:
            for place, text in enumerate(batch.cells(index)):
                if text and (patient := known.owners.key(place)) is not None:
                    yield patient

    def _windows(
        self, batch: TableBatch, known: RowKnowledge, without: Collection[int]
    ) -> Iterator[tuple[list[RowText], PlainCells]]:
        """The texts that are searched together, and the plain measurements of the same rows."""
        for places in batch.windows() if self.has_texts else ():
            left = [place for place in places if place not in without]
            plain = self._texts.plain_cells(batch, left, known)
            yield self._texts.texts_of(batch, left, known, plain), plain

    def _run_whole(
        self, batch: TableBatch, known: RowKnowledge, texts: ScrubbedCells, withheld: Withheld
    ) -> BatchOut:
        """Process the rows that are not withheld; a row that fails is withheld by itself."""
        lost = [(batch.ordinals[place], code) for place, code in withheld.items()]
        if withheld:
            left = [place for place in range(len(batch)) if place not in withheld]
            batch, texts = batch.take(left), _moved(texts, left)
            known, _ = self.known(batch)
        try:
            out = self._run_cells(batch, known, texts)
        except (DeidError, OSError, MemoryError):  # the crosswalk or the machine failed
            raise
        except Exception:  # one failing row must not withhold the rest of its batch
            failing = dict.fromkeys(self._failing(batch, texts), "engine-error")
            out = self._run_whole(batch, known, texts, failing)
        out.withheld += lost
        return out

    def _failing(self, batch: TableBatch, texts: ScrubbedCells) -> Iterator[int]:
        """Yield the rows of a batch on which the flow fails, found by halving the batch."""
        if len(batch) == 1:
            yield 0
            return
        half = len(batch) // 2
        for places in (range(half), range(half, len(batch))):
            part, own = batch.take(places), _moved(texts, places)
            try:
                self._run_cells(part, self.known(part)[0], own)
            except (DeidError, OSError, MemoryError):
                raise
            except Exception:
                yield from (places[row] for row in self._failing(part, own))

    def _run_cells(self, batch: TableBatch, known: RowKnowledge, texts: ScrubbedCells) -> BatchOut:
        judged = self._ages.judge(batch, known.owners, known.birth)
        seen = Circumstances(judged.days, judged.day, judged.over_89, known.owners, known.known)
        leaving = [d for d in self.decisions if d.leaves and d.action != "text"]
        columns, changes = self._cells.columns(leaving, batch, seen)
        refused = self._kept.check(batch, columns, known)
        for index in self._texts.columns:
            cells = texts.get(index, {})
            columns[index] = [
                cells[place].after if place in cells else None for place in range(len(batch))
            ]
        texts = {index: dict(cells) for index, cells in texts.items()}
        singles = {
            (place, index): cell.changes
            for index, cells in texts.items()
            for place, cell in cells.items()
        }
        out = BatchOut(batch, columns, [], changes, singles, texts, known, judged.day > 0)
        _blank(out, refused)
        answers: Refusals = {}
        for index, place, word in self._kept.refused_answers(batch, columns):
            answers.setdefault(index, {})[place] = word, "known"
            texts.get(index, {}).pop(place, None)
        _blank(out, answers)
        self._mark_late(out)
        return out

    def _mark_late(self, out: BatchOut) -> None:
        """Mark the rows whose texts hold dates after the reference date."""
        day = self.scrubber.reference_date
        if self.scrubber.latest_date > day:
            for cells in out.texts.values():
                for place, cell in cells.items():
                    out.late[place] |= self.scrubber.judged(cell.before) > day


def _moved(texts: ScrubbedCells, places: Sequence[int]) -> ScrubbedCells:
    """Return the scrubbed cells of the rows `places`, renumbered in that order."""
    return {
        index: {new: cells[old] for new, old in enumerate(places) if old in cells}
        for index, cells in texts.items()
    }


def _blank(out: BatchOut, refused: Refusals) -> None:
    """Blank the refused cells and record why."""
    for index, cells in refused.items():
        column, before = out.columns[index], out.batch.cells(index)
        for place, (word, why) in cells.items():
            out.singles[place, index] = (blanked_cell(before[place] or "", word, why),)
        if isinstance(column, list):
            out.columns[index] = ["" if p in cells else c for p, c in enumerate(column)]
        else:
            mask = np.zeros(len(out), bool)
            mask[list(cells)] = True
            out.columns[index] = pc.replace_with_mask(column, pa.array(mask), pa.scalar(""))
