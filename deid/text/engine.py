"""Load the recognizers and the model, and describe them for the manifest."""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.plugins import describe_plugins, installed_plugins
from recognizers import Finder, arithmetic, is_row_table, provenance
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
    recognizers: Path | None = None,
    threshold: float | None = None,
    remember: bool = False,
) -> Finder:
    """Load all recognizers and the model after checking the hashes of model, lists and tables.

    `strict` also finds words that are on no common and no clinical list. `fast` uses the smaller
    network, which misses more. `recognizers` is a hospital's own YAML file: a table of rows
    (docs/guides/identifiers.md) or a Presidio registry. Recognizers of plug-ins are added.
    `threshold` is the least probability of a finding; a lower threshold finds more. With
    `remember`, decisions on short texts are cached in memory.

    Raises:
        RowError: `rows-unreadable`, `row-invalid`, `row-unproved`.
        DeidError: `registry-unreadable`.
    """
    check_files(Path(__file__).parents[1])
    extra = _plugin_recognizers()
    rows = recognizers if recognizers is not None and is_row_table(recognizers) else None
    if recognizers is not None and rows is None:
        extra += _registered(recognizers)
    if strict:
        from recognizers import UnlistedWords  # Presidio is slow to import

        extra.append(UnlistedWords())
    return Finder.load(
        reference_date=reference_date,
        run_date=run_date,
        extra_recognizers=extra,
        fast=fast,
        rows=rows,
        threshold=threshold,
        remember=remember,
    )


def _plugin_recognizers() -> list[Any]:
    """The Presidio recognizers of other packages (docs/guides/plugins.md)."""
    made: list[Any] = []
    for plugin in installed_plugins("recognizers"):
        make = plugin.load()
        try:
            given = make()
        except Exception:
            raise plugin.fault("plugin-failed", "cannot be made") from None
        ones = list(given) if isinstance(given, list | tuple) else [given]
        if any(not callable(getattr(one, "analyze", None)) for one in ones):
            raise plugin.fault("plugin-invalid", "is not a Presidio recognizer")
        made += ones
    return made


def _registered(path: Path) -> list[Any]:
    """Return the recognizers of a Presidio registry."""
    from recognizers import read_registry

    try:
        return list(read_registry(path))
    except Exception:  # the message may quote the file
        raise DeidError(
            "registry-unreadable",
            "--recognizers is neither a table of rows nor a Presidio registry",
            hint="see docs/guides/identifiers.md",
        ) from None


def versions() -> dict[str, str]:
    """The version of each package that the engine uses, "absent" if it is not installed."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def hash_of_recognizers(path: Path | None) -> dict[str, str]:
    """The SHA-256 of a hospital's own recognizers for the manifest; empty if there are none."""
    return {} if path is None else {"recognizers": sha256(path.read_bytes()).hexdigest()}


def describe(*, fast: bool = False) -> dict[str, Any]:
    """Describe the engine: versions, hashes of model and lists, plug-ins, network and its
    arithmetic.

    If two descriptions are equal, the same text gives the same findings.
    """
    network = {"network": "fast" if fast else "default", "arithmetic": arithmetic(fast=fast)}
    return versions() | provenance() | describe_plugins() | network
