"""Search the output of one file, and choose the records to withhold because of the hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from deid.decision import ColumnDecision
from deid.formats import ReadOptions, open_source
from deid.jobs.local.table_worker import JobContext, WrittenTable
from deid.residual.hits import Residual, ResidualHit
from deid.residual.released_files import numbered_records, records_with_hits, search_release
from deid.text.note_lines import unwrapped_source

MOST_HITS_TOLD = 10
HitsByRecord = Mapping[int, Mapping[int, tuple[ResidualHit, ...]]]
"""Hits by the ordinal of the table, then by the ordinal of the record in the input."""


@dataclass(frozen=True, slots=True)
class OutputSearch:
    """The search of one file's output; `written` are its tables that still have records."""

    shared: JobContext
    written: Sequence[WrittenTable] = field(repr=False)

    def search(self, folder: Path) -> Residual:
        """Read the output back and search all of it."""
        return search_release(
            folder,
            self._outputs,
            self._options,
            self.shared.people,
            leave=self.shared.job.policy.may_stay_in_text(),
            stands=self._stands,
            compiled=self.shared.search,
            members=self._members,
        )

    def withhold(self, hits: Sequence[ResidualHit], before: HitsByRecord) -> HitsByRecord:
        """The records to withhold because of these hits, and the records withheld `before`.

        The result is empty if there are no hits. It is also empty if a hit is in no record, or if
        more than half of a table's records would be withheld: the file is then withheld whole. A
        document is one record.
        """
        if not hits:
            return {}
        found = records_with_hits(
            hits,
            self._outputs,
            self._options,
            self.shared.search.again(),
            self._stands,
            self._members,
        )
        if found is None:
            return {}
        whole = dict(before)
        for table in self.written:
            ordinal = table.opened.unit.ordinal
            own = [hit for hit in found if hit.file == ordinal]
            if not own:
                continue
            more = _by_ordinal(own, self._input_ordinals(table))
            gone = {**whole.get(ordinal, {}), **more}
            if not more or 2 * len(gone) > table.notes.tally.records_in:
                return {}
            whole[ordinal] = gone
        return whole

    def _input_ordinals(self, table: WrittenTable) -> dict[int, int]:
        """The input ordinal of each released record; empty if the numbers of records differ."""
        released = open_source(table.path, self._options, table.member)
        fallen = {f.record for f in table.notes.fallen}
        after = [n for n, _ in numbered_records(released)]
        before = [n for n, _ in numbered_records(table.opened.source) if n not in fallen]
        return dict(zip(after, before, strict=True)) if len(after) == len(before) else {}

    @property
    def _options(self) -> ReadOptions:
        return replace(self.shared.job.read, keys=len(self.shared.people.keys))

    @property
    def _outputs(self) -> dict[int, tuple[Path, Any]]:
        return {w.opened.unit.ordinal: (w.path, w.owners) for w in self.written}

    @property
    def _members(self) -> dict[int, str]:
        return {w.opened.unit.ordinal: w.member for w in self.written}

    @property
    def _stands(self) -> dict[int, set[int | str]]:
        """Return, for each table, the columns that may keep known values under the policy."""
        policy = self.shared.job.policy
        return {
            w.opened.unit.ordinal: {
                _released_column(w, d, position)
                for position, d in enumerate(d for d in w.opened.decisions if d.leaves)
                if policy.may_stay_in_column(d.action, d.identifier, d.entity)
            }
            for w in self.written
        }


def _released_column(table: WrittenTable, decision: ColumnDecision, position: int) -> int | str:
    """The key of a column in the search: its name, or its position in the released file."""
    source = unwrapped_source(table.opened.source)
    if decision.path or getattr(source, "by_name", False):
        return decision.out_header
    return decision.index if getattr(source, "keeps_columns", False) else position


def _by_ordinal(
    hits: Iterable[ResidualHit], ordinals: Mapping[int, int]
) -> dict[int, tuple[ResidualHit, ...]]:
    """Return the hits by the input ordinal of their record; empty if one ordinal is not known."""
    found: dict[int, set[ResidualHit]] = {}
    for hit in hits:
        ordinal = None if hit.record is None else ordinals.get(hit.record)
        if ordinal is None:
            return {}
        found.setdefault(ordinal, set()).add(replace(hit, record=ordinal))
    return {ordinal: tuple(sorted(own, key=_by_kind)) for ordinal, own in sorted(found.items())}


def _by_kind(hit: ResidualHit) -> tuple[str, str, str]:
    return hit.word, hit.kind, hit.element
