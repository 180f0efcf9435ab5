"""The transforms by their name in a policy. Each is loaded on first use."""

from __future__ import annotations

import importlib
from functools import cache

from deid.errors import DeidError
from deid.transforms.contract import Transform
from deid.transforms.plugin_transform import guarded_transform, plugin_transforms

TRANSFORMS: tuple[tuple[str, str], ...] = (
    # name in a policy, module
    ("remove", "remove"),
    ("tag", "tag"),
    ("number", "number"),
    ("year", "year"),
    ("age_cap", "age_cap"),
    ("zip3", "zip3"),
    ("keep_state", "keep_state"),
    ("keep", "keep"),
    ("code", "code"),
    ("surrogate", "surrogate"),
    ("shift", "shift"),
    ("shift_weeks", "shift_weeks"),
    ("derived_code", "derived_code"),
    # with an argument: `band(10)`
    ("band", "band"),
    ("round", "rounded"),
    ("top_code", "limit"),
    ("bottom_code", "limit"),
    ("truncate", "truncation"),
    ("dictionary", "dictionary"),
    ("interval", "interval"),
    ("shift_by", "shift_by"),
)
WITH_ARGUMENT = frozenset(
    ["band", "round", "top_code", "bottom_code", "truncate", "dictionary", "interval", "shift_by"]
)


@cache
def plain_transforms() -> tuple[str, ...]:
    """The names of all transforms that take no argument, those of other packages last.

    Raises:
        DeidError: `plugin-invalid`.
    """
    own = dict(TRANSFORMS)
    return (*(name for name in own if name not in WITH_ARGUMENT), *plugin_transforms(own))


def is_transform(action: str) -> bool:
    """Whether this names a transform, with an argument if it needs one."""
    name, given, _ = _split_action(action)
    return name in WITH_ARGUMENT if given else name in plain_transforms()


def _split_action(action: str) -> tuple[str, bool, str]:
    name, opened, rest = action.partition("(")
    return (name, True, rest[:-1]) if opened and rest.endswith(")") else (action, False, "")


@cache
def transform(name: str) -> Transform:
    """The transform for an action of a policy: `tag`, `band(10)`.

    Raises:
        DeidError: `unknown-transform`, with the known names; `transform-argument`;
            `plugin-failed`, `plugin-invalid`.
    """
    modules = dict(TRANSFORMS)
    word, given, argument = _split_action(name)
    if given and word in WITH_ARGUMENT:
        module = importlib.import_module(f"deid.transforms.{modules[word]}")
        made: Transform = getattr(module, f"make_{word}")(argument)
        return made
    others = plugin_transforms(modules)
    if name in others:
        return guarded_transform(others[name])
    if name not in modules or name in WITH_ARGUMENT:
        raise DeidError(
            "unknown-transform",
            "the policy names a transform that does not exist",
            hint=f"known transforms: {', '.join((*modules, *others))}",
        )
    found: Transform = importlib.import_module(f"deid.transforms.{modules[name]}").TRANSFORM
    return found
