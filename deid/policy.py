"""What is done with each identifier and each column, as data a privacy officer can read and edit.

A policy is YAML. Every fault in it is told at once; a policy that claims more than its transforms
allow is refused on load.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Literal, Self

from deid.dash import is_dash
from deid.errors import DeidError
from deid.strict_yaml import Field, Strict, model_validator, parse_strict
from deid.transforms import TRANSFORMS, WITH_ARGUMENT, Transform, is_transform, transform
from recognizers import ENTITIES
from safe_harbor import Claim, Identifier, Residue, Verdict, check

SHIPPED = ("safe_harbor", "limited_data_set", "expert_determination")
_NAMES = tuple(name for name, _ in TRANSFORMS if name not in WITH_ARGUMENT)
_WITHOUT_WORD = ("keep", "text", "drop", "remove")
# Column-only types: no recognizer finds them in text, since they may stay there.
COLUMN_ENTITIES: Mapping[str, Identifier] = {
    "US_STATE": Identifier.PLACES,
    "AGE": Identifier.DATES,
    "BIRTH_DATE": Identifier.DATES,
    "BIRTH_YEAR": Identifier.DATES,
}

_PARTS = {Residue.TOWN: "town", Residue.ZIP5: "postal code"}


def speaks_of(pattern: str, table: str) -> bool:
    """Does a `table` of a policy mean this one (its path within the job)?"""
    return fnmatchcase(table.casefold(), pattern.casefold())


class ColumnRule(Strict):
    """What happens to one column, chosen by exact `name` or by `pattern` (`*`, `?`, any case).

    `table` narrows it to files whose relative path matches. `identifier` says what the column
    holds; a column that identifies nobody has none and needs a `reason` to be kept or coarsened.
    `role` is the class a person gives the column, for two people's classes to be compared; nothing
    is done by it. `map` belongs to the action `dictionary`: another word for each value, `*` for
    all others.
    """

    name: str | None = None
    pattern: str | None = None
    table: str = "*"
    identifier: Identifier | None = None
    entity: str | None = None
    action: str
    map: dict[str, str] | None = None
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
        if self.action not in ("text", "drop") and not is_transform(self.applied):
            known = (*_NAMES, "text", "drop", *sorted(f"{name}(...)" for name in WITH_ARGUMENT))
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
        if not speaks_of(self.table, table):
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


class RiskLimit(Strict):
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


class Policy(Strict):
    """One policy, checked at birth.

    `providers: keep` lets names of clinicians stand in columns; in text all names go.
    `keys: numbered` puts `[ID-17]`, one number a key in the whole job, into columns of keys that
    join tables, where `transforms` would put a plain tag; `as_transforms` puts what it says there.
    `transforms` gives each of the eighteen words one transform, or one for each entity type with
    `otherwise` for the rest. `risk` are limits to the risk of the tables released.
    """

    name: str = Field(min_length=1)
    claim: Claim
    zip3_census: Literal["2000", "2010", "2020", "conservative"] = "2020"
    tags: Literal["plain", "numbered"] = "plain"
    providers: Literal["remove", "keep"] = "remove"
    keys: Literal["numbered", "as_transforms"] = "numbered"
    transforms: dict[Identifier, str | dict[str, str]]
    columns: tuple[ColumnRule, ...] = ()
    risk: tuple[RiskLimit, ...] = ()

    @model_validator(mode="after")
    def _known(self) -> Self:
        faults = [
            f"transforms.{word.value}: no transform is given"
            for word in Identifier
            if word not in self.transforms
        ]
        for word, choice in self.transforms.items():
            faults += _faults_of(word, choice)
        if faults:
            raise ValueError("; ".join(faults))
        return self

    def transform_of(self, entity: str) -> Transform:
        """The transform for findings and cells of that entity type.

        A type that a visiting Presidio recognizer made up counts among the others.
        """
        word = ENTITIES.get(entity) or COLUMN_ENTITIES.get(entity, Identifier.OTHERS)
        choice = self.transforms[word]
        if isinstance(choice, str):
            return transform(choice)
        return transform(choice.get(entity, choice["otherwise"]))

    def column_rule(self, table: str, column: str) -> ColumnRule | None:
        """The first rule that names this column of this table (path within the job)."""
        return next((rule for rule in self.columns if rule.matches(table, column)), None)

    def residues(self) -> dict[Identifier, frozenset[Residue]]:
        """Everything that may be left of each identifier, over all transforms and columns."""
        left: dict[Identifier, set[Residue]] = {word: set() for word in Identifier}
        for entity, word in (*ENTITIES.items(), *COLUMN_ENTITIES.items()):
            left[word] |= self.transform_of(entity).residues(entity)
        for rule in self.columns:
            if rule.identifier is not None and rule.action not in ("text", "drop"):
                left[rule.identifier] |= transform(rule.applied).residues(rule.kind)
        return {word: frozenset(residues) for word, residues in left.items()}

    def stands(self) -> frozenset[Identifier | tuple[Identifier, str]]:
        """What may stand in text: words, or parts of places, as the residual search names them.

        A policy that shifts dates lets every date stand: one may be shifted onto another.
        """
        left: set[Identifier | tuple[Identifier, str]] = set()
        for entity, word in ENTITIES.items():
            for residue in self.transform_of(entity).residues(entity):
                if residue in (Residue.VALUE, Residue.SHIFTED_DATE):
                    left.add(word)
                elif residue in _PARTS:
                    left.add((word, _PARTS[residue]))
        return frozenset(left)

    def stands_in_column(self, action: str, identifier: Identifier | None, entity: str) -> bool:
        """Does a column treated so hold values of its identifier that the policy lets stand?"""
        if identifier is None or not is_transform(action):
            return False
        left = transform(action).residues(entity)
        return bool(left & {Residue.VALUE, Residue.SHIFTED_DATE, *_PARTS})

    def verdict(self) -> Verdict:
        """What this policy may claim, with every breach of what it does claim."""
        return self._judged

    @cached_property
    def _judged(self) -> Verdict:
        """Worked out once: a manifest asks for it of every table and every identifier."""
        return check(self.residues(), self.claim)

    @property
    def needs_crosswalk(self) -> bool:
        """Does any transform of it draw from a crosswalk?"""
        used = [self.transform_of(entity) for entity in (*ENTITIES, *COLUMN_ENTITIES)]
        named = [r.applied for r in self.columns if r.action not in ("text", "drop")]
        return any(t.needs_crosswalk for t in (*used, *map(transform, named)))

    @cached_property
    def sha256(self) -> str:
        """SHA-256 over the policy's canonical JSON."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def _faults_of(word: Identifier, choice: str | dict[str, str]) -> list[str]:
    place = f"transforms.{word.value}"
    if isinstance(choice, str):
        return [] if choice in _NAMES else [f"{place}: unknown transform; known: {_known()}"]
    faults = [] if "otherwise" in choice else [f"{place}: `otherwise` is missing"]
    for entity, name in choice.items():
        owner = ENTITIES.get(entity) or COLUMN_ENTITIES.get(entity)
        if entity != "otherwise" and owner is not word:
            faults.append(f"{place}: an entity type that is not of this identifier")
        if name not in _NAMES:
            faults.append(f"{place}: unknown transform; known: {_known()}")
    return faults


def _made(action: str) -> None:
    """A transform's argument is judged with the rest of the policy."""
    try:
        transform(action)
    except DeidError as error:
        raise ValueError(error.message) from None


def _known() -> str:
    return ", ".join(_NAMES)


def read_policy(name_or_path: str) -> Policy:
    """A shipped policy by name, or one from a YAML file; refused if it breaks its own claim.

    Raises:
        DeidError: `policy-unreadable`, `policy-invalid` (every fault at once) or `policy-refused`
            (every breach at once, and the claim that is supported).

    >>> read_policy("limited_data_set").verdict().supported.value
    'limited_data_set'
    """
    policy = parse_policy(policy_text(name_or_path))
    verdict = policy.verdict()
    if verdict.breaches:
        lines = "; ".join(
            f"{b.identifier.value} left as {b.residue or 'not evaluated'} ({b.citation})"
            for b in verdict.breaches
        )
        raise DeidError(
            "policy-refused",
            f"the policy claims {policy.claim.value} and breaks it: {lines}",
            hint=f"claim `{verdict.supported.value}` or change these transforms",
        )
    return policy


def policy_text(name_or_path: str) -> str:
    """The YAML of a shipped policy, of a file, or of standard input for `-`."""
    if name_or_path in SHIPPED:
        return (files("deid") / "policies" / f"{name_or_path}.yaml").read_text("utf-8")
    try:
        if is_dash(name_or_path):
            return sys.stdin.read()
        return Path(name_or_path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DeidError(
            "policy-unreadable",
            "the policy file cannot be read",
            hint=f"shipped policies: {', '.join(SHIPPED)}",
        ) from error


def parse_policy(text: str) -> Policy:
    """A policy from YAML, its form checked and not yet its claim."""
    return parse_strict(Policy, text, code="policy-invalid", what="the policy", hint=_SCHEMA_HINT)


_SCHEMA_HINT = "`deid policy schema` prints the JSON Schema"
