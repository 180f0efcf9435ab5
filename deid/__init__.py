"""De-identifies health records, searches the output for known values, and releases it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import recognizers  # noqa: F401  # turns off telemetry before anything imports onnxruntime

if TYPE_CHECKING:
    from deid.api import (
        check,
        doctor,
        evaluate,
        find,
        load,
        profile,
        scrub,
        scrub_frame,
        scrub_text,
        scrub_texts,
    )
    from deid.errors import DeidError
    from deid.formats.targets.contract import LoadedRelease
    from deid.in_memory.deidentifier import Deidentifier
    from deid.in_memory.results import ScrubbedFrame, ScrubbedText
    from deid.policy.draft import draft_policy
    from deid.policy.model import Policy, read_policy
    from deid.release.releasing import Release

__all__ = [
    "DeidError",
    "Deidentifier",
    "LoadedRelease",
    "Policy",
    "Release",
    "ScrubbedFrame",
    "ScrubbedText",
    "check",
    "doctor",
    "draft_policy",
    "evaluate",
    "find",
    "load",
    "profile",
    "read_policy",
    "scrub",
    "scrub_frame",
    "scrub_text",
    "scrub_texts",
]

# Resolved on first use, so that `import deid` is fast.
_ROOMS = {
    "DeidError": "errors",
    "Deidentifier": "in_memory.deidentifier",
    "LoadedRelease": "formats.targets.contract",
    "ScrubbedFrame": "in_memory.results",
    "ScrubbedText": "in_memory.results",
    "Policy": "policy.model",
    "Release": "release.releasing",
    "draft_policy": "policy.draft",
    "read_policy": "policy.model",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module(f"deid.{_ROOMS.get(name, 'api')}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
