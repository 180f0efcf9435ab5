"""The options of `deid risk`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deid.cli.table_arguments import (
    AsJson,
    Delimiter,
    NamedPopulation,
    PersonColumn,
    PopulationColumns,
    PopulationCount,
    PopulationWhere,
    ReferenceYear,
)


@dataclass(frozen=True, kw_only=True)
class RiskOptions:
    """The options of `deid risk` as given on the command line."""

    quasi: str
    cell_size: int | None = None
    tau: str | None = None
    alpha: float = 0.0
    lambda_: str | None = None
    decide_on: str = "prosecutor"
    population: NamedPopulation = None
    population_columns: PopulationColumns = None
    population_where: PopulationWhere = None
    population_count: PopulationCount = None
    reference_year: ReferenceYear = None
    scaling: float = 1.0
    group_thresholds: str = "1,10,20000"
    sampling_fraction: float | None = None
    person_column: PersonColumn = None
    known_events: int | None = None
    count_column: str | None = None
    sensitive: str | None = None
    household_column: str | None = None
    subsets: int | None = None
    delimiter: Delimiter = None
    engine: str = "local"
    html: Path | None = None
    pdf: Path | None = None
    context: Path | None = None
    recipient: str | None = None
    purpose: str | None = None
    expires: str | None = None
    before: str | None = None
    variables: Path | None = None
    fail_over: bool = False
    as_json: AsJson = False
