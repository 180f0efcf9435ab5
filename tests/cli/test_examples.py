"""Every example shown in the help is a command that the command line accepts."""

from __future__ import annotations

import shlex
from typing import Any

import click
import pytest
from typer.main import get_command

from deid.cli import app
from deid.cli.examples import EXAMPLES
from deid.cli.register import COMMANDS


def every_example() -> list[str]:
    joined = "\n".join(line for lines in EXAMPLES.values() for line in lines)
    shown = joined.replace("\\\n", " ").splitlines()
    return [line.partition("| ")[2] or line for line in shown if "deid " in line]


def test_every_command_has_examples() -> None:
    assert {name for name, _, _ in COMMANDS} <= set(EXAMPLES)


@pytest.mark.parametrize("line", every_example())
def test_the_command_line_accepts_each_example(line: str) -> None:
    words = shlex.split(line.partition(" > ")[0])[1:]
    command: Any = get_command(app)
    context = click.Context(command)
    while hasattr(command, "get_command"):
        command = command.get_command(context, words.pop(0))
        context = click.Context(command)
    command.make_context("deid", words, resilient_parsing=False)


def test_the_help_shows_them_line_by_line() -> None:
    command: Any = get_command(app).get_command(None, "scrub")  # type: ignore[attr-defined, arg-type]
    text = command.get_help(click.Context(command))
    for line in EXAMPLES["scrub"]:
        assert f"  {line}\n" in f"{text}\n"
