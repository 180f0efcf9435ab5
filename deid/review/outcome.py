"""What a review does to its release: figures into the manifest and the evidence, and the hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
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


def review_account(desk: ReviewSession, now: datetime) -> dict[str, Any]:
    """The `review` of the manifest: plan, figures, people, date. Value-free."""
    standing = desk.standing()
    return {
        "state": _state(desk),
        "date": now.date().isoformat(),
        "reviewers": desk.marks.reviewers(),
        "plan": desk.plan.as_json(),
        "result": standing.as_json(),
        "agreement": desk.agreement(),
        "open_differences": sum(d.ruling is None for d in desk.differences()),
        "ledger_head": desk.ledger.head,
    }


def _state(desk: ReviewSession) -> str:
    standing = desk.standing()
    if standing.leaks:
        return "held"
    return "finished" if standing.finished else "open"


def record_review(desk: ReviewSession, now: datetime) -> bool:
    """Write the figures into the manifest, and the evidence anew; True if a leak puts it on hold.

    The hold stays until the data are scrubbed again: the next release has marks of its own.
    """
    folder = desk.batch.out / RELEASE_FOLDER
    manifest = dict(json.loads((folder / MANIFEST).read_text("utf-8")))
    told = review_account(desk, now)
    if not told["reviewers"] and "review" not in manifest:
        return False
    sealed, page = sealed_with_evidence(reviewed(manifest, told))
    _replace(folder / EVIDENCE, page)
    _replace(folder / MANIFEST, manifest_bytes(sealed))
    return bool(told["state"] == "held")


def reviewed(manifest: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest with what came of a review; a leak holds the release and its identifier."""
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
    review = {**told, "verdict_before": supported, "states_before": states}
    whole = {**manifest, "verdict": verdict, "identifiers": identifiers, "review": review}
    verdict["status"] = status(whole)
    return whole


def _replace(path: Path, data: bytes) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)
