"""Load the recognizers and the model, and describe them for the manifest."""

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
    """Load all recognizers and the model after checking the hashes of model, lists and tables.

    `strict` also finds words that no common and no clinical list has. `fast` reads with the smaller
    network, which misses more.
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
    """The version of each package that does the work, "absent" where one is not installed."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def describe(*, fast: bool = False) -> dict[str, Any]:
    """Package versions, hashes of the model and the lists, and the network in use."""
    return versions() | provenance() | {"network": "fast" if fast else "default"}
