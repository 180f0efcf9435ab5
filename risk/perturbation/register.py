"""The available perturbations, and a description of each for the evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.perturbation.microaggregation import group_means
from risk.perturbation.noise import add_noise, clip_ends
from risk.perturbation.pram import exchange_categories
from risk.perturbation.swapping import swap_ranks
from risk.tables.coding import CodedColumn, CodedTable, encode_column

#: What a method does to its columns; each `{}` stands for one of its numbers.
PERTURBATIONS: dict[str, str] = {
    "microaggregate": "replaced by the mean of a group of at least {} similar records",
    "noise": "random noise added, with {} of the column's standard deviation",
    "pram": "each value kept with probability {}, or else drawn from the column's distribution",
    "top_bottom": "values below {} replaced by that value, values above {} likewise",
    "rank_swap": "values exchanged between records within {} percent of the ranks",
}
_MADE_OF = re.compile(r"(.+?)=(\w+)\(([^()]*)\)")


@dataclass(frozen=True)
class Perturbation:
    """`method` with `numbers` on `columns`; microaggregation takes several columns together."""

    columns: tuple[str, ...]
    method: str
    numbers: tuple[float, ...]

    def __post_init__(self) -> None:
        wanted = PERTURBATIONS.get(self.method, "").count("{}")
        if not wanted:
            raise _bad_perturbation("--perturb names an unknown method")
        numbers = self.numbers
        inside = {
            "microaggregate": lambda: numbers[0] >= 2 and numbers[0] == int(numbers[0]),
            "noise": lambda: numbers[0] > 0,
            "pram": lambda: 0 <= numbers[0] < 1,
            "top_bottom": lambda: numbers[0] < numbers[1],
            "rank_swap": lambda: 0 < numbers[0] <= 100,
        }
        if len(numbers) != wanted or not inside[self.method]():
            raise _bad_perturbation(
                "a method of --perturb has too many or too few numbers, or a number out of range"
            )

    def describe(self) -> dict[str, Any]:
        """The entry of the perturbation in the evidence."""
        return {
            "columns": list(self.columns),
            "method": self.method,
            "numbers": list(self.numbers),
            "effect": PERTURBATIONS[self.method].format(*(f"{n:g}" for n in self.numbers)),
            "claim": "the values are untrue on purpose: they prove no class size and support no "
            "Safe Harbor claim",
        }

    def apply(self, table: CodedTable, generator: np.random.Generator) -> list[CodedColumn]:
        """The perturbed columns of a table. Missing values stay missing."""
        columns = [table.column(name) for name in self.columns]
        if self.method == "pram":
            return [self._exchanged(column, generator) for column in columns]
        numbers = np.column_stack([_numbers(column) for column in columns])
        known = np.asarray(~np.isnan(numbers).any(axis=1))
        if known.any():
            numbers[known] = self._changed(numbers[known], generator)
        return [
            _column_of_numbers(column, numbers[:, i], known) for i, column in enumerate(columns)
        ]

    def _exchanged(self, column: CodedColumn, generator: np.random.Generator) -> CodedColumn:
        known = np.array([value is not None for value in column.values])[column.codes]
        codes = column.codes.copy()
        codes[known] = exchange_categories(
            codes[known], column.cardinality, self.numbers[0], generator
        )
        return CodedColumn(column.name, codes, column.values)

    def _changed(
        self, numbers: NDArray[np.float64], generator: np.random.Generator
    ) -> NDArray[np.float64]:
        if self.method == "microaggregate":
            return group_means(numbers, int(self.numbers[0]))
        made = []
        for column in numbers.T:
            if self.method == "noise":
                made.append(add_noise(column, self.numbers[0], generator))
            elif self.method == "top_bottom":
                made.append(clip_ends(column, *self.numbers))
            else:
                made.append(swap_ranks(column, self.numbers[0], generator))
        return np.column_stack(made)


def parse_perturbations(texts: Sequence[str]) -> tuple[Perturbation, ...]:
    """`weight+height=microaggregate(5)` or `income=noise(0.1)`.

    Raises `RiskError` `bad-perturbation`, also for a column that is named twice.
    """
    found = []
    for text in texts:
        parts = _MADE_OF.fullmatch(text.strip())
        if parts is None:
            raise _bad_perturbation("--perturb must have the form COLUMN=METHOD(NUMBERS)")
        try:
            numbers = tuple(float(number) for number in parts[3].split(","))
        except ValueError:
            raise _bad_perturbation(
                "a method of --perturb has a value that is not a number"
            ) from None
        found.append(Perturbation(tuple(parts[1].split("+")), parts[2], numbers))
    named = [name for perturbation in found for name in perturbation.columns]
    if len(set(named)) < len(named):
        raise _bad_perturbation("--perturb names a column twice")
    return tuple(found)


def perturb(
    table: CodedTable, perturbations: Sequence[Perturbation], seed: int | None = None
) -> CodedTable:
    """Return the table with the perturbed columns in place of the original ones.

    Without a seed, the draw cannot be repeated. A person who knows the seed can undo the noise.
    """
    generator = np.random.default_rng(seed)
    changed = {
        column.name: column
        for perturbation in perturbations
        for column in perturbation.apply(table, generator)
    }
    return CodedTable(tuple(changed.get(c.name, c) for c in table.columns), table.rows)


def _numbers(column: CodedColumn) -> NDArray[np.float64]:
    try:
        values = [np.nan if v is None else float(str(v)) for v in column.values]
    except ValueError:
        values = [np.inf]
    numbers = np.array(values, np.float64)
    if np.isinf(numbers).any():
        raise RiskError(
            f"column {column.name!r} holds values that are not numbers",
            code="not-numbers",
            place="--perturb",
            hint="use pram for a column of categories",
            exit_code=6,
        )
    return np.asarray(numbers[column.codes])


def _column_of_numbers(
    column: CodedColumn, numbers: NDArray[np.float64], known: NDArray[np.bool_]
) -> CodedColumn:
    """The numbers as text of at most ten digits; rows that were not changed keep their values."""
    texts = np.empty(len(numbers), object)
    texts[known] = [f"{number:.10g}" for number in numbers[known].tolist()]
    texts[~known] = column.values[column.codes[~known]]
    return encode_column(column.name, texts)


def _bad_perturbation(message: str) -> RiskError:
    return RiskError(
        message,
        code="bad-perturbation",
        place="--perturb",
        hint=", ".join(
            f"{name}({'…' if n.count('{}') == 1 else 'low,high'})"
            for name, n in PERTURBATIONS.items()
        ),
    )
