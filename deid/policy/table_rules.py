"""What a policy says of tables: what happens to which column, and what limits the risk.

Rules are chosen by the name of the table and of the column; see `deid.policy.model` for the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Literal, Self

from deid.errors import DeidError
from deid.policy.strict_yaml import Field, StrictModel, model_validator
from deid.transforms import TRANSFORMS, WITH_ARGUMENT, is_transform, transform
from recognizers import ENTITIES
from safe_harbor import Identifier

PLAIN_TRANSFORMS = tuple(name for name, _ in TRANSFORMS if name not in WITH_ARGUMENT)
_WITHOUT_WORD = ("keep", "text", "drop", "remove")
# Column-only types: no recognizer finds them in text, since they may stay there.
COLUMN_ENTITIES: Mapping[str, Identifier] = {
    "US_STATE": Identifier.PLACES,
    "AGE": Identifier.DATES,
    "BIRTH_DATE": Identifier.DATES,
    "BIRTH_YEAR": Identifier.DATES,
}


def applies_to_table(pattern: str, table: str) -> bool:
    """Does a `table` of a policy mean this one (its path within the job)?"""
    return fnmatchcase(table.casefold(), pattern.casefold())


class ColumnRule(StrictModel):
    """What happens to one column, chosen by exact `name` or by `pattern` (`*`, `?`, any case).

    `table` narrows it to files whose relative path matches. `identifier` says what the column
    holds; a column that identifies nobody has none and needs a `reason` to be kept or coarsened.
    `role` is the class a person gives the column, for two people's classes to be compared; nothing
    is done by it. `map` belongs to the action `dictionary`: another word for each value, `*` for
    all others. `keep_name: true`, beside an exact `name`, says that the name holds nobody's value;
    without it a name that no vocabulary vouches for leaves as `column_7`.
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
        """The action as `transform` takes it: `dictionary` with its map."""
        if self.action != "dictionary":
            return self.action
        return f"dictionary({json.dumps(self.map or {}, sort_keys=True)})"

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.name is None) == (self.pattern is None):
            raise ValueError("a column rule has either `name` or `pattern`")
        if self.keep_name and self.name is None:
            raise ValueError("`keep_name` needs an exact `name`: a pattern may meet any name")
        if self.action not in ("text", "drop") and not is_transform(self.applied):
            known = (
                *PLAIN_TRANSFORMS,
                "text",
                "drop",
                *sorted(f"{name}(...)" for name in WITH_ARGUMENT),
            )
            raise ValueError(f"unknown action; known: {', '.join(known)}")
        if self.entity is not None and self.entity not in (*ENTITIES, *COLUMN_ENTITIES):
            raise ValueError("unknown entity")
        coarser = self.applied.partition("(")[0] in WITH_ARGUMENT
        if (self.action == "keep" or coarser) and self.identifier is None and not self.reason:
            raise ValueError("a column kept, or coarsened, as no identifier needs a `reason`")
        if self.action not in _WITHOUT_WORD and not coarser and self.identifier is None:
            raise ValueError("a column that is transformed needs its `identifier`")
        if coarser:
            _made(self.applied)
        return self

    def matches(self, table: str, column: str) -> bool:
        """Does this rule speak of that column of that table?"""
        if not applies_to_table(self.table, table):
            return False
        if self.name is not None:
            return column == self.name
        return fnmatchcase(column.casefold(), str(self.pattern).casefold())

    @property
    def kind(self) -> str:
        """The entity type its cells have, for the transform."""
        if self.entity is not None:
            return self.entity
        first = (entity for entity, word in ENTITIES.items() if word is self.identifier)
        return next(first, "")


def _made(action: str) -> None:
    """A transform's argument is judged with the rest of the policy."""
    try:
        transform(action)
    except DeidError as error:
        raise ValueError(error.message) from None


class RiskLimit(StrictModel):
    """A limit to the re-identification risk of what is released: over it, the job is held.

    `table` says which tables, as a column's rule does; each that has all of `quasi` among its
    headers is measured as it would leave. `cell_size`, `alpha`, `average`, `decide_on`, `person`,
    `population` and the rest are those of `deid risk`. `hold_on` are the decisions that hold the
    job when they are HIGH; with none of them the risk is measured and told.
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
            raise ValueError("`population_columns` are of a `population`")
        return self
