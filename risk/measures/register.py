"""The metrics of a class table, in the order they are reported. Each is `risk/<name>.py` with a
function `measure(case: Case) -> Score | None`, imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from risk.measures.scores import Case, Score

METRICS: tuple[str, ...] = ("prosecutor", "journalist", "marketer")


def metric(name: str) -> Callable[[Case], Score | None]:
    """The `measure` function of a registered metric."""
    if name not in METRICS:
        raise KeyError(name)
    found: Callable[[Case], Score | None] = import_module(f"risk.measures.{name}").measure
    return found
