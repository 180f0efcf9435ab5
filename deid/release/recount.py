"""Count the contents of a release from its own documents, to compare them with its manifest."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deid.release.sealing import RELEASE_FOLDER
from safe_harbor import Residue

Counts = Mapping[str, Mapping[str, int]]


def differing_counts(out: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield the counts in the manifest that disagree with the other documents or with each other.

    Each is a phrase without a value. A document that cannot be read is treated as empty; its hash
    is checked elsewhere.
    """
    folder = out / RELEASE_FOLDER
    whole, by_file = _changes(folder / "changes.jsonl")
    for word, row in manifest["identifiers"].items():
        for name in ("found", "replaced"):
            if row[name] != whole[name][word]:
                yield f"the count `{name}` of {word}"
    for number, table in manifest["tables"].items():
        for name in ("found", "replaced"):
            if {k: v for k, v in table[name].items() if v} != +by_file[number][name]:
                yield f"the count `{name}` of file {number}"
    yield from _record_names(manifest, _change_lines(folder / "quarantine.jsonl"))
    yield from _sums(manifest)


def _changes(path: Path) -> tuple[dict[str, Counter[str]], dict[str, dict[str, Counter[str]]]]:
    """Return the counts by their name and identifier, in total and per file."""
    by_file: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    whole: dict[str, Counter[str]] = defaultdict(Counter)
    for line in _change_lines(path):
        for change in (*line.get("changes", ()), *line.get("whole_cells", ())):
            word, times = change.get("identifier"), change.get("cells", 1)
            counts = {
                "found": times,
                "replaced": times * (change.get("residue") != Residue.VALUE.value),
            }
            for name, number in counts.items():
                whole[name][word] += number
                by_file[str(line.get("file"))][name][word] += number
    return whole, by_file


def _record_names(
    manifest: Mapping[str, Any], quarantined: Iterator[Mapping[str, Any]]
) -> Iterator[str]:
    withheld: Counter[str] = Counter()
    for line in quarantined:  # the line of a whole table may give the number of its records
        withheld[str(line.get("file"))] += line.get("records", 1)
    if withheld.total() != manifest["quarantined"]:
        yield "the count `quarantined`"
    for number, table in manifest["tables"].items():
        if table["quarantined"] != withheld[number]:
            yield f"the count `quarantined` of file {number}"
        output = manifest["outputs"].get(number)
        if output is not None and output["records"] != table["records_out"]:
            yield f"the count `records` of output {number}"


def _sums(manifest: Mapping[str, Any]) -> Iterator[str]:
    tables = manifest["tables"].values()
    if manifest["records_in"] != manifest["records_out"] + manifest["quarantined"]:
        yield "the count `records_in`"
    if manifest["records_out"] != sum(table["records_out"] for table in tables):
        yield "the count `records_out`"
    residual = manifest["residual"]
    if residual["hits"] != sum(row["hits"] for row in manifest["identifiers"].values()):
        yield "the count `hits`"
    roles = residual["known_values_by_role"]
    if sum(roles.values()) > residual["known_values"]:
        yield "the count `known_values`"


def _change_lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                entry = json.loads(line)
                if isinstance(entry, dict):
                    yield entry
    except (OSError, ValueError):
        return
