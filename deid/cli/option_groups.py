"""The options of commands: each parameter of a command, or field of a dataclass that it takes.

`options.csv` has the spelling and the help of each option. A row belongs to the options of one
command; a row of the command `*` is shared by all commands without a row of their own. An option
without `names` is spelled like its parameter.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, wraps
from importlib.resources import files
from inspect import Parameter
from typing import Annotated, Any, TypeVar, cast, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, ParameterInfo

from safe_harbor import csv_rows

CommandResult = TypeVar("CommandResult")
CommandFunction = Callable[..., Any]


def command_app(about: str | None = None) -> typer.Typer:
    """The application of one command; with `about`, of a group of commands."""
    return typer.Typer(
        rich_markup_mode=None,
        add_completion=False,
        help=about,
        no_args_is_help=about is not None,
    )


def command(app: typer.Typer, name: str | None = None) -> Callable[[CommandFunction], Any]:
    """Decorator: add the function to `app` as a command, with options from `options.csv`."""
    return lambda function: app.command(name)(with_option_groups(function))


def with_option_groups(command: Callable[..., CommandResult]) -> Callable[..., CommandResult]:
    """The command for typer, with the fields of its dataclass in place of its parameter.

    Fields are annotated like parameters of typer, and the help keeps their order.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            parameters += _fields_of(groups[name])
        else:
            hint = _hint_with_option(command.__module__.rpartition(".")[2], name, hints[name])
            parameters.append(parameter.replace(annotation=hint, kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**told: Any) -> CommandResult:
        for name, group in groups.items():
            told[name] = group(**{field.name: told.pop(field.name) for field in fields(group)})
        return command(**told)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def hints_of(group: Any) -> dict[str, Any]:
    """The typer annotation of each field of a group, from the dataclass or from `options.csv`."""
    name = group.__name__.removesuffix("Options").lower()
    return {
        field: _hint_with_option(name, field, hint)
        for field, hint in get_type_hints(group, include_extras=True).items()
    }


def _hint_with_option(command: str, field: str, hint: Any) -> Any:
    own = get_origin(hint) is Annotated
    return hint if own else Annotated[hint, _option(command, field)]


def _option(command: str, field: str) -> ParameterInfo:
    rows = _option_rows()
    row = rows.get((command, field)) or rows["*", field]
    named: dict[str, Any] = {"metavar": row["metavar"] or None, "help": row["help"] or None}
    if row["names"] == "argument":
        return cast(ParameterInfo, typer.Argument(**named))
    named |= {limit: json.loads(row[limit]) for limit in ("min", "max") if row[limit]}
    return cast(ParameterInfo, typer.Option(*row["names"].split(), **named))


@cache
def _option_rows() -> dict[tuple[str, str], dict[str, str]]:
    return {
        (row["command"], row["field"]): row for row in csv_rows(files("deid.cli") / "options.csv")
    }


def shown_command(name: str, asked: Any, plain: Sequence[str] = ()) -> str:
    """The command as typed, with a placeholder for each value.

    Switches and numbers are shown as given. So are the options in `plain`, because their values are
    the program's own words. Options at their defaults are left out.
    """
    hints = hints_of(type(asked))
    words = [name]
    for field in fields(asked):
        told = getattr(asked, field.name)
        if told in (field.default, None, [], ()):
            continue
        option = next(m for m in hints[field.name].__metadata__ if isinstance(m, ParameterInfo))
        shown = told if field.name in plain else None
        words += _shown_option(field.name, option, told, shown)
    return " ".join(words)


def _shown_option(name: str, option: ParameterInfo, told: Any, plain: str | None) -> list[str]:
    stands_for = str(option.metavar or name).upper().split("|")[0]
    times = len(told) if isinstance(told, (list, tuple)) else 1
    if isinstance(option, ArgumentInfo):
        return [stands_for] * times
    # For an option in an annotation, typer stores the option's first name as its default.
    names = (option.default, *(option.param_decls or ()))
    own = [name for name in names if isinstance(name, str) and name.startswith("--")]
    flag = own[0] if own else f"--{name.replace('_', '-')}"
    if isinstance(told, bool):
        return [flag]
    value = str(told) if isinstance(told, int | float) else plain or stands_for
    return [word for _ in range(times) for word in (flag, value)]


def _fields_of(group: Any) -> Iterator[Parameter]:
    hints = hints_of(group)
    for field in fields(group):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(
            field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
        )
