"""The options of `deid exposure`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deid.cli.table_arguments import AsJson


@dataclass(frozen=True, kw_only=True)
class ExposureOptions:
    """The options of `deid exposure` as given on the command line."""

    population: str | None = None
    scenario: str | None = None
    policy: list[str] | None = None
    attacker: list[str] | None = None
    price: float | None = None
    g: str = "1,3,5,10"
    by: str | None = None
    where: str | None = None
    show: str | None = None
    html: Path | None = None
    as_json: AsJson = False
