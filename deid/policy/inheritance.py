"""A policy that extends another, and settings given on the command line.

The content of the extending policy wins. Its settings replace those of the base, its transforms are
merged with them by identifier and by entity type, and its column rules come before those of the
base, so that they match first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deid.errors import DeidError

EXTENDS = "extends"
MAX_DEPTH = 8
Content = Mapping[str, Any]
PolicyReader = Callable[[str, str], tuple[Content, str]]
"""Takes the name or path in `extends` and a folder; returns that policy's content and folder."""


def inherited(content: Content, folder: str, read: PolicyReader, depth: int = 0) -> dict[str, Any]:
    """Return the content joined with that of all policies it extends, without the key `extends`.

    Raises:
        DeidError: `policy-invalid`: `extends` is not a name or path, or the chain is too long.
    """
    base = content.get(EXTENDS)
    own = {key: value for key, value in content.items() if key != EXTENDS}
    if base is None:
        return own
    if not isinstance(base, str) or not base:
        raise DeidError(
            "policy-invalid",
            "`extends` must be the name or path of a policy",
            hint="for example extends: safe_harbor",
        )
    if depth == MAX_DEPTH:
        raise DeidError(
            "policy-invalid",
            f"`extends`: more than {MAX_DEPTH} policies extend one another",
            hint="check whether a policy extends itself",
        )
    found, where = read(base, folder)
    before = inherited(found, where, read, depth + 1)
    merged, name = merge_policies(before, own), before.get("name", "")
    # Evidence names the policy: a changed one must not carry the name of its base.
    return merged if own.get("name", name) != name else {**merged, "name": f"extends {name}"}


def merge_policies(base: Content, own: Content) -> dict[str, Any]:
    """Return the base policy, in which the content of `own` replaces or extends entries.

    >>> base = {"tags": "plain", "transforms": {"mrns": "tag", "dates": "year"}}
    >>> merge_policies(base, {"transforms": {"dates": {"WEEKDAY": "tag"}}})["transforms"]
    {'mrns': 'tag', 'dates': {'otherwise': 'year', 'WEEKDAY': 'tag'}}
    """
    merged = {**base, **own}
    if isinstance(base.get("transforms"), Mapping) and isinstance(own.get("transforms"), Mapping):
        merged["transforms"] = _merged_transforms(base["transforms"], own["transforms"])
    if isinstance(base.get("columns"), list) and isinstance(own.get("columns"), list):
        merged["columns"] = [*own["columns"], *base["columns"]]
    return merged


def _merged_transforms(base: Content, own: Content) -> dict[str, Any]:
    merged = dict(base)
    for word, choice in own.items():
        before = merged.get(word)
        if isinstance(choice, Mapping) and before is not None:
            before = before if isinstance(before, Mapping) else {"otherwise": before}
            choice = {**before, **choice}
        merged[word] = choice
    return merged


def settings_content(settings: Sequence[str]) -> dict[str, Any]:
    """The policy content of settings `KEY=VALUE`; a dot separates nested keys.

    >>> settings_content(["transforms.mrns=code", "tags=numbered"])
    {'transforms': {'mrns': 'code'}, 'tags': 'numbered'}

    Raises:
        DeidError: `usage`.
    """
    content: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        *outer, last = key.strip().split(".")
        if not equals or not last or not all(outer) or (outer and outer[0] != "transforms"):
            raise DeidError(
                "usage",
                "--set needs KEY=VALUE",
                hint="for example --set transforms.mrns=code or --set tags=numbered",
            )
        inner = content
        for name in outer:
            below = inner.get(name)
            inner[name] = below = below if isinstance(below, dict) else {}
            inner = below
        inner[last] = value.strip()
    return content
