"""Option groups: each field of a dataclass becomes an option, as if it were a parameter of the
command.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Annotated, Any

import typer
from typer.main import get_command
from typer.testing import CliRunner

from deid.cli import app as entry
from deid.cli.option_groups import shown_command, with_option_groups
from deid.cli.register import COMMANDS
from deid.cli.scrub_arguments import ScrubOptions
from safe_harbor import csv_rows


@dataclass(frozen=True, kw_only=True)
class Sizes:
    wide: Annotated[int, typer.Option(help="How wide.")]
    deep: Annotated[int, typer.Option("--depth", help="How deep.")] = 2


app = typer.Typer(rich_markup_mode=None)


@app.command()
@with_option_groups
def run(
    place: Annotated[str, typer.Argument()],
    sizes: Sizes,
    loud: Annotated[bool, typer.Option("--loud")] = False,
) -> None:
    print(place, sizes, loud)


def _printed(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, result.output.strip()


def test_fields_are_options_and_come_back_as_the_group() -> None:
    assert _printed("here", "--wide", "3", "--depth", "4", "--loud") == (
        0,
        "here Sizes(wide=3, deep=4) True",
    )


def test_a_field_keeps_its_default() -> None:
    assert _printed("here", "--wide", "3") == (0, "here Sizes(wide=3, deep=2) False")


def test_a_field_without_a_default_must_be_given() -> None:
    code, said = _printed("here")
    assert code == 2
    assert "--wide" in said


def test_the_help_lists_the_fields_at_the_position_of_the_group() -> None:
    _, said = _printed("--help")
    assert said.index("--wide") < said.index("--depth") < said.index("--loud")
    assert "--sizes" not in said


def test_the_command_is_shown_with_the_option_names_that_users_type() -> None:
    assert shown_command("run", Sizes(wide=3, deep=4)) == "run --wide 3 --depth 4"


def test_every_row_of_the_table_is_an_option_of_its_command() -> None:
    """A row without an option would mislead; an option without a row raises when it is loaded."""
    options = set()
    for name, _, _ in COMMANDS:
        command: Any = get_command(entry).get_command(None, name)  # type: ignore[attr-defined,arg-type]
        for one in getattr(command, "commands", {"": command}).values():
            options |= {(name, param.name, param.help or "") for param in one.params}
    homes = {"key": "crosswalk"}
    missing = [
        (row["command"], row["field"])
        for row in csv_rows(files("deid.cli") / "options.csv")
        if not any(
            row["command"] in ("*", command) or homes.get(row["command"]) == command
            for command, field, told in options
            if (field, told) == (row["field"], row["help"])
        )
    ]
    assert missing == []


def test_every_option_of_scrub_is_shown_as_the_command_accepts_it() -> None:
    told = {field.name: "x" for field in fields(ScrubOptions)} | {"inputs": [], "as_json": True}
    shown = ScrubOptions(**told).shown  # type: ignore[arg-type]
    command: Any = get_command(entry).get_command(None, "scrub")  # type: ignore[attr-defined,arg-type]
    flags = {word for word in shown.split() if word.startswith("--")}
    assert "--json" in flags
    assert flags <= {name for param in command.params for name in param.opts}
