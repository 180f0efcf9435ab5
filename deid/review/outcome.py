"""Writes the result of a review to its release: manifest, evidence page and hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from deid.release.sealing import (
    EVIDENCE,
    MANIFEST,
    RELEASE_FOLDER,
    manifest_bytes,
    sealed_with_evidence,
)
from deid.reports.states import HELD_STATE, status
from deid.review.review_session import ReviewSession
from deid.review.reviewers.reading import readers
from deid.review.signing import signature_json


def review_account(review: ReviewSession, now: datetime) -> dict[str, Any]:
    """The `review` entry of the manifest: plan, figures, people and date, without values."""
    standing = review.standing()
    return {
        "state": _review_state(review),
        "date": now.date().isoformat(),
        "reviewers": review.marks.people(),
        "plan": review.plan.as_json(),
        "result": standing.as_json(),
        "readers": [reader.as_json() for reader in readers(review)],
        "agreement": review.agreement(),
        "open_differences": sum(d.ruling is None for d in review.differences()),
        "ledger_head": review.event_log.head,
        "signed": signature_json(review.marks.signature),
    }


def _review_state(review: ReviewSession) -> str:
    standing = review.standing()
    if standing.leaks:
        return "held"
    return "finished" if standing.finished else "open"


def record_review(review: ReviewSession, now: datetime) -> bool:
    """Update the manifest and the evidence page; return True if a leak puts the release on hold.

    The hold stays until the data are scrubbed again; each release has its own marks.
    """
    folder = review.batch.out / RELEASE_FOLDER
    manifest = dict(json.loads((folder / MANIFEST).read_text("utf-8")))
    told = review_account(review, now)
    if not told["reviewers"] and "review" not in manifest:
        return False
    sealed, page = sealed_with_evidence(reviewed(manifest, told))
    _replace_file(folder / EVIDENCE, page)
    _replace_file(folder / MANIFEST, manifest_bytes(sealed))
    return bool(told["state"] == "held")


def reviewed(manifest: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest with the review result; a leak holds the release and its identifier."""
    before = manifest.get("review", {})
    verdict, rows = dict(manifest["verdict"]), manifest["identifiers"]
    supported = before.get("verdict_before", verdict["supported"])
    states = before.get("states_before", {word: row["state"] for word, row in rows.items()})
    held = told["state"] == "held"
    leaking = told["result"]["by_word"] if held else {}
    verdict["supported"] = "none" if held else supported
    verdict["held"] = held
    identifiers = {
        word: {**row, "state": HELD_STATE if word in leaking else states[word]}
        for word, row in rows.items()
    }
    tables, in_files = _held_tables(
        manifest["tables"], before.get("file_states_before", {}), leaking
    )
    review = {
        **told,
        "verdict_before": supported,
        "states_before": states,
        "file_states_before": in_files,
    }
    whole = {**manifest, "verdict": verdict, "identifiers": identifiers, "tables": tables}
    whole["review"] = review
    verdict["status"] = status(whole)
    return whole


def _held_tables(
    tables: Mapping[str, Any], before: Mapping[str, Mapping[str, str]], leaking: Iterable[str]
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Put the leaking identifiers of all tables on hold; return the tables and their earlier
    states.

    All tables are held: after a leak in one file, the sample does not clear the others.
    """
    held, replaced = {}, {}
    for number, table in tables.items():
        states = {**table["state"], **before.get(number, {})}
        replaced[number] = {word: states[word] for word in leaking}
        held[number] = {**table, "state": states | dict.fromkeys(leaking, HELD_STATE)}
    return held, {number: states for number, states in replaced.items() if states}


def _replace_file(path: Path, data: bytes) -> None:
    """Replace the file atomically."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)
