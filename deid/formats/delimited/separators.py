"""Detects the delimiter of a file, and whether a text file is a delimited table."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Sequence
from pathlib import Path

from deid.formats.delimited.header_row import (
    LOOKED_AT,
    common_width,
    header_place,
    names_columns,
    next_rows,
)
from deid.formats.text.encoding import wide_codec
from recognizers import header_words, is_header_word

SNIFFED_DELIMITERS = (",", ";", "\t", "|", "^", "~", "*", "\x01")
# For a table in a file with a suffix for text: delimiters that prose does not use, delimiters that
# prose uses, and the fewest cells and rows.
_PLAIN_SUFFIXES = (".txt", ".text", ".dat", ".out", "")
_PLAIN_MARKS, _PROSE_MARKS = ("|", "\t", "^", "~", "*", "\x01"), (",", ";")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LEAST_WIDTH, _LEAST_ROWS, _EVEN, _MOST_TITLED = 3, 3, 0.9, 0.6
# The most lines above the titles of such a table, and the share of records that must have the
# same number of cells as the titles.
_MOST_ABOVE, _LEAST_EVEN = 8, 0.5
SAMPLE, _MOST_JUDGED = 1 << 16, 200
_COLUMN_TITLE = re.compile(r"[A-Za-z][\w .#/()-]{0,39}")


def is_delimited_text(path: Path, delimiter: str | None = None) -> bool:
    """Whether a text file is a delimited table: a line of titles, then mostly lines of that width.

    With a delimiter that the user gave, two columns are enough. If a table were read as prose, its
    column titles could not be used.
    """
    if path.suffix.casefold() not in _PLAIN_SUFFIXES:
        return False
    try:
        with path.open("rb") as file:
            head = file.read(SAMPLE)
    except OSError:
        return False
    codec = "utf-16" if head[:2] in _UTF16_MARKS else wide_codec(head) or "utf-8-sig"
    sample = head.decode(codec, "replace")
    whole = sample if len(head) < SAMPLE else sample[: sample.rfind("\n") + 1]
    lines = [line for line in whole.splitlines() if line.strip()]
    if len(lines) < _LEAST_ROWS:
        return False
    if delimiter is not None:
        return lines[0].count(delimiter) > 0 and _is_even(
            lines, delimiter, lines[0].count(delimiter) + 1
        )
    if any(_is_titled(lines, mark) for mark in (*_PLAIN_MARKS, *_PROSE_MARKS)):
        return True
    return any(_is_titled_below(lines, mark) for mark in _PLAIN_MARKS)


def _is_titled_below(lines: Sequence[str], mark: str) -> bool:
    """Whether the titles of a table come after a few other lines and before further lines."""
    most = min(_MOST_ABOVE, len(lines) // 2)
    place = next((n for n, line in enumerate(lines[:most]) if line.count(mark) > 1), 0)
    titled = place and _is_titled(lines[place:], mark)
    return bool(titled) and names_columns(next(csv.reader(lines[place:], delimiter=mark)))


def are_titles(titles: Sequence[str]) -> bool:
    """Whether these titles show that a file is a table and not prose, whatever its delimiter."""
    return _may_be_titles(titles) and _are_header_words(titles)


def _is_titled(lines: Sequence[str], mark: str) -> bool:
    titles = [title.strip() for title in next(csv.reader(lines[:1], delimiter=mark))]
    named = titles[:-1] if not titles[-1] else titles
    if not _may_be_titles(named) or (mark in _PROSE_MARKS and not _are_header_words(named)):
        return False
    return _is_even(lines, mark, len(titles))


def _may_be_titles(titles: Sequence[str]) -> bool:
    """Whether there are enough titles, all distinct and in the form of a column title."""
    if len(titles) < _LEAST_WIDTH or len(set(titles)) < len(titles):
        return False
    return all(map(_COLUMN_TITLE.fullmatch, titles))


def _are_header_words(titles: Sequence[str]) -> bool:
    """Whether most titles consist of words used in column names."""
    return sum(map(_is_title, titles)) >= _MOST_TITLED * len(titles)


def _is_even(lines: Sequence[str], mark: str, width: int) -> bool:
    """Whether nearly all lines, or nearly all records of several lines, have `width` cells."""
    if sum(line.count(mark) == width - 1 for line in lines) >= _EVEN * len(lines):
        return True
    widths = _widths("\n".join(lines), mark)
    return len(widths) >= _LEAST_ROWS and widths.count(width) >= _EVEN * len(widths)


def _is_title(title: str) -> bool:
    """Whether the title consists of words used in column names."""
    words = header_words(title)
    return bool(words) and all(map(is_header_word, words))


def sniff_delimiter(path: Path, sample: str) -> str:
    """The delimiter that splits most of the sample's records into the same number of cells.

    Records of another width lower a delimiter's score, so that commas within names do not win
    over semicolons between cells.
    """
    if path.suffix.casefold() in (".tsv", ".tab"):
        return "\t"
    scores = {delimiter: _evenness(sample, delimiter) for delimiter in SNIFFED_DELIMITERS}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    if scores[best][0] >= _LEAST_EVEN:
        return best
    below = {mark: _evenness(sample, mark, titled=False) for mark in SNIFFED_DELIMITERS}
    other = max(below, key=lambda mark: below[mark])
    if _begins_below(sample, other):
        return other
    return best if scores[best] > (0.0, 0) else ","


def _begins_below(sample: str, delimiter: str) -> bool:
    """Whether lines split by this delimiter have a header below lines of other content."""
    reader = csv.reader(sample.splitlines(keepends=True), delimiter=delimiter, strict=True)
    return header_place(list(next_rows(reader, LOOKED_AT))) > 0


def _evenness(sample: str, delimiter: str, *, titled: bool = True) -> tuple[float, int]:
    """Return the share of records of the expected width, and that width.

    The expected width is that of the first record or, if not `titled`, the most common one.
    """
    widths = _widths(sample, delimiter)
    width = (widths[0] if titled else common_width(widths)) if widths else 0
    if width < 2:
        return 0.0, 0
    # The sample may end within a record, so the last record is not judged.
    judged = widths[:-1] if len(widths) > 2 else widths
    return round(judged.count(width) / len(judged), 1), width


def _widths(sample: str, delimiter: str) -> list[int]:
    """The numbers of cells in the first records; 1 for a record with broken quotes."""
    widths: list[int] = []
    reader = csv.reader(sample.splitlines(keepends=True), delimiter=delimiter, strict=True)
    for _ in range(_MOST_JUDGED):
        try:
            widths.append(len(next(reader)))
        except StopIteration:
            break
        except csv.Error:
            widths.append(1)
    return [width for width in widths if width]
