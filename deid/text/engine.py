"""The recognizers as the work uses them, and what a manifest says of them."""

from __future__ import annotations

from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from recognizers import Finder, provenance
from safe_harbor import check_files

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


def load_finder(
    reference_date: date,
    *,
    run_date: date | None = None,
    strict: bool = False,
    fast: bool = False,
) -> Finder:
    """All recognizers and the model; refused if the model, a list or a table is altered.

    With `strict`, words that stand in no common and no clinical list are found, too. With `fast`,
    the smaller network reads, which misses more.
    """
    check_files(Path(__file__).parents[1])
    extra = []
    if strict:
        from recognizers import UnlistedWords  # Presidio is slow to import

        extra.append(UnlistedWords())
    return Finder.load(
        reference_date=reference_date, run_date=run_date, extra_recognizers=extra, fast=fast
    )


def versions() -> dict[str, str]:
    """The versions of the packages that do the work; "absent" for one that is not installed."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def describe(*, fast: bool = False) -> dict[str, Any]:
    """Versions, the hashes of model and lists, and which of the model's networks read."""
    return versions() | provenance() | {"network": "fast" if fast else "default"}
