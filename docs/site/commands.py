"""The reference of the command line, made of the help that the commands show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
from typer.main import get_command

from deid.cli import app
from deid.cli.examples import EXAMPLES
from deid.cli.register import COMMANDS


def command_pages() -> dict[str, str]:
    """The pages by path: an overview, and one for each command with those below it."""
    group: Any = get_command(app)
    rows = "\n".join(f"| [`deid {name}`]({name}.md) | {line} |" for name, _, line in COMMANDS)
    root = click.Context(group, info_name="deid")
    overview = ("# Commands", _cell(group.help), f"| command | does |\n|---|---|\n{rows}\n")
    pages = {"commands/index.md": "\n\n".join(overview)}
    for name, _, _ in COMMANDS:
        command = group.get_command(root, name)
        pages[f"commands/{name}.md"] = "\n\n".join(_sections(command, f"deid {name}", root, "#"))
    return pages


def _sections(command: Any, path: str, parent: Any, mark: str) -> Iterator[str]:
    context = click.Context(command, info_name=path.rpartition(" ")[2], parent=parent)
    yield f"{mark} {path}"
    yield _paragraphs(command.help or "")
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"```\n{path} {usage}\n```"
    for title, kind in (("Arguments", "argument"), ("Options", "option")):
        rows = [
            f"| `{shown}` | {_cell(text)} |"
            for one in command.get_params(context)
            if one.param_type_name == kind and (record := one.get_help_record(context))
            for shown, text in [record]
        ]
        if rows:
            yield "\n".join((f"| {title} | |", "|---|---|", *rows))
    if lines := EXAMPLES.get(path.removeprefix("deid ")):
        yield "\n".join(("```console", *(_prompted(lines)), "```"))
    for name in getattr(command, "commands", {}):
        yield from _sections(command.commands[name], f"{path} {name}", context, f"{mark}#")


def _prompted(lines: tuple[str, ...]) -> Iterator[str]:
    """The lines with a prompt, except those that go on with the line before."""
    before = ""
    for line in lines:
        yield line if before.endswith("\\") else f"$ {line}"
        before = line


def _paragraphs(text: str) -> str:
    parts = (" ".join(part.split()) for part in text.replace("\b", "").split("\n\n"))
    return "\n\n".join(part.replace("<", "&lt;") for part in parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
