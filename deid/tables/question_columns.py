"""Find the columns of a table that hold questions and their answers."""

from __future__ import annotations

from collections.abc import Sequence

from deid.decision import ColumnDecision
from recognizers import is_answer_header, is_label_header


def label_columns(decisions: Sequence[ColumnDecision]) -> tuple[int, ...]:
    """Return the columns of questions; none if the table has no column of answers."""
    labels = (d.index for d in decisions if d.original and is_label_header(d.original))
    return tuple(labels) if answer_columns(decisions) else ()


def answer_columns(decisions: Sequence[ColumnDecision]) -> tuple[ColumnDecision, ...]:
    """Return the columns of answers that are released unchanged or as scrubbed text.

    A column that a policy names is trusted.
    """
    return tuple(
        d
        for d in decisions
        if d.original
        and d.identifier is None
        and d.action in ("keep", "text")
        and d.decided_by != "policy"
        and not d.is_closed
        and not is_label_header(d.original)
        and is_answer_header(d.original)
    )
