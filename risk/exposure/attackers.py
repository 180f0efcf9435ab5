"""Release policies, attackers, and the scenarios that pair them.

A scenario is a TOML file that a user copies and edits; the package has some in
`risk/exposure/scenarios/`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from risk.errors import RiskError

#: Level of the field `age`: (years per group, age from which all are pooled, days released).
AGE_LEVELS: dict[str, tuple[int, int | None, bool]] = {
    "day": (1, None, True),
    "year": (1, None, False),
    "year_90_pooled": (1, 90, False),
    "5_years": (5, None, False),
    "10_years": (10, None, False),
}
LEVELS: dict[str, tuple[str, ...]] = {
    "age": tuple(AGE_LEVELS),
    "race": ("full", "three"),
}
POPULATION_FIELDS = ("state", "county", "zip3", "zip5", "age", "sex", "race")
_PLAIN_LEVELS = ("full",)


@dataclass(frozen=True)
class ReleasePolicy:
    """The released fields, each with its level: `{"state": "full", "age": "year", ...}`."""

    name: str
    fields: Mapping[str, str]

    def __post_init__(self) -> None:
        check_fields(self.fields, self.name)


@dataclass(frozen=True)
class Attacker:
    """A list of identified people that the attacker holds: its fields and levels, and its price.

    If `fields` is None, the list has every released field (the GENERAL attacker of Benitez &
    Malin 2010).
    """

    name: str
    fields: Mapping[str, str] | None = None
    price: float | None = None
    source: str = ""

    def __post_init__(self) -> None:
        if self.fields is not None:
            check_fields(self.fields, self.name)
        if self.price is not None and self.price < 0:
            raise RiskError("a price must not be negative", code="bad-scenario", place=self.name)

    def sees(self, policy: ReleasePolicy) -> dict[str, str | tuple[str, str]]:
        """Return the fields on which the attacker's list can be joined to the release.

        A field has two levels if the list and the release differ.
        """
        if self.fields is None:
            return dict(policy.fields)
        return {
            field: level if self.fields[field] == level else (level, self.fields[field])
            for field, level in policy.fields.items()
            if field in self.fields
        }


@dataclass(frozen=True)
class Scenario:
    """Policies to compare under attackers.

    The trust differential compares each policy with the last one.
    """

    title: str
    policies: tuple[ReleasePolicy, ...]
    attackers: tuple[Attacker, ...]

    def __post_init__(self) -> None:
        if not self.policies or not self.attackers:
            raise RiskError(
                "the scenario has no policy or no attacker",
                code="bad-scenario",
                hint="write at least one [[policies]] and one [[attackers]] table",
            )


def scenario_names() -> tuple[str, ...]:
    """The names of the scenarios in the package."""
    folder = files("risk.exposure").joinpath("scenarios")
    return tuple(sorted(p.name[:-5] for p in folder.iterdir() if p.name.endswith(".toml")))


def scenario_text(name: str) -> str:
    """The text of a scenario of the package, for the user to copy and edit, or of a scenario
    file."""
    if name in scenario_names():
        return files("risk.exposure").joinpath("scenarios", f"{name}.toml").read_text("utf-8")
    if not Path(name).is_file():
        raise RiskError(
            "unknown scenario",
            code="unknown-scenario",
            hint=f"give a TOML file, or one of: {', '.join(scenario_names())}",
        )
    return Path(name).read_text("utf-8")


def read_scenario(name: str) -> Scenario:
    """Read a scenario by its name in the package or by path.

    Raises `RiskError` if it is not valid.
    """
    try:
        content = tomllib.loads(scenario_text(name))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        line = getattr(error, "lineno", None)
        place = f"line {line}" if line else "the scenario"
        raise RiskError(
            "the scenario is not valid TOML", code="bad-scenario", place=place
        ) from None
    known = {"title", "policies", "attackers"}
    if unknown := set(content) - known:
        raise RiskError(f"unknown keys: {', '.join(sorted(unknown))}", code="bad-scenario")
    return Scenario(
        title=str(content.get("title", "")),
        policies=tuple(
            ReleasePolicy(**_checked_keys(row, ("name", "fields")))
            for row in _toml_rows(content, "policies")
        ),
        attackers=tuple(
            Attacker(**_checked_keys(row, ("name", "fields", "price", "source")))
            for row in _toml_rows(content, "attackers")
        ),
    )


def check_fields(fields: Mapping[str, str], place: str) -> None:
    """Raise `RiskError` for an unknown field or level; the hint lists the known ones."""
    for field, level in fields.items():
        if field not in POPULATION_FIELDS:
            raise RiskError(
                f"unknown field {field!r}",
                code="bad-scenario",
                place=place,
                hint=f"use one of the fields: {', '.join(POPULATION_FIELDS)}",
            )
        if level not in LEVELS.get(field, _PLAIN_LEVELS):
            raise RiskError(
                f"unknown level {level!r} of {field}",
                code="bad-scenario",
                place=place,
                hint=f"use one of the levels: {', '.join(LEVELS.get(field, _PLAIN_LEVELS))}",
            )


def _toml_rows(content: dict[str, Any], key: str) -> list[dict[str, Any]]:
    rows = content.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise RiskError(
            f"`{key}` is not an array of tables; write one [[{key}]] table for each",
            code="bad-scenario",
            place=key,
        )
    return rows


def _checked_keys(row: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    if unknown := set(row) - set(known):
        raise RiskError(
            f"unknown keys: {', '.join(sorted(unknown))}",
            code="bad-scenario",
            hint=f"use one of: {', '.join(known)}",
        )
    if "name" not in row:
        raise RiskError(
            "a policy or an attacker has no name",
            code="bad-scenario",
            hint='write name = "..." in its table',
        )
    return row
