"""What a review does to its release: figures into the manifest and the evidence, and the hold."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from deid.release import FOLDER
from deid.reports.pages import render
from deid.review.desk import Desk

_OPEN, _CLOSE = "<!--review-->", "<!--/review-->"
_BLANK = '<p class="soft">Sampling by reviewers: not yet recorded.</p>'


def account(desk: Desk, now: datetime) -> dict[str, Any]:
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


def _state(desk: Desk) -> str:
    standing = desk.standing()
    if standing.leaks:
        return "held"
    return "finished" if standing.finished else "open"


def record(desk: Desk, now: datetime) -> bool:
    """Write the figures beside the release's own; True if a leak puts it on hold.

    The hold stays until the data are scrubbed again: the next release has marks of its own.
    """
    folder = desk.batch.out / FOLDER
    manifest = dict(json.loads((folder / "manifest.json").read_text("utf-8")))
    told = account(desk, now)
    if not told["reviewers"] and "review" not in manifest:
        return False
    verdict = dict(manifest["verdict"])
    before = manifest.get("review", {}).get("verdict_before", verdict["supported"])
    held = bool(told["state"] == "held")
    verdict["supported"] = "none" if held else before
    manifest |= {"verdict": verdict, "review": {**told, "verdict_before": before}}
    _replace(folder / "manifest.json", json.dumps(manifest, indent=2) + "\n")
    page = (folder / "evidence.html").read_text("utf-8")
    section = render("review/evidence.html", review=told, before=before, held=held)
    _replace(folder / "evidence.html", _put(page, section))
    return held


def _put(page: str, section: str) -> str:
    """The section in its place: where the page says that nothing is recorded, or over the last."""
    whole = f"{_OPEN}{section}{_CLOSE}"
    if _OPEN in page:
        head, _, rest = page.partition(_OPEN)
        return head + whole + rest.partition(_CLOSE)[2]
    return page.replace(_BLANK, whole, 1)


def _replace(path: Path, text: str) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, "utf-8")
    part.replace(path)
