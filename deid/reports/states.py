"""The state of each identifier in a release, and the status of the release.

Both are computed from the manifest alone, so that a reader can check them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

NONE_KNOWN_LEFT = "NONE_KNOWN_LEFT"
"""The output was searched for known values of the identifier, and none is left."""
SEARCHED = "SEARCHED"
"""Recognizers searched for the identifier; nothing more is claimed."""
NOT_EVALUATED = "NOT_EVALUATED"
HELD_STATE = "HELD"
"""A known value is left, the policy leaves what may not stay, or a reviewer found a leak."""

_WORST_FIRST = (HELD_STATE, NOT_EVALUATED, SEARCHED, NONE_KNOWN_LEFT)
_HEADLINES = {
    HELD_STATE: "Held",
    SEARCHED: "Searched, not proved",
    NONE_KNOWN_LEFT: "Known values proved absent",
}


def worst(states: Sequence[str]) -> str:
    """The combined state of several parts: the worst one."""
    return min(states, key=_WORST_FIRST.index)


def status(manifest: Mapping[str, Any]) -> str:
    """The status of a whole release: `HELD`, `SEARCHED` or `NONE_KNOWN_LEFT`.

    `NONE_KNOWN_LEFT` needs a table of patients, or inputs that hold patients' names. Keys next to
    the notes are not enough.
    """
    residual, review = manifest["residual"], manifest.get("review", {})
    if manifest["verdict"]["held"] or residual["hits"] or review.get("state") == "held":
        return HELD_STATE
    known = any(row["state"] == NONE_KNOWN_LEFT for row in manifest["identifiers"].values())
    patients = residual["known_tables"] or residual["patient_names_known"]
    return NONE_KNOWN_LEFT if known and patients and residual["known_values"] else SEARCHED


def headline(manifest: Mapping[str, Any]) -> str:
    """The status and the verdict in words.

    >>> residual = {"known_values": 0, "hits": 0, "known_tables": 0, "patient_names_known": False}
    >>> verdict = {"supported": "safe_harbor", "held": False}
    >>> headline({"verdict": verdict, "residual": residual, "identifiers": {}})
    'Searched, not proved: verdict safe_harbor'
    """
    return f"{_HEADLINES[status(manifest)]}: verdict {manifest['verdict']['supported']}"
