"""A note as the page shows it: its cells, the reviewer's marks, its place in the sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deid.reports.visible import count_hidden_characters
from deid.review.marks import ReviewMark
from deid.review.review_session import ReviewSession
from deid.review.sampling.planted_errors import PlantedError
from deid.review.web.shown_cell import changes_json, shown_lines


def note_json(
    review: ReviewSession, number: int, reviewer: str, share: bool, *, all_comments: bool = False
) -> dict[str, Any]:
    """One note for the page. In share mode it holds no original text, and no comments.

    The comments are the reviewer's own. With `all_comments`, they are the comments of all
    reviewers.
    """
    note = review.note(number)
    review.show(note, reviewer)
    planted = review.planted_cells(note, share)
    originals = review.batch.has_originals and not share
    own = [] if share else review.marks.of_note(note.place, reviewer)
    whose = None if all_comments else reviewer
    comments = [] if share else review.comments_on(note.place, whose)
    in_sample = note.place in review.strata
    return {
        "number": number,
        "name": note.name,
        "record": note.record,
        "originals": originals,
        "read": reviewer in review.marks.readers(note.place),
        "sample": review.places.index(note.place) + 1 if in_sample else None,
        "cells": [_cell(one, originals) for one in planted],
        "marks": [_mark(mark, planted, originals) for mark in own],
        "comments": [{"reviewer": author, "text": text} for author, text in comments],
    }


def _cell(planted: PlantedError, originals: bool) -> dict[str, Any]:
    return {
        "column": planted.cell.column,
        "header": planted.cell.header,
        "hidden": count_hidden_characters(planted.cell.after),
        "lines": [line.as_json(originals) for line in shown_lines(planted)],
        "changes": changes_json(planted),
    }


def _mark(mark: ReviewMark, planted: Sequence[PlantedError], originals: bool) -> dict[str, Any]:
    own = next((one for one in planted if one.cell.column == mark.column), None)
    start, end = mark.out if own is None else own.shown(*mark.out)
    return {
        "id": mark.id,
        "column": mark.column,
        "verdict": mark.verdict,
        "change": mark.change,
        "start": start,
        "end": end,
        "original": list(mark.original) if originals and mark.original else None,
        "word": mark.word,
        "alike": mark.alike is not None,
    }
