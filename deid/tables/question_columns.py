"""Columns of questions and their answers: which of a table's columns are so."""

from __future__ import annotations

from collections.abc import Sequence

from deid.decision import Decision
from recognizers import is_answer_header, is_label_header


def label_columns(decisions: Sequence[Decision]) -> tuple[int, ...]:
    """The columns that name what others of their row hold, if there are such others."""
    labels = (d.index for d in decisions if d.original and is_label_header(d.original))
    return tuple(labels) if answer_columns(decisions) else ()


def answer_columns(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """The columns that hold what others name, and leave as they are or as searched text.

    A column that a policy names is taken at its word.
    """
    return tuple(
        d
        for d in decisions
        if d.original
        and d.identifier is None
        and d.action in ("keep", "text")
        and d.decided_by != "policy"
        and not is_label_header(d.original)
        and is_answer_header(d.original)
    )
