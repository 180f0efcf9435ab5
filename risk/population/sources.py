"""The Census Bureau tables that can be fetched: their addresses and expected totals."""

from __future__ import annotations

from dataclasses import dataclass

from risk.errors import RiskError
from risk.population.census import CENSUS_RACES


@dataclass(frozen=True)
class CensusSource:
    """A table that can be fetched.

    `files` are paths on the file server, `api` is a data set of the API (which requires a key);
    `total` and `sha256` are checked if given.
    """

    name: str
    title: str
    vintage: str
    files: tuple[str, ...] = ()
    api: str = ""
    tables: tuple[str, ...] = ()
    total: int | None = None
    sha256: str | None = None
    summary_file: str = ""
    first_segment: int = 0


_PEP = "/programs-surveys/popest/datasets/2020-2024"
_TABLES_2000 = tuple(f"PCT012{letter}" for letter in "ABCDEFG")
SOURCES: dict[str, CensusSource] = {
    source.name: source
    for source in (
        CensusSource(
            "pep2024",
            "Population estimates, Vintage 2024: state, single year of age, sex, race",
            "2024-07-01",
            files=(f"{_PEP}/state/asrh/sc-est2024-alldata6.csv",),
            total=340_110_988,
            sha256="0e82431e3869554aff9541fcf00c22a8defc2af3c66fb0ec6bae094f23749230",
        ),
        CensusSource(
            "pep2024-county",
            "Population estimates, Vintage 2024: county, five-year age, sex, race",
            "2024-07-01",
            files=(f"{_PEP}/counties/asrh/cc-est2024-alldata.csv",),
            total=340_110_988,
            sha256="9f772747fe3c48cce8ea72b3a61f515448fd276bc5ba6abce2c75c98fa6b10b4",
        ),
        CensusSource(
            "sf1-2000",
            "Census 2000, Summary File 1, PCT12A-G: county, single year of age, sex, race",
            "2000-04-01",
            summary_file="/census_2000/datasets/Summary_File_1",
            first_segment=16,
        ),
        CensusSource(
            "dhc2020",
            "Census 2020, Demographic and Housing Characteristics, PCT12A-G",
            "2020-04-01",
            api="2020/dec/dhc",
            tables=tuple(f"PCT12{letter}" for letter in "ABCDEFG"),
        ),
        CensusSource(
            "sf1-2010",
            "Census 2010, Summary File 1, PCT12A-G",
            "2010-04-01",
            api="2010/dec/sf1",
            tables=_TABLES_2000,
        ),
        CensusSource(
            "sf1-2000-api",
            "Census 2000, Summary File 1, PCT12A-G, through the API",
            "2000-04-01",
            api="2000/dec/sf1",
            tables=_TABLES_2000,
        ),
        CensusSource(
            "acs2022",
            "American Community Survey 2018-2022, B01001A-G",
            "2022-12-31",
            api="2022/acs/acs5",
            tables=tuple(f"B01001{letter}" for letter in "ABCDEFG"),
        ),
    )
}


def race_of(source: CensusSource, name: str) -> str:
    """The race of an API table, by its number in a file name.

    Raises `RiskError` if there is none.
    """
    for table, race in zip(source.tables, CENSUS_RACES, strict=True):
        if f"-{table}-" in name or name.startswith(table):
            return race
    raise RiskError(
        "the file name does not contain its table number",
        code="unknown-table",
        hint="keep the file names of `deid population fetch`",
    )


def source_of(name: str) -> CensusSource:
    """The source with this name.

    Raises:
        RiskError: `unknown-source`.
    """
    if name not in SOURCES:
        raise RiskError(
            "unknown source", code="unknown-source", hint=f"use one of: {', '.join(SOURCES)}"
        )
    return SOURCES[name]
