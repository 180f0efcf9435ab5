# ruff: noqa: E501 -- a pattern reads best on one line
"""Initials that a form or a log repeats: columns and rows of them, pairs of staff, ends of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.names.word_evidence import NEVER, STOPS, vocabulary
from recognizers.evidence.rules import Hit, matches
from recognizers.text.measures import is_unit
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

PERSON = "PERSON"
HEADED = r"(?i)(?:^|[\t|\n]|  )[ *_#]*(init(?:ial)?s?\.?|prov(?:ider)?|by|nurse|rn|staff|tech|signed)[ :*_]*(?:$|[\t|\n\r]|  )"
CELL = re.compile(r"[ _*]*((?:[A-Z]{2,3}|[a-z]{2,3})(?:/(?:[A-Z]{2,3}|[a-z]{2,3}))?)[ _*]*$")


def columns(page: NormalizedText) -> Iterator[Hit]:
    """The cells under a header such as `Init`, if two in three of them are letters alone."""
    for start, end in matches(HEADED, page):
        cells = [
            (left, CELL.match(page.text, left, right)) for left, right in page.below(start, end)
        ]
        if len(cells) < 2 or sum(match is not None for _, match in cells) * 3 < len(cells) * 2:
            continue
        for _, match in cells:
            if match and match.group(1).lower() not in STOPS | NEVER:
                yield Hit(*match.span(1), PERSON, 0.9, "column of initials")


INIT_ROW = r"(?i)(?:^|\n)[ \t|]*init(?:ial)?s?\b[ :]*([ \t|]{1,}[^\n]{4,})"
LETTERS = re.compile(r"\b(?:[A-Z]{2,3}|[a-z]{2,3})\b")


def initial_rows(page: NormalizedText) -> Iterator[Hit]:
    """The cells beside a head such as `INIT`, if all of them are letters alone."""
    for start, end in matches(INIT_ROW, page):
        cells = page.text[start:end].replace("|", " ").split()
        if len(cells) > 1 and all(LETTERS.fullmatch(c) for c in cells):
            for match in LETTERS.finditer(page.text, start, end):
                yield Hit(*match.span(), PERSON, 0.9, "row of initials")


PAIR = r"(?:[ ]{2}|[|\t][ ]?)([A-Z]{2}/[A-Za-z][a-z]+)(?:[ ]{2}|[ ]*[|\t\n]|\z)"


def paired(page: NormalizedText) -> Iterator[Hit]:
    """`SZ/Patrice` in a column of staff: initials and a given name, in two rows or more."""
    spans = list(matches(PAIR, page))
    known = [gazetteers.first_name(page.text[start + 3 : end]) > 6 for start, end in spans]
    if sum(known) < 2:
        return
    for start, end in spans:
        if page.text[start + 3 : end].lower() not in STOPS:
            yield Hit(start, end, PERSON, 0.9, "initials and given name")


LINE_END = r"(?:[.)] |[ ]{2}|[a-z0-9],? |/)([a-z]{2,3}|[A-Z]{2,3})[ ]*(?:\n|\z)"


COMPARED = re.compile(r"[<>]=?[ ]?\d[\d.]*[ ]*$")
RUN = re.compile(r"[A-Za-z\d*^.]*/$")


def ends_result(page: NormalizedText, start: int, end: int) -> bool:
    """Are the letters a unit at the end of a result, as in `<1.0 AI` and `31 NG/ML`?"""
    left = page.left(start)
    before = RUN.search(left)
    if before and is_unit(before.group() + page.text[start:end]):
        return True
    return COMPARED.search(left) is not None


def recurring(page: NormalizedText) -> Iterator[Hit]:
    """The letters that end three lines or more (two, if no word), as a log's keeper signs each."""
    ends: dict[str, list[tuple[int, int]]] = {}
    for start, end in matches(LINE_END, page):
        ends.setdefault(page.text[start:end].lower(), []).append((start, end))
    for letters, every in ends.items():
        spans = [span for span in every if not ends_result(page, *span)]
        rare = not gazetteers.common_word(letters)
        plain = vocabulary(letters)
        if len(spans) > 2 - rare and letters not in NEVER:
            for start, end in spans:
                yield Hit(start, end, PERSON, 0.6 if plain else 0.9, "recurring at line ends")
