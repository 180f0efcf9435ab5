"""`deid population list|show|fetch|build`: tables of counted people."""

from __future__ import annotations

import json
import os
from pathlib import Path

from deid.cli import say
from deid.cli.option_groups import command, command_app
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

app = command_app("Population tables: list, show, fetch, build.")


@command(app, "list")
def list_tables(as_json: bool = False) -> None:
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


@command(app, "show")
def show_population(name: str, as_json: bool = False) -> None:
    """Show source, vintage, hash and totals of a table, by state where it has states."""
    population = open_population(name)
    content = _population_content(population)
    if as_json:
        print(json.dumps(content, indent=2))
        return
    for key, value in content.items():
        print(_output_line(key, value))


@command(app, "fetch")
def fetch_source(
    name: str,
    states: str | None = None,
    counties: bool = False,
    key: str | None = None,
    file_server: str | None = None,
    api_server: str | None = None,
    as_json: bool = False,
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


@command(app)
def build(
    files: list[Path],
    source: str | None = None,
    table_name: str | None = None,
    count: str | None = None,
    as_json: bool = False,
) -> None:
    """Build a table from downloaded files, or from any CSV of counts."""
    if source is not None:
        population = build_population(source, files)
    else:
        population = read_population(files[0], name=table_name or files[0].stem, count=count)
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
