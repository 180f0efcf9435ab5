"""`evidence.html`: the manifest as a page for a person to read and sign. It holds no values.

The page is made from the manifest alone, so anyone who has the manifest can make the page again and
compare the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from deid.reports.pages import render_page
from deid.reports.states import (
    HELD_STATE,
    NONE_KNOWN_LEFT,
    NOT_EVALUATED,
    SEARCHED,
    headline,
    status,
    worst,
)
from deid.reports.wording import ACTUAL_KNOWLEDGE, fate_shares
from safe_harbor import Identifier, Residue

ManifestPart = Mapping[str, Any]

_RESIDUE_LABELS = {
    Residue.NOTHING: "nothing",
    Residue.TAG: "the name of the category",
    Residue.YEAR: "the year",
    Residue.INTERVAL: "days between two dates",
    Residue.STATE: "the state",
    Residue.TOWN: "town or city",
    Residue.ZIP5: "five-digit ZIP code",
    Residue.ZIP3: "three ZIP digits, 000 where few people live",
    Residue.AGE: "ages up to 89",
    Residue.AGE_90_PLUS: "90+",
    Residue.RANDOM_CODE: "a random code",
    Residue.DERIVED_CODE: "a code computed from the value",
    Residue.SHIFTED_DATE: "a shifted date",
    Residue.SURROGATE: "a random surrogate",
    Residue.VALUE: "the value itself",
}
_STATE_LABELS = {
    NONE_KNOWN_LEFT: "NONE KNOWN LEFT",
    SEARCHED: "SEARCHED",
    NOT_EVALUATED: "NOT_EVALUATED",
    HELD_STATE: "HELD",
}
# If there are more one-note files than this, they share one line; otherwise thousands of lines
# could precede the signature.
NOTES_LISTED = 20


def evidence_page(manifest: ManifestPart) -> str:
    """The evidence page of a manifest, before or after a review."""
    rows = [_evidence_row(manifest, word) for word in Identifier]
    notes = _single_notes(manifest)
    review = manifest.get("review")
    return render_page(
        "evidence.html",
        headline=headline(manifest),
        status=status(manifest),
        manifest=manifest,
        rows=rows,
        withheld=[c for c in manifest["columns"] if c["action"] == "withhold"],
        columns=_column_rows(manifest, notes),
        alike=_columns_alike(_column_rows(manifest, notes)),
        tables=_by_file(manifest, notes),
        unseen=[row for row in rows if row["state"] == NOT_EVALUATED],
        review=review,
        whose=_by_role(manifest["residual"]["known_values_by_role"]),
        statement=ACTUAL_KNOWLEDGE,
        signed=review and review.get("signed"),
        bounded=bool(review and review["result"]["bound_claimed"]),
    )


def _evidence_row(manifest: ManifestPart, word: Identifier) -> ManifestPart:
    entry = manifest["identifiers"][word.value]
    left = sorted(_RESIDUE_LABELS[Residue(residue)] for residue in entry["may_be_left"])
    return {
        "letter": word.letter,
        "word": word.value,
        "heading": word.heading,
        "citation": word.citation,
        "found": entry["found"],
        "replaced": entry["replaced"],
        "hits": entry["hits"],
        "left": "; ".join(left),
        "state": entry["state"],
        "label": _STATE_LABELS[entry["state"]],
        "missed": entry["miss_rate"],
        "bound": _leak_bound(manifest, word),
    }


def _by_role(roles: Mapping[str, int]) -> str:
    return ", ".join(f"{role.replace('_', ' ')} {count}" for role, count in roles.items())


def _leak_bound(manifest: ManifestPart, word: Identifier) -> float | None:
    """Return the bound on the share of notes that leak this identifier, if reviewers set one."""
    review = manifest.get("review")
    if not review or not review["result"]["bound_claimed"]:
        return None
    bounds: Mapping[str, float] = review["result"]["bound_by_word"]
    return bounds[word.value]


def _single_notes(manifest: ManifestPart) -> tuple[str, ...]:
    """Return the files that hold one note each, if there are too many to list."""
    actions: dict[str, list[str]] = {}
    for column in manifest["columns"]:
        actions.setdefault(str(column["file"]), []).append(column["action"])
    single = [n for n, table in manifest["tables"].items() if table["records_in"] <= 1]
    notes = tuple(n for n in single if actions.get(n) == ["text"])
    return notes if len(notes) > NOTES_LISTED else ()


def _by_file(manifest: ManifestPart, notes: Sequence[str]) -> list[tuple[str, ManifestPart]]:
    merged = set(notes)
    tables = manifest["tables"]
    together = [(_range_label(notes), _sum_of_tables([tables[n] for n in notes]))] if notes else []
    return together + [(n, table) for n, table in tables.items() if n not in merged]


def _sum_of_tables(tables: Sequence[ManifestPart]) -> ManifestPart:
    found: Counter[str] = Counter()
    for table in tables:
        found.update(table["found"])
    counts = {k: sum(t[k] for t in tables) for k in ("records_in", "records_out", "quarantined")}
    states = {word.value: worst([t["state"][word.value] for t in tables]) for word in Identifier}
    return {**counts, "found": found, "state": states}


def _column_rows(manifest: ManifestPart, notes: Sequence[str]) -> list[ManifestPart]:
    merged = set(notes)
    rows = [column for column in manifest["columns"] if str(column["file"]) not in merged]
    if notes:
        texts = [column for column in manifest["columns"] if str(column["file"]) in merged]
        cells = sum((Counter(column.get("cells", {})) for column in texts), Counter[str]())
        rows = [{**texts[0], "file": _range_label(notes), "cells": cells}, *rows]
    return [{**column, "fates": fate_shares(column.get("cells", {}))} for column in rows]


def _columns_alike(columns: Sequence[ManifestPart]) -> list[ManifestPart]:
    """Make one row of the page for all columns of a file with equal action and identifier."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for column in columns:
        key = str(column["file"]), column["action"], column["identifier"] or ""
        rows.setdefault(key, []).append(column["header"] or f"column {column['position']}")
    return [
        {"file": file, "action": action, "identifier": identifier, "headers": ", ".join(headers)}
        for (file, action, identifier), headers in rows.items()
    ]


def _range_label(notes: Sequence[str]) -> str:
    return f"{len(notes):,} notes, {notes[0]} to {notes[-1]}"
