"""The transforms by the name a policy gives them; each is loaded when it is first used."""

from __future__ import annotations

import importlib
from functools import cache

from deid.errors import DeidError
from deid.transforms.contract import Transform

TRANSFORMS: tuple[tuple[str, str], ...] = (
    # name in a policy, module
    ("remove", "remove"),
    ("tag", "tag"),
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
)


@cache
def transform(name: str) -> Transform:
    """The transform of that name.

    Raises:
        DeidError: `unknown-transform`, with the known names.
    """
    modules = dict(TRANSFORMS)
    if name not in modules:
        raise DeidError(
            "unknown-transform",
            "the policy names a transform that does not exist",
            hint=f"known transforms: {', '.join(modules)}",
        )
    found: Transform = importlib.import_module(f"deid.transforms.{modules[name]}").TRANSFORM
    return found
