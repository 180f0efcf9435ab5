"""The tables of the Census Bureau that can be fetched: where each lies, what it must add up to."""

from __future__ import annotations

from dataclasses import dataclass

from risk.errors import RiskError
from risk.population.census import RACES


@dataclass(frozen=True)
class Source:
    """A table that can be fetched. `files` are paths under the file server, `api` a data set of
    the API (which wants a key); `total` and `sha256` are checked where given."""

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
SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        Source(
            "pep2024",
            "Population estimates, Vintage 2024: state, single year of age, sex, race",
            "2024-07-01",
            files=(f"{_PEP}/state/asrh/sc-est2024-alldata6.csv",),
            total=340_110_988,
            sha256="0e82431e3869554aff9541fcf00c22a8defc2af3c66fb0ec6bae094f23749230",
        ),
        Source(
            "pep2024-county",
            "Population estimates, Vintage 2024: county, five-year age, sex, race",
            "2024-07-01",
            files=(f"{_PEP}/counties/asrh/cc-est2024-alldata.csv",),
            total=340_110_988,
            sha256="9f772747fe3c48cce8ea72b3a61f515448fd276bc5ba6abce2c75c98fa6b10b4",
        ),
        Source(
            "sf1-2000",
            "Census 2000, Summary File 1, PCT12A-G: county, single year of age, sex, race",
            "2000-04-01",
            summary_file="/census_2000/datasets/Summary_File_1",
            first_segment=16,
        ),
        Source(
            "dhc2020",
            "Census 2020, Demographic and Housing Characteristics, PCT12A-G",
            "2020-04-01",
            api="2020/dec/dhc",
            tables=tuple(f"PCT12{letter}" for letter in "ABCDEFG"),
        ),
        Source(
            "sf1-2010",
            "Census 2010, Summary File 1, PCT12A-G",
            "2010-04-01",
            api="2010/dec/sf1",
            tables=_TABLES_2000,
        ),
        Source(
            "sf1-2000-api",
            "Census 2000, Summary File 1, PCT12A-G, through the API",
            "2000-04-01",
            api="2000/dec/sf1",
            tables=_TABLES_2000,
        ),
        Source(
            "acs2022",
            "American Community Survey 2018-2022, B01001A-G",
            "2022-12-31",
            api="2022/acs/acs5",
            tables=tuple(f"B01001{letter}" for letter in "ABCDEFG"),
        ),
    )
}


def race_of(source: Source, name: str) -> str:
    for table, race in zip(source.tables, RACES, strict=True):
        if f"-{table}-" in name or name.startswith(table):
            return race
    raise RiskError(
        "the file's name does not hold its table",
        code="unknown-table",
        hint="keep the names that `deid population fetch` gave",
    )


def source_of(name: str) -> Source:
    """The source of that name.

    Raises:
        RiskError: `unknown-source`.
    """
    if name not in SOURCES:
        raise RiskError(
            "no such source", code="unknown-source", hint=f"sources: {', '.join(SOURCES)}"
        )
    return SOURCES[name]
