"""The recognizers as the work uses them, and what a manifest says of them."""

from __future__ import annotations

from datetime import date
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from recognizers import Finder, provenance

_PACKAGES = (
    "safe-harbor-deid",
    "spacy",
    "presidio-analyzer",
    "presidio-anonymizer",
    "onnxruntime",
    "tokenizers",
    "google-re2",
    "pandas",
    "cryptography",
)


def load_finder(reference_date: date) -> Finder:
    """All recognizers and the model; refused if the model is absent or altered."""
    return Finder.load(reference_date=reference_date)


def versions() -> dict[str, str]:
    """The versions of the packages that do the work; "absent" for one that is not installed."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def describe() -> dict[str, Any]:
    """Versions, and the hashes of model and lists."""
    return versions() | provenance()
