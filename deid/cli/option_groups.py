"""Options in groups: a command takes a dataclass, and each field of it is an option.

A group that several commands share is written once, and a command of many options reads as what it
does with them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter
from typing import Any, TypeVar, get_type_hints

Told = TypeVar("Told")


def grouped(command: Callable[..., Told]) -> Callable[..., Told]:
    """The command as typer is to see it: in place of a parameter that is a dataclass, its fields.

    Fields are annotated as parameters of typer are; their order is that of the help.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            parameters += _fields_of(groups[name])
        else:
            plain = parameter.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)
            parameters.append(plain)

    @wraps(command)
    def run(**told: Any) -> Told:
        for name, group in groups.items():
            told[name] = group(**{field.name: told.pop(field.name) for field in fields(group)})
        return command(**told)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def _fields_of(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(
            field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
        )
