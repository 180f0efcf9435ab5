"""`deid population list|show|fetch|build`: tables of counted people."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from deid.cli import say
from deid.cli.table_arguments import AsJson
from risk import (
    SOURCES,
    Population,
    build_population,
    fetch_population,
    open_population,
    population_cards,
    read_population,
    save_population,
)
from risk import population_folder as kept_in

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    help="Population tables: list, show, fetch, build.",
    no_args_is_help=True,
)
_TableName = Annotated[str, typer.Argument(metavar="NAME")]


@app.command("list")
def list_tables(as_json: AsJson = False) -> None:
    """List the available tables, and the sources that can be fetched."""
    tables = population_cards()
    if as_json:
        sources = [{"name": s.name, "title": s.title, "key": bool(s.api)} for s in SOURCES.values()]
        content = {"tables": [card.as_json() for card in tables], "sources": sources}
        print(json.dumps(content, indent=2))
        return
    for card in tables:
        kind = "modelled" if card.modelled else "counted"
        print(f"{card.name}\t{card.vintage}\t{kind}\t{card.total:,.0f}\t{','.join(card.columns)}")
    for source in SOURCES.values():
        print(
            f"{source.name}\tcan be fetched{' (with a key)' if source.api else ''}\t{source.title}"
        )


@app.command("show")
def show_population(name: _TableName, as_json: AsJson = False) -> None:
    """Show source, vintage, hash and totals of a table, by state where it has states."""
    population = open_population(name)
    content = _population_content(population)
    if as_json:
        print(json.dumps(content, indent=2))
        return
    for key, value in content.items():
        print(_output_line(key, value))


@app.command("fetch")
def fetch_source(
    name: _TableName,
    states: Annotated[
        str | None, typer.Option(metavar="DE,RI", help="Fetch only these states (SF1 and API).")
    ] = None,
    counties: Annotated[bool, typer.Option(help="Ask the API for counties.")] = False,
    key: Annotated[
        str | None, typer.Option(help="Key of the data API (default: $CENSUS_API_KEY).")
    ] = None,
    file_server: Annotated[
        str | None, typer.Option(metavar="URL", help="A mirror of www2.census.gov.")
    ] = None,
    api_server: Annotated[
        str | None, typer.Option(metavar="URL", help="A mirror of api.census.gov/data.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch a table from the Census Bureau. No other command contacts the Bureau."""
    servers = {
        name: url
        for name, url in (("file_server", file_server), ("api_server", api_server))
        if url is not None
    }
    population = fetch_population(
        name,
        kept_in() / "downloads",
        states=[state.strip() for state in (states or "").split(",") if state.strip()],
        counties=counties,
        key=key or os.environ.get("CENSUS_API_KEY"),
        say=say,
        **servers,
    )
    _keep(population, as_json)


@app.command()
def build(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...")],
    source: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="Source of the files.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of a table built from a CSV of counts.")
    ] = None,
    count: Annotated[
        str | None,
        typer.Option(metavar="COL", help='Column of counts, or "none" if each row is a person.'),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build a table from downloaded files, or from any CSV of counts."""
    if source is not None:
        population = build_population(source, files)
    else:
        population = read_population(files[0], name=name or files[0].stem, count=count)
    _keep(population, as_json)


def _keep(population: Population, as_json: bool) -> None:
    path = save_population(population)
    if as_json:
        print(json.dumps(_population_content(open_population(population.name)), indent=2))
    else:
        print(f"{population.name}: {population.total:,.0f} people, saved in {path}")


def _output_line(key: str, value: object) -> str:
    """One line of the text output; totals by state get a line each."""
    if isinstance(value, dict):
        return "\n".join([f"{key}:", *(f"  {name}\t{total:,.0f}" for name, total in value.items())])
    if isinstance(value, list):
        return f"{key}: {', '.join(map(str, value))}"
    if isinstance(value, bool):
        return f"{key}: {'yes' if value else 'no'}"
    return f"{key}: {value:,.0f}" if isinstance(value, int | float) else f"{key}: {value}"


def _population_content(population: Population) -> dict[str, object]:
    content: dict[str, object] = {
        "name": population.name,
        "source": population.source,
        "vintage": population.vintage,
        "modelled": population.modelled,
        "sha256": population.sha256,
        "columns": list(population.columns),
        "cells": population.cells.rows,
        "total": population.total,
    }
    if "state" in population.columns:
        column = population.cells.column("state")
        totals = {str(v): 0.0 for v in column.values}
        for code, value in enumerate(column.values):
            totals[str(value)] = float(population.counts[column.codes == code].sum())
        content["by_state"] = dict(sorted(totals.items()))
    return content
