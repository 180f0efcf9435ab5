"""Decide whether a release is held: a known value is left, the claim is broken, or risk is high."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from safe_harbor import Identifier, Verdict


def must_hold(
    hits: Mapping[Identifier, int], verdict: Verdict, risk: Iterable[Mapping[str, Any]]
) -> bool:
    """Whether the release must be held.

    `hits` counts known values still in the output, by identifier. `risk` are the measured risk
    limits of the policy; `holds` says whether a limit holds the release.
    """
    over = any(measured["holds"] for measured in risk)
    return sum(hits.values()) > 0 or bool(verdict.breaches) or over
