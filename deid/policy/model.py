"""The policy: what happens to each identifier and each column, as data that people can edit.

A policy is YAML. Loading reports every fault at once and refuses a policy that claims more than its
transforms allow.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Self

from deid.columns.column_profiles import settled_profile
from deid.errors import DeidError
from deid.policy.column_index import ColumnIndex
from deid.policy.fhir_path.rules import FHIR_PATH_RULES, ReadRule, read_configuration
from deid.policy.inheritance import EXTENDS, inherited, merge_policies, settings_content
from deid.policy.strict_yaml import (
    Field,
    StrictModel,
    model_validator,
    read_mapping,
    validated,
)
from deid.policy.table_rules import COLUMN_ENTITIES, ColumnRule, RiskLimit
from deid.standard_streams import is_dash
from deid.transforms import Transform, is_transform, plain_transforms, transform
from recognizers import ENTITIES, ColumnProfile
from safe_harbor import Claim, Identifier, Residue, Verdict, check_claim

SHIPPED_POLICIES = ("safe_harbor", "limited_data_set", "expert_determination")

_PLACE_LABELS = {Residue.TOWN: "town", Residue.ZIP5: "postal code"}


class Policy(StrictModel):
    """One policy, checked on creation.

    `providers: keep` keeps names of clinicians in columns; in text, all names are removed. `keys:
    numbered` writes `[ID-17]`, one number per key in the whole job, into columns of keys that join
    tables, instead of the plain tag of `transforms`; with `as_transforms` the transform decides.
    `transforms` gives each of the eighteen identifiers one transform, or one per entity type with
    `otherwise` for the rest. `risk` holds the risk limits of the released tables.
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
        if not faults and self._tells_shifts():
            faults.append("columns: a date that stays would reveal the days of `shift_by`")
        if faults:
            raise ValueError("; ".join(faults))
        return self

    def _tells_shifts(self) -> bool:
        """Whether dates in some places stay unchanged while `shift_by` shifts others.

        A visit with a date of each kind would reveal the shift, and with it every date of the
        person.
        """
        if not any(rule.applied.startswith("shift_by(") for rule in self.columns):
            return False
        columns = [r for r in self.columns if r.identifier is Identifier.DATES]
        left = [transform(r.applied).residues(r.kind) for r in columns if is_transform(r.applied)]
        left.append(self.transform_of("DATE_TIME").residues("DATE_TIME"))
        return any(Residue.VALUE in residues for residues in left)

    def transform_of(self, entity: str) -> Transform:
        """The transform for findings and cells of that entity type.

        A type that an external Presidio recognizer added counts as "others".
        """
        word = ENTITIES.get(entity) or COLUMN_ENTITIES.get(entity, Identifier.OTHERS)
        choice = self.transforms[word]
        if isinstance(choice, str):
            return transform(choice)
        return transform(choice.get(entity, choice["otherwise"]))

    def column_rule(self, table: str, column: str) -> ColumnRule | None:
        """The first rule that matches this column of this table (a path within the job)."""
        return self._column_index.first(table, column)

    def stated(self, table: str, column: str) -> ColumnProfile | None:
        """Return what the rule of a column says about its content; None without a rule."""
        rule = self.column_rule(table, column)
        if rule is None:
            return None
        return settled_profile(rule.action, rule.action != "drop", rule.identifier, rule.kind)

    def keeps_name(self, table: str, column: str) -> bool:
        """Whether a rule names this column exactly and says that its name may be released."""
        rule = self.column_rule(table, column)
        return rule is not None and rule.keep_name

    def residues(self) -> dict[Identifier, frozenset[Residue]]:
        """The residues that may be left of each identifier, over all transforms and columns."""
        left: dict[Identifier, set[Residue]] = {word: set() for word in Identifier}
        for entity, word in (*ENTITIES.items(), *COLUMN_ENTITIES.items()):
            left[word] |= self.transform_of(entity).residues(entity)
        for rule in self.columns:
            if rule.identifier is not None and rule.action not in ("text", "drop"):
                left[rule.identifier] |= transform(rule.applied).residues(rule.kind)
        return {word: frozenset(residues) for word, residues in left.items()}

    def may_stay_in_text(self) -> frozenset[Identifier | tuple[Identifier, str]]:
        """Return what may stay in text: identifiers, or parts of places as the residual search
        names them.

        A policy that shifts dates lets every date stay, because a shifted date may equal another
        date of the patient.
        """
        left: set[Identifier | tuple[Identifier, str]] = set()
        for entity, word in ENTITIES.items():
            for residue in self.transform_of(entity).residues(entity):
                if residue in (Residue.VALUE, Residue.SHIFTED_DATE):
                    left.add(word)
                elif residue in _PLACE_LABELS:
                    left.add((word, _PLACE_LABELS[residue]))
        return frozenset(left)

    def may_stay_in_column(self, action: str, identifier: Identifier | None, entity: str) -> bool:
        """Whether a column with this action may hold values that the policy lets stay."""
        if identifier is None or not is_transform(action):
            return False
        left = transform(action).residues(entity)
        return bool(left & {Residue.VALUE, Residue.SHIFTED_DATE, *_PLACE_LABELS})

    def verdict(self) -> Verdict:
        """The claim that this policy supports, with every breach of the claim that it makes."""
        return check_claim(self.residues(), self.claim)

    @property
    def needs_crosswalk(self) -> bool:
        """Whether a transform of the policy draws from a crosswalk."""
        used = [self.transform_of(entity) for entity in (*ENTITIES, *COLUMN_ENTITIES)]
        named = [r.applied for r in self.columns if r.action not in ("text", "drop")]
        return any(t.needs_crosswalk for t in (*used, *map(transform, named)))

    @cached_property
    def _column_index(self) -> ColumnIndex:
        return ColumnIndex.of(self.columns)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the policy's canonical JSON."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def _faults_of(word: Identifier, choice: str | dict[str, str]) -> list[str]:
    place = f"transforms.{word.value}"
    if isinstance(choice, str):
        return (
            []
            if choice in plain_transforms()
            else [f"{place}: unknown transform; known: {_known_transforms()}"]
        )
    faults = [] if "otherwise" in choice else [f"{place}: `otherwise` is missing"]
    for entity, name in choice.items():
        owner = ENTITIES.get(entity) or COLUMN_ENTITIES.get(entity)
        if entity != "otherwise" and owner is not word:
            faults.append(f"{place}: an entity type that does not belong to this identifier")
        if name not in plain_transforms():
            faults.append(f"{place}: unknown transform; known: {_known_transforms()}")
    return faults


def _known_transforms() -> str:
    return ", ".join(plain_transforms())


def read_policy(name_or_path: str, settings: Sequence[str] = ()) -> Policy:
    """Read a shipped policy by name or one from a YAML file; refuse it if it breaks its claim.

    `settings` are `KEY=VALUE` and override the policy, e.g. `transforms.mrns=code`.

    Raises:
        DeidError: `policy-unreadable`, `policy-invalid` (every fault at once) or `policy-refused`
            (every breach at once, and the claim that is supported).

    >>> read_policy("limited_data_set").verdict().supported.value
    'limited_data_set'
    """
    policy = open_policy(name_or_path, settings)
    verdict = policy.verdict()
    if verdict.breaches:
        lines = "; ".join(
            f"{b.identifier.value} left as {b.residue or 'not evaluated'} ({b.citation})"
            for b in verdict.breaches
        )
        raise DeidError(
            "policy-refused",
            f"the policy claims {policy.claim.value} but breaks that claim: {lines}",
            hint=f"claim `{verdict.supported.value}`, or change these transforms",
        )
    return policy


def open_policy(name_or_path: str, settings: Sequence[str] = ()) -> Policy:
    """Read a policy with all that it extends; checks the form, not the claim.

    Raises:
        DeidError: `policy-unreadable`, `policy-invalid`, `usage` for a setting.
    """
    content, folder = _content_of(name_or_path, "")
    if settings:
        base = inherited(content, folder, _content_of)
        renamed = {"name": f"{base.get('name', '')} with settings"}
        content = merge_policies(base, renamed | settings_content(settings))
    return _policy_of(content, folder)


def _content_of(name_or_path: str, folder: str) -> tuple[Mapping[str, Any], str]:
    """Return the content of a policy, and the folder to which its relative paths refer."""
    if name_or_path not in SHIPPED_POLICIES and not is_dash(name_or_path):
        name_or_path = str(Path(folder) / name_or_path)
    content = read_mapping(policy_text(name_or_path), **_POLICY_MESSAGES)
    if FHIR_PATH_RULES in content:
        content = read_configuration(content).content
    return content, str(Path(name_or_path).parent)


def policy_text(name_or_path: str) -> str:
    """The YAML of a shipped policy, of a file, or of standard input for `-`."""
    if name_or_path in SHIPPED_POLICIES:
        return (files("deid.policy") / "shipped" / f"{name_or_path}.yaml").read_text("utf-8")
    try:
        if is_dash(name_or_path):
            return sys.stdin.read()
        return Path(name_or_path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DeidError(
            "policy-unreadable",
            "the policy file cannot be read",
            hint=f"shipped policies: {', '.join(SHIPPED_POLICIES)}",
        ) from error


def read_fhir_path_rules(path: str) -> tuple[ReadRule, ...]:
    """What happens to each rule of a `fhirPathRules` configuration.

    Raises:
        DeidError: `policy-unreadable`, `policy-invalid`, `fhir-path-unread`.
    """
    return read_configuration(read_mapping(policy_text(path), **_POLICY_MESSAGES)).rules


def parse_policy(text: str) -> Policy:
    """Parse a policy from YAML; checks the form, not the claim."""
    return _policy_of(read_mapping(text, **_POLICY_MESSAGES), "")


def _policy_of(content: Mapping[str, Any], folder: str) -> Policy:
    return validated(Policy, inherited(content, folder, _content_of), **_POLICY_MESSAGES)


def policy_schema() -> dict[str, Any]:
    """The JSON Schema of a policy file. The policy it extends may supply the required keys."""
    schema = Policy.model_json_schema()
    named = "A shipped policy or the path of another policy file, whose content this one changes."
    schema["properties"][EXTENDS] = {"title": "Extends", "type": "string", "description": named}
    required = schema.pop("required")
    schema["anyOf"] = [{"required": [EXTENDS]}, {"required": required}]
    return schema


_POLICY_MESSAGES = {
    "code": "policy-invalid",
    "what": "the policy",
    "hint": "start with `extends: safe_harbor`; `deid policy schema` prints the JSON Schema",
}
