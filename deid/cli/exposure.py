"""`deid exposure --population P`: how much of a population a release policy leaves exposed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deid.cli import say
from deid.cli.option_groups import command, command_app
from deid.cli.risk_pages import write_page
from deid.errors import DeidError
from deid.plans.request import whole_numbers
from deid.standard_streams import is_dash
from risk import (
    Attacker,
    Differential,
    Exposure,
    Population,
    ReleasePolicy,
    Scenario,
    compare_exposures,
    open_population,
    questionnaire,
    read_scenario,
    scenario_names,
    scenario_text,
)

app = command_app()


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
    as_json: bool = False


LEAST_SHOWN = 1e-9


@command(app)
def run(asked: ExposureOptions) -> None:
    """Measure g-distinct people, total risk, trust differential and cost of a policy."""
    if asked.show is not None:
        print(
            questionnaire() if asked.show == "questionnaire" else scenario_text(asked.show), end=""
        )
        return
    if asked.population is None:
        raise DeidError(
            "no-population",
            "no population is named",
            hint="give --population; `deid population list` shows the names",
        )
    found = open_population(asked.population)
    if asked.where is not None:
        column, _, values = asked.where.partition("=")
        found = found.where(column, values.split("|"))
    chosen = _scenario(
        asked.scenario or "states", asked.policy or [], asked.attacker or [], asked.price
    )
    exposures, differentials = compare_exposures(
        found, chosen, g_sizes=_group_sizes(asked.g), by=asked.by
    )
    if asked.html is not None:
        from risk import render_exposure

        write_page(asked.html, render_exposure(found, chosen, by=asked.by))
        if is_dash(asked.html):
            return
        say(f"report in {asked.html}")
    if not asked.as_json:
        print(_exposure_text(found, exposures, differentials))
        return
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
    print(json.dumps(content, indent=2))


def _exposure_text(
    people: Population, exposures: Sequence[Exposure], differentials: Sequence[Differential]
) -> str:
    """The result as text."""
    kind = "modelled" if people.modelled else "counted"
    lines = [f"{people.name} ({people.vintage}, {kind}): {people.total:,.0f} people"]
    for one in exposures:
        place = f" in {one.place}" if one.place else ""
        shares = ", ".join(
            f"{g}-distinct {_exposed_percent(100 * n / one.people)}"
            for g, n in one.distinct.items()
        )
        cost = "" if one.cost is None else f", ${one.cost:,.2f} per match"
        lines.append(
            f"{one.policy} under {one.attacker}{place}: total risk {one.matches:,.1f} "
            f"({_exposed_percent(one.percent or 0)}{cost}); {shares}"
        )
    for ratio in differentials:
        if ratio.total_risk is not None:
            place = f" in {ratio.place}" if ratio.place else ""
            lines.append(
                f"trust differential {ratio.policy} / {ratio.against} under {ratio.attacker}"
                f"{place}: {ratio.total_risk:,.4g}"
            )
    return "\n".join(lines)


def _exposed_percent(share: float) -> str:
    """A percentage, or `below 1e-09 %` for less than a hundredth of a person in the nation."""
    return f"{share:.4g} %" if share == 0 or share >= LEAST_SHOWN else f"below {LEAST_SHOWN:g} %"


def _scenario(
    name: str, policies: list[str], attackers: list[str], price: float | None
) -> Scenario:
    base = read_scenario(name)
    named = {one.name: one for one in base.policies}
    own_policies = tuple(
        named.get(text) or ReleasePolicy(*_named_fields(text)) for text in policies
    )
    own_attackers = tuple(_attacker(text, base, price) for text in attackers)
    return Scenario(base.title, own_policies or base.policies, own_attackers or base.attackers)


def _attacker(text: str, base: Scenario, price: float | None) -> Attacker:
    for one in base.attackers:
        if one.name == text:
            return Attacker(one.name, one.fields, one.price if price is None else price, one.source)
    name, fields = _named_fields(text)
    return Attacker(name, fields or None, price)


def _named_fields(text: str) -> tuple[str, dict[str, str]]:
    """Parse `name:field=level,field`. The default level is `full`, or `year` for age."""
    name, _, rest = text.partition(":")
    if not rest and name != "general":
        hint = f"scenarios: {', '.join(scenario_names())}; or write name:state,age=year,sex"
        raise DeidError(
            "unknown-policy",
            "the policy or attacker is neither in the scenario nor written as NAME:field=level",
            hint=hint,
        )
    pairs = [part.partition("=") for part in rest.split(",") if part]
    plain = {"age": "year"}
    return name, {f.strip(): level.strip() or plain.get(f.strip(), "full") for f, _, level in pairs}


def _group_sizes(text: str) -> tuple[int, ...]:
    found = whole_numbers(text, "--g", "1,3,5,10")
    if not found or any(size < 1 for size in found):
        raise DeidError(
            "bad-number", "--g must be numbers of at least 1", hint="for example --g 1,3,5,10"
        )
    return found
