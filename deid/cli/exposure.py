"""`deid exposure --population P`: how much of a population a policy leaves exposed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from deid.cli.risk import to_stdout, write_page
from deid.errors import DeidError
from risk import (
    Attacker,
    Policy,
    Scenario,
    compare,
    open_population,
    questionnaire,
    read_scenario,
    scenario_names,
    scenario_text,
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    population: Annotated[
        str | None, typer.Option(metavar="NAME-or-CSV", help="`deid population list`, or a file.")
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option(metavar="NAME-or-TOML", help="Policies and attackers; default: states."),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:field=level,…", help="A policy, instead of the scenario's."),
    ] = None,
    attacker: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:field=level,…", help="An attacker; `general` knows all fields."),
    ] = None,
    price: Annotated[
        float | None, typer.Option(metavar="USD", help="Price of the list of --attacker.")
    ] = None,
    g: Annotated[str, typer.Option("--g", metavar="1,3,5,10", help="Group sizes.")] = "1,3,5,10",
    by: Annotated[
        str | None, typer.Option(metavar="COL", help="Each part apart, e.g. state.")
    ] = None,
    where: Annotated[
        str | None, typer.Option(metavar="COL=V|V", help="Part of the population, e.g. state=DE.")
    ] = None,
    show: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Print a scenario, or the `questionnaire`.",
        ),
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="F", help="Write a report here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """g-distinct people, total risk, trust differential and cost of a policy under an attacker."""
    if show is not None:
        print(questionnaire() if show == "questionnaire" else scenario_text(show), end="")
        return
    if population is None:
        raise DeidError("no-population", "name a --population", hint="deid population list")
    found = open_population(population)
    if where is not None:
        column, _, values = where.partition("=")
        found = found.where(column, values.split("|"))
    chosen = _scenario(scenario or "states", policy or [], attacker or [], price)
    exposures, differentials = compare(found, chosen, g_sizes=_sizes(g), by=by)
    content = {
        "title": chosen.title,
        "population": {
            "table": found.name,
            "source": found.source,
            "vintage": found.vintage,
            "modelled": found.modelled,
            "people": found.total,
        },
        "exposures": [one.as_json() for one in exposures],
        "trust_differential": [one.as_json() for one in differentials],
    }
    if html is not None:
        from risk import render_exposure

        write_page(html, render_exposure(found, chosen, by=by))
        if to_stdout(html):
            return
    if as_json:
        print(json.dumps(content, indent=2))
        return
    kind = "modelled" if found.modelled else "counted"
    print(f"{found.name} ({found.vintage}, {kind}): {found.total:,.0f} people")
    for one in exposures:
        place = f" in {one.place}" if one.place else ""
        shares = ", ".join(
            f"{g}-distinct {100 * n / one.people:.4g} %" for g, n in one.distinct.items()
        )
        cost = "" if one.cost is None else f", ${one.cost:,.2f} each"
        print(
            f"{one.policy} under {one.attacker}{place}: total risk {one.matches:,.1f} "
            f"({one.percent or 0:.4g} %{cost}); {shares}"
        )
    for ratio in differentials:
        if ratio.total_risk is not None:
            place = f" in {ratio.place}" if ratio.place else ""
            print(
                f"trust differential {ratio.policy} / {ratio.against} under {ratio.attacker}"
                f"{place}: {ratio.total_risk:,.4g}"
            )


def _scenario(
    name: str, policies: list[str], attackers: list[str], price: float | None
) -> Scenario:
    base = read_scenario(name)
    named = {one.name: one for one in base.policies}
    own_policies = tuple(named.get(text) or Policy(*_fields(text)) for text in policies)
    own_attackers = tuple(_attacker(text, base, price) for text in attackers)
    return Scenario(base.title, own_policies or base.policies, own_attackers or base.attackers)


def _attacker(text: str, base: Scenario, price: float | None) -> Attacker:
    for one in base.attackers:
        if one.name == text:
            return Attacker(one.name, one.fields, one.price if price is None else price, one.source)
    name, fields = _fields(text)
    return Attacker(name, fields or None, price)


def _fields(text: str) -> tuple[str, dict[str, str]]:
    """`name:field=level,field` (level `full`, of age `year`, where none is given)."""
    name, _, rest = text.partition(":")
    if not rest and name != "general":
        hint = f"scenarios: {', '.join(scenario_names())}; or write name:state,age=year,sex"
        raise DeidError("unknown-policy", "neither in the scenario nor written out", hint=hint)
    pairs = [part.partition("=") for part in rest.split(",") if part]
    plain = {"age": "year"}
    return name, {f.strip(): level.strip() or plain.get(f.strip(), "full") for f, _, level in pairs}


def _sizes(text: str) -> tuple[int, ...]:
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise DeidError("bad-number", "--g takes whole numbers, 1,3,5,10") from None
    if any(size < 1 for size in found):
        raise DeidError("bad-number", "a group holds at least one person")
    return found
