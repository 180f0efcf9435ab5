"""The notes of a risk report: what a reader must know about the figures."""

from __future__ import annotations

from risk.measures.counted_nouns import counted_noun
from risk.measures.thresholds import Threshold
from risk.population.matching import PopulationMatch
from risk.spellings.words import spelling_variants
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable
from risk.tables.longitudinal import HISTORY_COLUMN, rows_without_person


def report_notes(
    classes: Classes,
    threshold: Threshold,
    known_events: int | None,
    linked: PopulationMatch | None,
) -> tuple[str, ...]:
    """The notes on the threshold, the table, the attacker and the population."""
    notes: list[str] = []
    if threshold.stated.endswith(f"read as 1/{threshold.cell_size}"):
        notes.append(f"{threshold.stated}: classes of that size are not at risk")
    if threshold.cell_size == 1:
        notes.append("at a cell size of 1 no record is at risk, not even one that is unique")
    if not classes.records:
        notes.append("the table has no rows: nothing was measured and nothing is decided")
    if any(column.values[-1:].tolist() == [None] for column in classes.table.columns):
        notes.append("a missing value counts as a value of its own, so missing values form classes")
    if known_events is not None:
        known = f"any {n}" if (n := known_events) > 1 else "any one" if n else "none"
        notes.append(
            f"the risk is measured for an attacker who knows {known} of a person's rows; "
            "classes, uniques and sizes are measured on whole histories"
        )
    if HISTORY_COLUMN in classes.quasi_identifiers:
        notes.append("columns that vary within a person were combined into the person's history")
    if linked is not None and linked.left_out:
        missing = ", ".join(linked.left_out)
        notes.append(
            f"the population has no column {missing}, so the true groups may be smaller; if it has "
            "the column under another name, map it with --population-columns"
        )
    if linked is not None and linked.coarser:
        wider = ", ".join(linked.coarser)
        notes.append(
            f"the population has fewer digits in {wider}, so the true groups may be smaller"
        )
    if linked is not None and linked.unmatched_records:
        n = linked.unmatched_records
        notes.append(
            f"{counted_noun(n, 'record')} {'matches' if n == 1 else 'match'} no cell of the "
            "population: not part of the total risk, but counted as unmatched"
        )
    return tuple(notes)


def spelling_notes(table: CodedTable) -> list[str]:
    """One note for each column with values that differ in spelling only."""
    found = []
    for column in table.columns:
        if variants := spelling_variants(column.values):
            differ = "differs" if variants == 1 else "differ"
            found.append(
                f"{counted_noun(variants, 'value')} of {column.name} {differ} from another value "
                "only in spaces, case or trailing zeros; each counts as a separate value"
            )
    return found


def unnamed_notes(coded: CodedTable, person: CodedColumn | None) -> list[str]:
    """A note if rows name no person."""
    n = 0 if person is None else len(rows_without_person(coded.column(person.name)))
    named = f"{counted_noun(n, 'row')} {'names' if n == 1 else 'name'} no person"
    return [f"{named}; each was counted as a separate person"] if n else []
