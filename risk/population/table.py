"""A population as counted cells, with the source of the counts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable, column_numbers, unknown_column
from risk.tables.database_files import split_member
from risk.tables.parquet_tables import parquet_parts
from risk.tables.reading import read_classes, read_header, read_table

COUNT_NAMES = ("count", "population")
#: The vintage of a file that does not state it.
NOT_STATED = "not stated"
#: Possible names of a column of counts; the rows must confirm that it holds counts.
_COUNT_LIKE = re.compile(
    r"counts|pop|people|persons|population_?\d{4}|n|freq|frequency|number|estimate|total|"
    r"pop_?(?:total|count|est(?:imate)?)?_?\d{2,4}|(?:n|num|number)_?(?:of_?)?(?:people|persons)"
)
_AGE_ALIASES = ("birth_year", "year_of_birth", "birthyear", "yob", "birth_date", "birthdate", "dob")
_ZIP_ALIASES = ("zip", "zip_code", "zipcode", "postal_code", "zip5", "zip3")
#: Other names of the table's columns that match the population's column names.
ALIASES: dict[str, tuple[str, ...]] = {
    "gender": ("sex",),
    **dict.fromkeys(("ethnic_group", "hispanic", "hispanic_origin", "latino"), ("ethnicity",)),
    **dict.fromkeys((*_AGE_ALIASES, "date_of_birth", "age_group"), ("age",)),
    **dict.fromkeys(_ZIP_ALIASES, ("zip", "zip5", "zcta5", "zip3")),
}


@dataclass(frozen=True, eq=False, repr=False)
class Population:
    """A population as counted cells.

    `counts[cell]` people are in each row of `cells`. `modelled` is True if cells were computed from
    margins instead of counted; `vintage` is the year or date of the counts.
    """

    name: str
    source: str
    vintage: str
    modelled: bool
    cells: CodedTable
    counts: NDArray[np.float64]
    sha256: str | None = None

    def __post_init__(self) -> None:
        if self.counts.shape != (self.cells.rows,):
            raise ValueError("one count for each cell is needed")
        if len(self.counts) and not (np.isfinite(self.counts).all() and self.counts.min() >= 0):
            raise RiskError(
                "a count of the population is negative or not a number",
                code="bad-count",
                exit_code=6,
            )

    @property
    def columns(self) -> tuple[str, ...]:
        return self.cells.names

    @property
    def total(self) -> float:
        return float(self.counts.sum())

    @property
    def year(self) -> int | None:
        """The year of the vintage, the default reference year for ages."""
        digits = self.vintage[:4]
        return int(digits) if digits.isdigit() else None

    def where(self, column: str, values: Sequence[str]) -> Population:
        """Return the part of the population whose `column` is one of `values`.

        Raises `RiskError` if no cell matches, because every record would then be unmatched.
        """
        coded = self.cells.column(column)
        wanted = np.isin(coded.values.astype(str), list(values))
        kept = wanted[coded.codes]
        if not kept.any():
            raise RiskError(
                "no cell of the population has this value",
                code="empty-population",
                place=f"--population-where, column {column!r}",
                hint="`deid population show NAME` lists states by their postal codes",
            )
        return replace(self, cells=self.cells.take(kept), counts=self.counts[kept])

    def __repr__(self) -> str:
        return f"Population({self.name}, {self.cells.rows} cells)"


def read_population(
    path: Path | str,
    columns: Sequence[str] | None = None,
    *,
    name: str | None = None,
    count: str | None = None,
) -> Population:
    """Read a CSV or Parquet file of counts, or of people, one per row.

    `columns` limits what is read (all but the count by default).

    `count` names the column of the counts, or is `none` for a file of people. Otherwise a column
    called `count` or `population` holds them. A column with a similar name is taken if no two rows
    agree on all other columns, as in a table of counts. Raises `RiskError` `ambiguous-counts` if
    the file could be either.
    """
    known = read_header(path)
    counted = _count_column(path, known, columns, count)
    wanted = [n for n in known if n != counted] if columns is None else list(columns)
    wanted = [n for n in wanted if n != counted]
    if counted is not None:
        table = read_table(path, [*wanted, counted])
        cells = table.select(wanted)
        counts = column_numbers(table.column(counted))
        source = f"a file of counts: {table.rows:,} rows, {counts.sum():,.0f} people by {counted!r}"
    else:
        people = read_classes(path, wanted)
        cells, counts = people.distinct, people.sizes.astype(np.float64)
        source = "a file of people, one per row"
    return Population(
        name=name or "file",
        source=source,
        vintage=NOT_STATED,
        modelled=False,
        cells=cells,
        counts=counts,
        sha256=file_sha256(path),
    )


def _count_column(
    path: Path | str, known: Sequence[str], columns: Sequence[str] | None, count: str | None
) -> str | None:
    """The column of the counts; None for a file of people."""
    if count is not None:
        if count.lower() != "none" and count not in known:
            raise unknown_column(count, known)
        return None if count.lower() == "none" else count
    if named := [n for n in known if n.strip().lower() in COUNT_NAMES]:
        return named[0]
    spare = [n for n in known if columns is None or n not in columns]
    likely = [n for n in spare if _COUNT_LIKE.fullmatch(n.strip().lower())]
    if not likely and (columns is None or len(columns) == len(known)):
        return None
    table = read_table(path)
    numeric = [n for n in likely or spare if _holds_counts(table.column(n))]
    if len(likely) == 1 and numeric == likely and _all_differ(table, set(known) - {likely[0]}):
        return likely[0]
    if not numeric or not _all_differ(table, set(known) - set(numeric)):
        return None
    raise RiskError(
        "it is not clear whether a row of the population is a count or a person",
        code="ambiguous-counts",
        place="--population",
        hint="give --population-count COLUMN for counts, or `none` if each row is a person",
    )


def _holds_counts(column: CodedColumn) -> bool:
    try:
        numbers = column_numbers(column)
    except RiskError:
        return False
    return bool(len(numbers) and (numbers == np.floor(numbers)).all())


def _all_differ(table: CodedTable, names: Collection[str]) -> bool:
    """Whether no two rows agree on these columns."""
    return len(Classes.of(table.select([n for n in table.names if n in names]))) == table.rows


def population_mapping(
    mine: Sequence[str], theirs: Sequence[str], mapping: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Map quasi-identifiers to columns of the population: as `mapping` says, otherwise by name.

    Raises `RiskError` if a mapped column is missing or no column is shared.
    """
    mapping = dict(mapping or {})
    for name, other in mapping.items():
        for wanted, known in ((name, mine), (other, theirs)):
            if wanted not in known:
                raise RiskError(
                    f"--population-columns names {wanted!r}, which does not exist",
                    code="unknown-column",
                    hint=f"table columns: {', '.join(mine)}; population columns: {len(theirs)}",
                )
    lowered = {other.lower(): other for other in theirs}
    for name in mine:
        for wanted in (name.lower(), *ALIASES.get(name.lower(), ())):
            if name not in mapping and wanted in lowered:
                mapping[name] = lowered[wanted]
    if not mapping:
        raise RiskError(
            "the population has none of the quasi-identifiers",
            code="no-shared-column",
            hint="map them with --population-columns mine=theirs",
        )
    return {name: mapping[name] for name in mine if name in mapping}


def file_sha256(path: Path | str) -> str:
    """Return the SHA-256 of a file, in hexadecimal.

    For a folder, this is the SHA-256 of the list that `sha256sum` prints for its Parquet files when
    run inside it.
    """
    path, _ = split_member(str(path))
    if Path(path).is_dir():
        lines = (
            f"{file_sha256(part)}  {part.relative_to(path).as_posix()}\n"
            for part in parquet_parts(Path(path))
        )
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
