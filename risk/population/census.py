"""The Census Bureau's own file layouts, read into populations.

Estimates (PEP): `sc-est*-alldata6.csv`, `cc-est*-alldata.csv`, `cc-est*-syasex-*.csv`. Summary File
1 of 2000 and 2010: one segment file for each of PCT12A-G and a geographic header. Data API: JSON
rows of PCT12A.. (2000, 2010, 2020) or B01001A.. (ACS).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.population.places import FIPS
from risk.population.table import Population
from risk.tables.coding import CodedColumn, CodedTable, smallest

#: Tables A-G: the seven races of the 2000 census, each alone, of any ethnicity.
CENSUS_RACES = ("white", "black", "aian", "asian", "nhpi", "other", "multi")
#: The ages of PCT12: under 1, 1 .. 99, then three pooled groups.
PCT12_AGES: tuple[str, ...] = (*(str(a) for a in range(100)), "100-104", "105-109", "110+")
_ACS_AGES = (
    *("0-4", "5-9", "10-14", "15-17", "18-19", "20-24", "25-29", "30-34"),
    *("35-44", "45-54", "55-64", "65-74", "75-84", "85+"),
)
SEXES = ("M", "F")

# The summary level of counties.
_COUNTIES = "050"

CensusCell = tuple[str, ...]


def population_of(
    cells: Iterable[tuple[CensusCell, float]],
    columns: Sequence[str],
    *,
    name: str,
    source: str,
    vintage: str,
    sha256: str | None = None,
) -> Population:
    """Gather counted cells into a population; the counts of repeated cells are summed."""
    gathered: dict[CensusCell, float] = {}
    for cell, count in cells:
        gathered[cell] = gathered.get(cell, 0.0) + count
    coded = []
    for position, column in enumerate(columns):
        known: dict[str, int] = {}
        codes = [known.setdefault(cell[position], len(known)) for cell in gathered]
        values = np.empty(len(known), object)
        values[:] = list(known)
        kind = smallest(max(1, len(known)))
        coded.append(CodedColumn(column, np.array(codes, kind), values))
    return Population(
        name=name,
        source=source,
        vintage=vintage,
        modelled=False,
        cells=CodedTable(tuple(coded), len(gathered)),
        counts=np.fromiter(gathered.values(), np.float64, len(gathered)),
        sha256=sha256,
    )


@dataclass(frozen=True, eq=False)
class CensusBlock:
    """One table for one place and one race: `counts[sex, age]`, men first."""

    place: tuple[str, str]
    race: str
    ages: tuple[str, ...]
    counts: NDArray[np.float64]


def population_of_blocks(
    blocks: Sequence[CensusBlock], *, name: str, source: str, vintage: str
) -> Population:
    """Gather blocks into a population by state, county, age, sex and race, without empty cells."""
    places = sorted({block.place for block in blocks})
    if not places:
        raise unreadable_census_file("the file counts no place")
    ages = blocks[0].ages
    if any(block.ages != ages for block in blocks):
        raise unreadable_census_file("the file mixes tables with different age groups")
    people = np.zeros((len(places), len(ages), 2, len(CENSUS_RACES)))
    where = {place: i for i, place in enumerate(places)}
    for block in blocks:
        people[where[block.place], :, :, CENSUS_RACES.index(block.race)] += block.counts.T
    at = np.nonzero(people)
    axes = (("age", ages), ("sex", SEXES), ("race", CENSUS_RACES))
    columns = [
        _column_of(label, [place[i] for place in places], at[0])
        for i, label in enumerate(("state", "county"))
    ]
    if not any(county for _, county in places):
        columns.pop()
    columns += [_column_of(label, words, at[i]) for i, (label, words) in enumerate(axes, 1)]
    cells = CodedTable(tuple(columns), len(at[0]))
    return Population(name, source, vintage, False, cells, people[at])


def read_summary_file(segments: dict[str, Path], header: Path) -> list[CensusBlock]:
    """Return the blocks of counties in Summary File 1.

    `segments` maps race to the file of its PCT12 table, `header` is the geographic header (both as
    ZIP archives or unpacked). Rows of summary level 050 and geographic component 00 are joined on
    LOGRECNO.
    """
    places = _places_of_header(header)
    blocks: list[CensusBlock] = []
    for race, path in segments.items():
        before = len(blocks)
        for line in _file_lines(path):
            head = line.split(",", 5)
            place = places.get(head[4]) if len(head) == 6 else None
            if place is not None:
                blocks.append(CensusBlock(place, race, PCT12_AGES, _pct12(head[5])))
        if len(blocks) - before != len(places):
            raise unreadable_census_file(
                "a segment of the summary file lacks places that the header lists"
            )
    return blocks


def read_api(rows: Sequence[Sequence[str]], race: str) -> list[CensusBlock]:
    """Return the blocks of one response of the data API.

    The response is a header row, then a row for each place. Accepts PCT12x of 2000, 2010, 2020 and
    B01001x of the ACS.
    """
    if not rows:
        return []
    header = [str(name) for name in rows[0]]
    ages, numbers = _api_columns(header)
    order = [numbers[start + i] for start in (3, 4 + len(ages)) for i in range(len(ages))]
    blocks = []
    for row in rows[1:]:
        counts = np.array([float(row[at] or 0) for at in order]).reshape(2, len(ages))
        place = _api_place(dict(zip(header, row, strict=True)))
        blocks.append(CensusBlock(place, race, ages, np.maximum(counts, 0)))
    return blocks


def _api_columns(header: list[str]) -> tuple[tuple[str, ...], dict[int, int]]:
    """The ages of the table, and the position of each variable by its number."""
    numbers: dict[int, int] = {}
    for position, name in enumerate(header):
        found = re.fullmatch(r"(?:PCT0?12[A-O]?_?|B01001[A-I]?_)(\d{3})[NE]?", name)
        if found:
            numbers[int(found[1])] = position
    for ages in (PCT12_AGES, _ACS_AGES):
        if set(numbers) == set(range(1, 4 + 2 * len(ages))):
            return ages, numbers
    raise unreadable_census_file("the answer of the data API is from another table")


def _api_place(row: dict[str, str]) -> tuple[str, str]:
    state = FIPS.get(str(row.get("state", "")), str(row.get("state", "")))
    county = row.get("county")
    return state, "" if county is None else f"{row['state']}{county}"


def _pct12(text: str) -> NDArray[np.float64]:
    """Read 209 counts into an array of 2 sexes (men first) x 103 ages.

    The text has the total, men, their 103 ages, women, and their 103 ages. The ages must sum to the
    total.
    """
    try:
        counts = np.array([int(count) for count in text.split(",")], np.float64)
    except ValueError:
        raise unreadable_census_file(
            "a segment of the summary file has values that are not counts"
        ) from None
    width = len(PCT12_AGES)
    if len(counts) != 3 + 2 * width:
        raise unreadable_census_file("a segment of the summary file has the wrong number of counts")
    both = np.stack((counts[2 : 2 + width], counts[3 + width :]))
    if both.sum() != counts[0]:
        raise unreadable_census_file("the ages of a place do not sum to its total")
    return both


def _column_of(name: str, words: Sequence[str], positions: NDArray[np.intp]) -> CodedColumn:
    distinct, codes = np.unique(list(words), return_inverse=True)
    kind = smallest(len(distinct))
    return CodedColumn(name, codes.astype(kind)[positions], distinct.astype(object))


def _places_of_header(header: Path) -> dict[str, tuple[str, str]]:
    """A mapping of LOGRECNO to (state, county) from the fixed-width geographic header."""
    found: dict[str, tuple[str, str]] = {}
    for line in _file_lines(header):
        if line[8:11] != _COUNTIES or line[11:13] != "00":
            continue
        # The state's FIPS code is in columns 30-31 in 2000 (after the census code) and in 28-29 in
        # 2010; the postal abbreviation before it shows which census it is
        start = next((at for at in (29, 27) if FIPS.get(line[at : at + 2]) == line[6:8]), None)
        if start is None:
            raise unreadable_census_file("the geographic header is from another census")
        found[line[18:25]] = (line[6:8], line[start : start + 5])
    if not found:
        raise unreadable_census_file("the geographic header has no counties")
    return found


def _file_lines(path: Path) -> Iterable[str]:
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive, archive.open(archive.namelist()[0]) as raw:
                yield from _latin1_lines(raw)
        else:
            with path.open("rb") as raw:
                yield from _latin1_lines(raw)
    except (OSError, zipfile.BadZipFile, EOFError):
        raise unreadable_census_file("a census file is damaged") from None


def _latin1_lines(raw: IO[bytes]) -> Iterable[str]:
    return io.TextIOWrapper(raw, encoding="latin-1", newline="")


def unreadable_census_file(message: str) -> RiskError:
    return RiskError(
        message,
        code="unreadable-census-file",
        place="the population file",
        hint="fetch it again, or give a CSV of counts",
        exit_code=6,
    )
