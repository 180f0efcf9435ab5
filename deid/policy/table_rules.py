"""Policy rules for tables: what happens to each column, and which limits hold for the risk.

A rule is chosen by table name and column name. `deid.policy.model` has the rest of a policy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Literal, Self

from deid.errors import DeidError
from deid.policy.strict_yaml import Field, StrictModel, model_validator
from deid.transforms import WITH_ARGUMENT, is_transform, plain_transforms, transform
from recognizers import ENTITIES
from safe_harbor import Identifier

_WITHOUT_IDENTIFIER = ("keep", "text", "drop", "remove")
# Entity types of columns only: no recognizer finds them in text, where they may stay.
COLUMN_ENTITIES: Mapping[str, Identifier] = {
    "US_STATE": Identifier.PLACES,
    "AGE": Identifier.DATES,
    "BIRTH_DATE": Identifier.DATES,
    "BIRTH_YEAR": Identifier.DATES,
}


def applies_to_table(pattern: str, table: str) -> bool:
    """Whether the `table` of a rule matches this table (its path within the job)."""
    return fnmatchcase(table.casefold(), pattern.casefold())


class ColumnRule(StrictModel):
    """What happens to one column, chosen by exact `name` or by `pattern` (`*`, `?`, any case).

    `table` limits the rule to files whose relative path matches. `identifier` is what the column
    holds; a column without one needs a `reason` to be kept or generalized. `role` is the class that
    a person gives the column; it serves comparison only. `map` belongs to the action `dictionary`:
    a replacement for each value, `*` for all others. `keep_name: true`, next to an exact `name`,
    states that the name holds no value of a person; otherwise a name that is not approved is
    released as `column_7`.
    """

    name: str | None = None
    pattern: str | None = None
    table: str = "*"
    identifier: Identifier | None = None
    entity: str | None = None
    action: str
    map: dict[str, str] | None = None
    keep_name: bool = Field(default=False, exclude_if=lambda kept: not kept)
    role: Literal["direct", "quasi", "sensitive", "text", "keep", "unsure"] | None = None
    reason: str = ""

    @property
    def applied(self) -> str:
        """The action as `transform` accepts it: `dictionary` with its map."""
        if self.action != "dictionary":
            return self.action
        return f"dictionary({json.dumps(self.map or {}, sort_keys=True)})"

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.name is None) == (self.pattern is None):
            raise ValueError("a column rule has either `name` or `pattern`")
        if self.keep_name and self.name is None:
            raise ValueError("`keep_name` needs an exact `name`: a pattern may match any name")
        if self.action not in ("text", "drop") and not is_transform(self.applied):
            known = (
                *plain_transforms(),
                "text",
                "drop",
                *sorted(f"{name}(...)" for name in WITH_ARGUMENT),
            )
            raise ValueError(f"unknown action; known: {', '.join(known)}")
        if self.entity is not None and self.entity not in (*ENTITIES, *COLUMN_ENTITIES):
            raise ValueError("unknown entity")
        coarser = self.applied.partition("(")[0] in WITH_ARGUMENT
        if (self.action == "keep" or coarser) and self.identifier is None and not self.reason:
            raise ValueError(
                "a column kept or generalized without an `identifier` needs a `reason`"
            )
        if self.action not in _WITHOUT_IDENTIFIER and not coarser and self.identifier is None:
            raise ValueError("a column that is transformed needs its `identifier`")
        if coarser:
            _check_argument(self.applied)
        if self.applied.startswith("shift_by(") and self.identifier is not Identifier.DATES:
            raise ValueError("`shift_by` needs `identifier: dates`")
        return self

    def matches(self, table: str, column: str) -> bool:
        """Whether this rule applies to that column of that table."""
        if not applies_to_table(self.table, table):
            return False
        if self.name is not None:
            return column == self.name
        return fnmatchcase(column.casefold(), str(self.pattern).casefold())

    @property
    def kind(self) -> str:
        """The entity type of the cells, for the transform."""
        if self.entity is not None:
            return self.entity
        first = (entity for entity, word in ENTITIES.items() if word is self.identifier)
        return next(first, "")


def _check_argument(action: str) -> None:
    """Check the argument of a transform with the rest of the policy."""
    try:
        transform(action)
    except DeidError as error:
        raise ValueError(error.message) from None


class RiskLimit(StrictModel):
    """A limit on the re-identification risk of the release: the job is held if it is exceeded.

    `table` selects tables as in a column rule. Each table that has all of `quasi` among its headers
    is measured as it would be released. `cell_size`, `alpha`, `average`, `decide_on`, `person`,
    `population` and the other fields are the options of `deid risk`. `hold_on` lists the decisions
    that hold the job when they are HIGH; if it is empty, the risk is measured and reported only.
    """

    table: str = "*"
    quasi: tuple[str, ...] = Field(min_length=1)
    person: str | None = None
    cell_size: int = Field(default=11, ge=1)
    alpha: float = Field(default=0.0, ge=0.0, le=1.0)
    average: float | None = Field(default=None, gt=0.0, le=1.0)
    decide_on: Literal["prosecutor", "journalist"] = "prosecutor"
    population: str | None = None
    population_columns: dict[str, str] = Field(default_factory=dict)
    reference_year: int | None = None
    sampling_fraction: float | None = Field(default=None, gt=0.0, le=1.0)
    hold_on: tuple[Literal["at_risk", "maximum", "average"], ...] = (
        "at_risk",
        "maximum",
        "average",
    )

    @model_validator(mode="after")
    def _answerable(self) -> Self:
        if len(set(self.quasi)) < len(self.quasi):
            raise ValueError("a quasi-identifier is named twice")
        if self.decide_on == "journalist" and self.population is None:
            raise ValueError("journalist risk needs a `population`")
        if self.population_columns and self.population is None:
            raise ValueError("`population_columns` needs a `population`")
        return self
