"""The differences of two policies outside their column rules: claim, transforms, limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from deid.policy.model import Policy
from safe_harbor import Identifier

_JOB_SETTINGS = ("claim", "zip3_census", "tags", "providers", "keys")


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """One setting that two policies set differently, under the name it has in a policy."""

    name: str
    one: str
    other: str


def differing_settings(one: Policy, other: Policy) -> tuple[SettingDifference, ...]:
    """Every setting that differs, in the order of a policy; policy names are not compared."""
    pairs = [*_settings(one, other)]
    return tuple(SettingDifference(name, a, b) for name, a, b in pairs if a != b)


def _settings(one: Policy, other: Policy) -> Iterator[tuple[str, str, str]]:
    for name in _JOB_SETTINGS:
        yield name, str(getattr(one, name)), str(getattr(other, name))
    for word in Identifier:
        first, second = _choices(one, word), _choices(other, word)
        for entity in dict.fromkeys([*first, *second]):
            name = f"transforms.{word.value}.{entity}".removesuffix(".otherwise")
            sides = [side.get(entity, side["otherwise"]) for side in (first, second)]
            yield name, sides[0], sides[1]
    yield "risk", _limits(one), _limits(other)


def _limits(policy: Policy) -> str:
    """The risk limits, each with the fields that differ from the defaults."""
    limits = [limit.model_dump(mode="json", exclude_defaults=True) for limit in policy.risk]
    return json.dumps(limits, sort_keys=True) if limits else "none"


def _choices(policy: Policy, word: Identifier) -> dict[str, str]:
    choice = policy.transforms[word]
    return {"otherwise": choice} if isinstance(choice, str) else choice
