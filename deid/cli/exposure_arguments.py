"""What `deid exposure` may be told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer


@dataclass(frozen=True, kw_only=True)
class ExposureOptions:
    """The options of `deid exposure`, as they were given."""

    population: Annotated[
        str | None, typer.Option(metavar="NAME-or-CSV", help="`deid population list`, or a file.")
    ] = None
    scenario: Annotated[
        str | None,
        typer.Option(metavar="NAME-or-TOML", help="Policies and attackers; default: states."),
    ] = None
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:field=level,…", help="A policy, instead of the scenario's."),
    ] = None
    attacker: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:field=level,…", help="An attacker; `general` knows all fields."),
    ] = None
    price: Annotated[
        float | None, typer.Option(metavar="USD", help="Price of the list of --attacker.")
    ] = None
    g: Annotated[str, typer.Option("--g", metavar="1,3,5,10", help="Group sizes.")] = "1,3,5,10"
    by: Annotated[str | None, typer.Option(metavar="COL", help="Each part apart, e.g. state.")] = (
        None
    )
    where: Annotated[
        str | None, typer.Option(metavar="COL=V|V", help="Part of the population, e.g. state=DE.")
    ] = None
    show: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Print a scenario, or the `questionnaire`.",
        ),
    ] = None
    html: Annotated[Path | None, typer.Option(metavar="F", help="Write a report here.")] = None
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False
