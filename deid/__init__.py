"""De-identifies health records, searches the output for known values, and releases it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import recognizers  # noqa: F401  # turns off telemetry before anything imports onnxruntime

if TYPE_CHECKING:
    from deid.api import check as check
    from deid.api import doctor as doctor
    from deid.api import evaluate as evaluate
    from deid.api import find as find
    from deid.api import load as load
    from deid.api import profile as profile
    from deid.api import scrub as scrub
    from deid.api import scrub_frame as scrub_frame
    from deid.api import scrub_text as scrub_text
    from deid.api import scrub_texts as scrub_texts
    from deid.errors import DeidError as DeidError
    from deid.formats.targets.contract import LoadedRelease as LoadedRelease
    from deid.in_memory.deidentifier import Deidentifier as Deidentifier
    from deid.in_memory.results import ScrubbedFrame as ScrubbedFrame
    from deid.in_memory.results import ScrubbedText as ScrubbedText
    from deid.policy.draft import draft_policy as draft_policy
    from deid.policy.model import Policy as Policy
    from deid.policy.model import read_policy as read_policy
    from deid.release.releasing import Release as Release

# Imported on first use, so that `import deid` is fast.
_MODULE_OF_API = {
    "DeidError": "deid.errors",
    "Deidentifier": "deid.in_memory.deidentifier",
    "LoadedRelease": "deid.formats.targets.contract",
    "Policy": "deid.policy.model",
    "Release": "deid.release.releasing",
    "ScrubbedFrame": "deid.in_memory.results",
    "ScrubbedText": "deid.in_memory.results",
    "check": "deid.api",
    "doctor": "deid.api",
    "draft_policy": "deid.policy.draft",
    "evaluate": "deid.api",
    "find": "deid.api",
    "load": "deid.api",
    "profile": "deid.api",
    "read_policy": "deid.policy.model",
    "scrub": "deid.api",
    "scrub_frame": "deid.api",
    "scrub_text": "deid.api",
    "scrub_texts": "deid.api",
}
__all__ = sorted(_MODULE_OF_API)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF_API:
        raise AttributeError(name)
    return getattr(import_module(_MODULE_OF_API[name]), name)


def __dir__() -> list[str]:
    return __all__
