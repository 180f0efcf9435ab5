"""Takes the identity out, proves it, releases it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import recognizers  # noqa: F401  # turns off telemetry before anything imports onnxruntime

if TYPE_CHECKING:
    from deid.api import check, doctor, evaluate, find, profile, scrub
    from deid.errors import DeidError
    from deid.policy.draft import draft_policy
    from deid.policy.model import Policy, read_policy
    from deid.release.releasing import Release

__all__ = [
    "DeidError",
    "Policy",
    "Release",
    "check",
    "doctor",
    "draft_policy",
    "evaluate",
    "find",
    "profile",
    "read_policy",
    "scrub",
]

# Resolved on first use: `import deid` costs next to nothing.
_ROOMS = {
    "DeidError": "errors",
    "Policy": "policy.model",
    "Release": "release.releasing",
    "draft_policy": "policy.draft",
    "read_policy": "policy.model",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module(f"deid.{_ROOMS.get(name, 'api')}"), name)
