"""The options of `deid exposure`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from deid.cli.table_arguments import AsJson


@dataclass(frozen=True, kw_only=True)
class ExposureOptions:
    """The options of `deid exposure` as given on the command line."""

    population: Annotated[
        str | None,
        typer.Option(metavar="NAME-or-CSV", help="A name from `deid population list`, or a file."),
    ] = None
    scenario: Annotated[
        str | None,
        typer.Option(
            metavar="NAME-or-TOML", help="Scenario of policies and attackers (default: states)."
        ),
    ] = None
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:field=level,…", help="Policy to use instead of the scenario's."),
    ] = None
    attacker: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:field=level,…", help="Attacker to use; `general` knows all fields."
        ),
    ] = None
    price: Annotated[
        float | None, typer.Option(metavar="USD", help="Price of the attacker's list.")
    ] = None
    g: Annotated[str, typer.Option("--g", metavar="1,3,5,10", help="Group sizes g to report.")] = (
        "1,3,5,10"
    )
    by: Annotated[
        str | None, typer.Option(metavar="COL", help="Report by this column, e.g. state.")
    ] = None
    where: Annotated[
        str | None,
        typer.Option(metavar="COL=V|V", help="Use part of the population, e.g. state=DE."),
    ] = None
    show: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Print a scenario, or the `questionnaire`.",
        ),
    ] = None
    html: Annotated[Path | None, typer.Option(metavar="F", help="Write the report as HTML.")] = None
    as_json: AsJson = False
