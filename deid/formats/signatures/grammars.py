"""Recognizes formats without a signature by the structure of their lines.

Each grammar takes a text and returns whether the text is in the format. Prose that merely contains
a table, a list of drugs or results in columns does not count: nearly all of the text must have the
structure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from deid.formats.signatures.table import LEADING_BLANKS, standards

_LINE_ENDS = re.compile(r"[\r\n]+")
_TERMINATED = re.compile(r"[\r\n~'\x1c\x1d\x1e\x03]+")
_SEGMENT_TAG = re.compile(
    r"[\s\x02\x05\x0b]*\d?([A-Z][A-Z0-9]{0,2})([^A-Za-z0-9\s])(?=.*\S)", re.DOTALL
)
_LEAST_SEGMENTS, _LEAST_KINDS, _MOST = 3, 2, 0.9
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]{1,40}):(?: |\t|$)(.*(?:\n[ \t]+\S.*)*)\n?")
_TECHNICAL = re.compile(
    r"(?i)received|return-path|message-id|mime-version|content-(?:type|transfer-encoding)|"
    r"dkim-signature|delivered-to|in-reply-to|references|authentication-results|"
    r"x-[a-z]+(?:-[a-z]+)*|list-[a-z]+|thread-(?:index|topic)|user-agent"
)
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}|(?:0x|\\x)?(?:[0-9A-Fa-f]{2}){12,}")
_BASE32_SIGNATURE = re.compile(r"(?:[A-Z2-7]{8}\s?){4,}[A-Z2-7]{0,7}={0,6}")
_SPACED_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4}\s){6,}[A-Za-z0-9+/=]{1,4}")
_CHARACTER_CODES = re.compile(r"(?:\d{2,3}[\s,;]{1,2}){16,}\d{0,3}")
_LETTERS, _BLANKS = 0.7, 0.08
_DENSE, _LEAST_SIGNS = re.compile(r"[!-~]{40,}"), 6
_BYTES = re.compile(r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[\s:,;-]{0,2}){16,}|(?:[01]{8}\s*){8,}")
_DUMPED = re.compile(r"[0-9A-Fa-f]{6,16}:?(?:\s+[0-9A-Fa-f]{2,8}){4,}(?:\s{1,3}\S.*)?")
_ASCII85_SIGNATURE = re.compile(r"<~[!-uz\s]{12,}~>")
_ANY_ESCAPE = re.compile(
    r"=[0-9A-F]{2}|%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|&#(?:x[0-9A-Fa-f]{1,6}|\d{1,7});|\\[0-3][0-7]{2}"
)
_LEAST_ESCAPES, _MOST_ESCAPED = 8, 0.5
_UNPRINTABLE = re.compile("[\x00-\x06\x08\x0e-\x12\x16-\x1d\x7f\ufffd]")
_LEAST_CONTROLS, _MOST_CONTROLS = 4, 0.02
_MARKS, _LEAST_CELLS, _LEAST_RECORDS, _NUMBERED = "|\t^~;,", 4, 3, 0.8
# Lines that programs print between records and below them.
_RULE = re.compile(r"[-+=|\s]+|\(?\d+ rows?\b.{0,40}")
_LONG_OR_CODED_NUMBER = re.compile(r"\d{5,}|[A-Z]{1,4}-?\d{4,}")
_LEAST_LINES, _LEAST_COLUMNS, _LEAST_WIDTH = 6, 3, 20
# Fewer lines than `_LEAST_LINES` are records only if all have a number of `_LONG_NUMBER` digits
# in the same columns.
_FEWEST_LINES, _LONG_NUMBER, _LOOKED_AT, _MOST_UNEVEN = 3, 7, 12, 4


def segments(text: str) -> bool:
    """Whether the text consists of HL7 v2, X12, EDIFACT or ASTM segments without their header."""
    head = text.lstrip(LEADING_BLANKS + "\x02\x05")
    first = _SEGMENT_TAG.match(head)
    if first is None or not any(first[1] in one.tags for one in standards()):
        return False
    parts = [part for part in _TERMINATED.split(text) if part.strip()]
    tags = [(m[1], m[2]) for part in parts if (m := _SEGMENT_TAG.match(part)) is not None]
    for one in standards():
        own = Counter(tag for tag, mark in tags if tag in one.tags and mark in one.separators)
        if own.total() >= max(_LEAST_SEGMENTS, _MOST * len(parts)) and len(own) >= _LEAST_KINDS:
            return True
    return False


def mail_headers(text: str) -> bool:
    """Whether the text begins with mail headers as servers write them; pasted headers are prose."""
    names: list[str] = []
    place, head = 0, text.lstrip(LEADING_BLANKS).replace("\r\n", "\n")[:8192]
    while match := _HEADER.match(head, place):
        names.append(match[1].casefold())
        place = match.end()
    written = sum(_TECHNICAL.fullmatch(name) is not None for name in names)
    addressed = {"from", "to", "subject"} & set(names)
    return written >= 2 or (written == 1 and len(addressed) >= 2)


def encoded(text: str) -> bool:
    """Whether the text is only Base64, Base32, Ascii85, hex, character codes or a byte dump."""
    bare = text.strip(LEADING_BLANKS + "\"'")
    if len(bare) < 24:
        return False
    if _ASCII85_SIGNATURE.fullmatch(bare) or _is_dense(bare) or _are_codes(bare):
        return True
    if _BASE32_SIGNATURE.fullmatch(bare) and sum(map(str.isdigit, bare)) > 2:
        return True
    if _BYTES.fullmatch(bare) and not _is_plain_number(bare):
        return True
    if _SPACED_BASE64.fullmatch(bare):
        return _is_mixed("".join(bare.split()))
    lines = [line.strip() for line in _LINE_ENDS.split(bare)]
    if len(lines) > 1 and all(map(_DUMPED.fullmatch, lines)):
        return True
    if not all(map(_BLOB.fullmatch, lines[:-1] or lines)) or " " in lines[-1]:
        return False
    return _is_mixed("".join(lines))


def _is_dense(text: str) -> bool:
    """Whether the text is one long run with many signs among its letters, and not a URL."""
    if not _DENSE.fullmatch(text) or "://" in text:
        return False
    signs = [c for c in text if not c.isalnum()]
    return len(set(signs)) >= _LEAST_SIGNS and 0.1 * len(text) <= len(signs) <= 0.6 * len(text)


def _are_codes(text: str) -> bool:
    """Whether the text consists of decimal character codes that spell words and blanks."""
    if not _CHARACTER_CODES.fullmatch(text):
        return False
    found = [int(code) for code in re.findall(r"\d+", text)]
    if not all(32 <= code < 127 for code in found):
        return False
    letters = sum(chr(code).isalnum() for code in found)
    return letters >= _LETTERS * len(found) and found.count(32) >= _BLANKS * len(found)


def _is_plain_number(text: str) -> bool:
    """Whether the text is a series of plain decimal numbers, such as results or codes."""
    return not re.search("[A-Fa-fx]", text) and not re.fullmatch(r"[01\s]+", text)


def _is_mixed(text: str) -> bool:
    """Whether upper case, lower case and digits alternate more often than in words or numbers."""
    sorts = [(c.isupper(), c.islower(), c.isdigit()) for c in text if c.isalnum()]
    changes = sum(one != other for one, other in pairwise(sorts))
    return len(set(text)) >= 8 and len(sorts) >= 0.8 * len(text) and changes >= 0.25 * len(sorts)


def is_escaped(text: str) -> bool:
    """Whether at least half of the text consists of character escapes such as `%41` or `&#65;`."""
    if not any(sign in text for sign in "=%\\&"):
        return False
    found = [len(match[0]) for match in _ANY_ESCAPE.finditer(text)]
    return len(found) >= _LEAST_ESCAPES and sum(found) >= _MOST_ESCAPED * len(text.strip())


def binary(text: str) -> bool:
    """Whether the text has NUL or too many control characters, and so is binary data."""
    found = sum(1 for _ in _UNPRINTABLE.finditer(text))
    return "\0" in text or (found >= _LEAST_CONTROLS and found >= _MOST_CONTROLS * len(text))


def _lines_of(text: str) -> list[str]:
    """Lines other than blanks, separators and row counts."""
    lines = _LINE_ENDS.split(text.strip(LEADING_BLANKS))
    return [line for line in lines if line.strip() and not _RULE.fullmatch(line)]


def delimited(text: str) -> bool:
    """Whether the text is delimited records without a header, with record numbers in a column."""
    lines = _lines_of(text)
    ruled = "|" in lines[0] and "-" in text if lines else False
    least = _LEAST_CELLS - ruled
    mark = next((m for m in _MARKS if lines and lines[0].count(m) >= least - 1), "")
    if not mark or len(lines) < _LEAST_RECORDS:
        return False
    rows = [line.split(mark) for line in lines]
    width = Counter(map(len, rows)).most_common(1)[0][0]
    even = [[cell.strip(" \"'") for cell in row] for row in rows if len(row) == width]
    if width < least or len(even) < _MOST * len(rows):
        return False
    return any(_are_numbers(column) for column in zip(*even, strict=True))


def _are_numbers(cells: Sequence[str]) -> bool:
    """Whether nearly every cell of the column is a different record number."""
    found = {cell for cell in cells if _LONG_OR_CODED_NUMBER.fullmatch(cell)}
    return len(found) >= _NUMBERED * len(cells)


def fixed_width(text: str) -> bool:
    """Whether the values of each line begin at the same characters as in the other lines."""
    lines = [line.expandtabs().rstrip() for line in _lines_of(text)]
    if len(lines) < _FEWEST_LINES or min(map(len, lines)) < _LEAST_WIDTH:
        return False
    return _are_fixed(lines[:_LOOKED_AT]) and _are_fixed(lines)


def _are_fixed(lines: Sequence[str]) -> bool:
    width = max(map(len, lines))
    if width > _MOST_UNEVEN * min(map(len, lines)):
        return False
    columns = list(zip(*(line.ljust(width) for line in lines), strict=True))
    few = len(lines) < _LEAST_LINES
    return (not few and _has_gutters(columns)) or _has_places(columns, lines, few)


def _has_gutters(columns: Sequence[Sequence[str]]) -> bool:
    """Whether blank columns separate at least three columns that most lines fill."""
    blank = "".join(" " if set(column) == {" "} else "x" for column in columns)
    values = [match.span() for match in re.finditer("x+", blank)]
    lines = len(columns[0])
    filled = sum(_filled_lines(columns[start:end]) >= _MOST * lines for start, end in values)
    widest = max((end - start for start, end in values), default=0)
    return filled >= _LEAST_COLUMNS and widest <= 0.6 * len(blank) and "x  " in blank


def _filled_lines(columns: Sequence[Sequence[str]]) -> int:
    """Return how many lines are not blank in the given columns."""
    return sum(any(char != " " for char in row) for row in zip(*columns, strict=True))


def _has_places(columns: Sequence[Sequence[str]], lines: Sequence[str], few: bool) -> bool:
    """Whether lines of about one length all have digits in the same two or more places."""
    if len(set(map(len, lines))) > 2:
        return False
    marks = "".join("9" if all(map(str.isdigit, column)) else "." for column in columns)
    runs = [len(run) for run in re.findall("9+", marks)]
    return len(runs) > 1 and sum(runs) >= 8 and (not few or max(runs) >= _LONG_NUMBER)


GRAMMARS: dict[str, Callable[[str], bool]] = {
    "segments": segments,
    "mail_headers": mail_headers,
    "encoded": encoded,
    "escaped": is_escaped,
    "binary": binary,
    "delimited": delimited,
    "fixed_width": fixed_width,
}
