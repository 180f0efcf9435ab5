"""Findings that a caller brings: checked, and merged where they overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from deid.errors import DeidError
from recognizers import ENTITIES, Finding
from safe_harbor import Identifier


class PresidioResult(Protocol):
    """The attributes that are read from a `RecognizerResult` of Presidio."""

    start: int
    end: int
    entity_type: str
    score: float


BroughtFinding = Finding | PresidioResult | Mapping[str, Any]
CALLER_SOURCE = "caller"


def disjoint_findings(brought: Sequence[BroughtFinding], length: int) -> list[Finding]:
    """The findings in order; overlapping ones become one, with the entity of the highest score.

    Types that this engine does not know count as "others".

    Raises:
        DeidError: `findings-invalid`: an offset outside the text of `length` characters, or a
            finding without its type.
    """
    merged: list[Finding] = []
    for finding in sorted(_checked(one, length) for one in brought):
        last = merged[-1] if merged else None
        if last is None or finding.start >= last.end:
            merged.append(finding)
            continue
        surer = finding if finding.score > last.score else last
        merged[-1] = replace(surer, start=last.start, end=max(last.end, finding.end))
    return merged


def _checked(one: BroughtFinding, length: int) -> Finding:
    try:
        finding = one if isinstance(one, Finding) else _read_finding(one)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise _invalid() from None
    if finding.end > length:
        raise _invalid()
    return finding


def _read_finding(one: PresidioResult | Mapping[str, Any]) -> Finding:
    if isinstance(one, Mapping):
        entity = one["entity"] if "entity" in one else one["entity_type"]
        start, end, score = one["start"], one["end"], one.get("score", 1.0)
    else:
        start, end, entity, score = one.start, one.end, one.entity_type, one.score
    if not isinstance(entity, str) or not entity:
        raise ValueError
    word = ENTITIES.get(entity, Identifier.OTHERS)
    return Finding(int(start), int(end), word, entity, float(score), CALLER_SOURCE)


def _invalid() -> DeidError:
    return DeidError(
        "findings-invalid",
        "a finding has no type, or its offsets lie outside the text",
        hint="give start, end (code points, half-open), entity and optionally a score from 0 to 1",
    )
