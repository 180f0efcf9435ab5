"""Learn from the texts of one file about their patients, before any text is scrubbed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from deid.formats import ColumnSource
from deid.jobs.job import FileBatch, OpenedTable
from deid.jobs.local.table_worker import JobContext, has_text
from deid.jobs.local.worker_pool import ReportProgress
from deid.people.packed_keys import PersonNumbers
from deid.people.patients import People
from deid.tables.table_batch import ReadRows, read_row_batches
from deid.tables.table_flow import TableFlow
from deid.text.scrubber import Scrubber, Survey

# The texts of a patient are counted up to this number.
MOST_COUNTED = 2


def survey_file(shared: JobContext, batch: FileBatch, report: ReportProgress) -> Survey:
    """Learn what the texts of one file show about their patients; write nothing."""
    whole = _fresh_scrubber(shared.scrubber)
    for table in batch.tables:
        if has_text(table):
            work = _SurveyWork(shared, table)
            for survey, records, characters in shared.spread(
                partial(read_row_batches, table.source, texts=True), work
            ):
                whole.take(survey)
                report(records, characters)
    return whole.surveyed()


@dataclass(frozen=True, slots=True)
class _SurveyWork:
    """Learns from each batch of a table, in any process."""

    shared: JobContext
    table: OpenedTable

    def __call__(self, batches: Iterable[ReadRows]) -> Iterator[tuple[Survey, int, int]]:
        """The survey of each batch, with the number of its records and characters."""
        return map(self._survey, batches)

    def _survey(self, read: ReadRows) -> tuple[Survey, int, int]:
        own = _fresh_scrubber(self.shared.scrubber)
        table, people = self.table, self.shared.people
        TableFlow(table.unit.relative, table.decisions, own, people).survey(read)
        return own.surveyed(), len(read), read.characters


def _fresh_scrubber(old: Scrubber) -> Scrubber:
    """Return a scrubber like the old one that has learned nothing yet."""
    return Scrubber(
        old.policy, old.finder, old.reference_date, old.allocate, old.run_date, several=old.several
    )


@dataclass(frozen=True, slots=True)
class PatientsWithTexts:
    """The patients with several texts, in a byte per person. The `repr` shows a count."""

    persons: PersonNumbers = field(repr=False)
    texts: bytes = field(repr=False)

    def __repr__(self) -> str:
        return f"PatientsWithTexts({len(self)} patients)"

    def __len__(self) -> int:
        return self.texts.count(MOST_COUNTED)

    def __contains__(self, patient: object) -> bool:
        number = self.persons.find(patient) if isinstance(patient, str) else None
        return number is not None and self.texts[number] == MOST_COUNTED


def patients_with_several_texts(
    tables: Sequence[OpenedTable], scrubber: Scrubber, people: People
) -> PatientsWithTexts | None:
    """The patients with several texts in these tables; None if not every table can be counted.

    Only tables that are read by column are counted: for other tables, counting would take as long
    as learning.
    """
    texts = bytearray(len(people.persons))
    for table in tables:
        source = table.source
        if not isinstance(source, ColumnSource) or not source.is_regular():
            return None
        flow = TableFlow(table.unit.relative, table.decisions, scrubber, people)
        for read in read_row_batches(source, texts=True):
            for patient in flow.patients_of_texts(read):
                if (number := people.persons.find(patient)) is not None:
                    texts[number] = min(texts[number] + 1, MOST_COUNTED)
    return PatientsWithTexts(people.persons, bytes(texts))
