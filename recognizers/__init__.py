"""Find in a text the identifiers of the Safe Harbor rule, which `safe_harbor` names."""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

# Every entry point of this package and of `deid` runs this before it can import onnxruntime, which
# reads it (docs/decisions/0039-no-network.md). A value that the user has set is kept.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

# Names are resolved on first use: reading a policy must not load Presidio, spaCy or onnxruntime. An
# import reads no table, so an altered table makes a command fail with its error, not the import.
# The stub beside this file lists each name with its module, for this file and for type checkers.
_STUB = Path(__file__).with_name("__init__.pyi").read_text("utf-8")
LATER = {
    name: of for of, name in re.findall(r"^from ([\w.]+) import (\w+) as", _STUB, re.MULTILINE)
}
__all__ = list(LATER)


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(name)
    return getattr(import_module(LATER[name]), name)
