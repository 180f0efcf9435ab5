"""The words of a page: glyphs joined by their positions. Each word has its box and its line."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

UNREADABLE_GLYPH = "\ufffd"
# In units of the font size: the largest gap between two glyphs of a word, and the largest distance
# at which an equal glyph is the same one, printed twice to look bold.
_WORD_GAP, _SAME_PRINT = 0.2, 0.1
_LINE_SHIFT, _LINE_HEIGHT = 0.5, 1.15
# Boxed letters: the fewest letters, the largest deviation of a step from whole boxes, and the
# largest width of a box as a multiple of the font size.
_LEAST_BOXES, _UNEVEN_BOX, _WIDEST_BOX = 4, 0.1, 2.5
_LETTER_FORMS = range(0xFB00, 0xFB50)


class Glyph(NamedTuple):
    """A character, its box in points from the top left corner of the page, and its baseline.

    `angle` is the direction of the text in whole degrees, clockwise. `blank` marks a space that
    the file holds.
    """

    char: str
    left: float
    top: float
    right: float
    bottom: float
    base_x: float
    base_y: float
    size: float
    angle: int
    blank: bool = False


@dataclass(slots=True)
class PageWord:
    """A word: its text, its box on the page, and its position along its own direction.

    `start`, `end` and `base` are coordinates on the page turned so that the word is upright.
    """

    text: str = field(repr=False)
    box: tuple[float, float, float, float]
    start: float
    end: float
    base: float
    size: float
    angle: int
    spaced: bool = True


def words_of(glyphs: Iterable[Glyph]) -> list[PageWord]:
    """The words in the order of the file. A glyph that is printed twice counts once."""
    found: list[PageWord] = []
    current: PageWord | None = None
    printed: dict[tuple[str, int, int], list[tuple[float, float]]] = {}
    spaced = True
    for glyph in glyphs:
        if glyph.blank:
            current, spaced = None, True
            continue
        if _is_printed_again(glyph, printed):
            continue
        start, end, base = _turned(glyph)
        if current is not None and _goes_on(current, glyph, start, base):
            current.text += _plain_character(glyph.char)
            current.end = max(current.end, end)
            current.size = max(current.size, glyph.size)
            current.box = _joined_box(current.box, glyph)
            continue
        current = PageWord(
            _plain_character(glyph.char), (glyph.left, glyph.top, glyph.right, glyph.bottom),
            start, end, base, glyph.size, glyph.angle, spaced,
        )  # fmt: skip
        spaced = False
        found.append(current)
    return found


def _goes_on(word: PageWord, glyph: Glyph, start: float, base: float) -> bool:
    size = max(word.size, glyph.size)
    near = -_LINE_SHIFT * size <= start - word.end <= _WORD_GAP * size
    return word.angle == glyph.angle and near and abs(base - word.base) <= _LINE_SHIFT * size


def _joined_box(
    box: tuple[float, float, float, float], glyph: Glyph
) -> tuple[float, float, float, float]:
    return (
        min(box[0], glyph.left), min(box[1], glyph.top),
        max(box[2], glyph.right), max(box[3], glyph.bottom),
    )  # fmt: skip


def _is_printed_again(
    glyph: Glyph, printed: dict[tuple[str, int, int], list[tuple[float, float]]]
) -> bool:
    """Whether the glyph is a second print of the same glyph; narrow letters lie farther apart."""
    reach = _SAME_PRINT * glyph.size
    column, row = int(glyph.base_x / glyph.size), int(glyph.base_y / glyph.size)
    cells = [(glyph.char, column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    places = (place for cell in cells for place in printed.get(cell, ()))
    again = any(abs(x - glyph.base_x) < reach and abs(y - glyph.base_y) < reach for x, y in places)
    if not again:
        printed.setdefault(cells[4], []).append((glyph.base_x, glyph.base_y))
    return again


def _turned(glyph: Glyph) -> tuple[float, float, float]:
    """Return start, end and baseline of a glyph on the page turned so that it is upright."""
    if glyph.angle == 0:
        return glyph.left, glyph.right, glyph.base_y
    turn = math.radians(-glyph.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    base = glyph.base_x * sin + glyph.base_y * cos
    if glyph.angle % 90:  # the box of a slanted glyph is wider than the glyph
        start = glyph.base_x * cos - glyph.base_y * sin
        wide, high = glyph.right - glyph.left, glyph.bottom - glyph.top
        return start, start + length_along(wide, high, glyph.size, glyph.angle), base
    corners = [
        x * cos - y * sin for x in (glyph.left, glyph.right) for y in (glyph.top, glyph.bottom)
    ]
    return min(corners), max(corners), base


def length_along(width: float, height: float, size: float, angle: int) -> float:
    """The length of a text along its own line, from the box around it."""
    turn = math.radians(angle)
    cos, sin, line = abs(math.cos(turn)), abs(math.sin(turn)), _LINE_HEIGHT * size
    if angle % 90 == 0:
        return width if angle % 180 == 0 else height
    long = (width - line * sin) / cos if cos >= sin else (height - line * cos) / sin
    return max(long, _SAME_PRINT * size)


def _plain_character(char: str) -> str:
    """The character; a ligature becomes its letters."""
    if len(char) == 1 and ord(char) in _LETTER_FORMS:
        return unicodedata.normalize("NFKC", char)
    return char


@dataclass(frozen=True, slots=True)
class LineSegment:
    """Words of one line without a wide gap between them."""

    words: tuple[PageWord, ...] = field(repr=False)
    start: float
    end: float
    top: float
    base: float
    size: float


def segments_of(words: Sequence[PageWord]) -> list[LineSegment]:
    """The words on each baseline, split at gaps as wide as the letters are high."""
    return [
        LineSegment(
            tuple(run), run[0].start, max(w.end for w in run), min(w.base - w.size for w in run),
            max(run, key=lambda w: w.size).base, max(w.size for w in run),
        )
        for row in _rows(words)
        for run in _without_wide_gaps(_join_boxed_letters(sorted(row, key=lambda w: w.start)))
    ]  # fmt: skip


def _rows(words: Sequence[PageWord]) -> Iterator[list[PageWord]]:
    row: list[PageWord] = []
    for word in sorted(words, key=lambda w: w.base):
        if row and word.base - row[-1].base > 0.3 * min(word.size, row[-1].size):
            yield row
            row = []
        row.append(word)
    if row:
        yield row


def _join_boxed_letters(row: Sequence[PageWord]) -> list[PageWord]:
    """The line with boxed letters and digits joined into words, as forms box each letter."""
    found: list[PageWord] = []
    for run in _single_characters(row):
        signs = sum(word.text.isalnum() for word in run)
        joins = [] if signs < _LEAST_BOXES or _is_counting(run) else _next_boxes(run)
        found.append(run[0])
        for number, word in enumerate(run[1:]):
            if joins and joins[number]:
                found[-1] = _boxes_joined(found[-1], word)
            else:
                found.append(word)
    return found


def _next_boxes(run: Sequence[PageWord]) -> list[bool]:
    """For each word but the first, whether it is in the next box; empty if there are no boxes.

    Letters in boxes begin at even steps, are centered in even boxes, or are evenly apart.
    """
    size = max(word.size for word in run)
    for places in ([w.start for w in run], [(w.start + w.end) / 2 for w in run]):
        steps = [after - before for before, after in pairwise(places)]
        box = min(steps)
        if 0 < box <= _WIDEST_BOX * size and all(
            abs(step / box - round(step / box)) < _UNEVEN_BOX for step in steps
        ):
            return [round(step / box) == 1 for step in steps]
    gaps = [after.start - before.end for before, after in pairwise(run)]
    even = max(gaps) - min(gaps) < _UNEVEN_BOX * size
    return [True] * len(gaps) if even and 0 < min(gaps) <= (_WIDEST_BOX - 1) * size else []


def _single_characters(row: Sequence[PageWord]) -> Iterator[list[PageWord]]:
    """Runs of single letters, digits, `-`, `/` and `.` without spaces between them in the file.

    Every other word is a run by itself.
    """
    run: list[PageWord] = []
    for word in row:
        single = len(word.text) == 1 and (word.text.isalnum() or word.text in "-/.")
        if run and (word.spaced or not single):
            yield run
            run = []
        if single:
            run.append(word)
        else:
            yield [word]
    if run:
        yield run


def _is_counting(run: Sequence[PageWord]) -> bool:
    """Whether the words count up, like the numbers of a scale or of columns."""
    codes = [ord(word.text) for word in run]
    return all(after - before == 1 for before, after in pairwise(codes))


def _boxes_joined(before: PageWord, after: PageWord) -> PageWord:
    box = (
        min(before.box[0], after.box[0]), min(before.box[1], after.box[1]),
        max(before.box[2], after.box[2]), max(before.box[3], after.box[3]),
    )  # fmt: skip
    return replace(before, text=before.text + after.text, box=box, end=max(before.end, after.end))


def _without_wide_gaps(row: Sequence[PageWord]) -> Iterator[list[PageWord]]:
    run: list[PageWord] = []
    end = 0.0
    for word in row:
        if run and word.start - end > max(word.size, run[-1].size):
            yield run
            run = []
        end = max(end, word.end) if run else word.end
        run.append(word)
    yield run
