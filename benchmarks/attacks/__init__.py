"""Attacks on the claim: inputs that once made a release claim more than was proved.

Each module holds functions `attack_NAME(lab) -> bool`, which return True if the engine resisted the
attack. The first line of the docstring says what the attacker tries. `python -m benchmarks.attacks`
prints the table; `tests/test_attacks.py` runs every one of them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.attacks.lab import Lab

MODULES = tuple(
    sorted(
        path.stem
        for path in Path(__file__).parent.glob("*.py")
        if path.stem not in ("__init__", "__main__", "lab")
    )
)


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: the part of the claim that it targets, its name, its summary, and how to
    run it.
    """

    part: str
    name: str
    summary: str
    run: Callable[[Lab], bool]


def attacks() -> Iterator[Attack]:
    """Every attack of every module, in order of module and definition."""
    for part in MODULES:
        module = importlib.import_module(f"benchmarks.attacks.{part}")
        for name, run in list(vars(module).items()):
            if name.startswith("attack_"):
                summary = (run.__doc__ or "").strip().split("\n")[0]
                yield Attack(part, name.removeprefix("attack_"), summary, run)
