"""The value that a label announces: to its right, or in the column below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.matching import matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.gazetteers import plain_list

# The value of an identifier: pieces of letters and digits, with at least one digit.
ID = (
    r"(?:(?:[A-Z]{1,6}|[a-z])[-/_. ]{1,2}){0,3}[A-Za-z]{0,8}\d[A-Za-z0-9]*"
    r"(?:[-/._^][A-Za-z0-9]+)*(?: {1,2}\d[A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+)*| [A-Z]{1,2}\b)*"
)
# The text that may separate a label from its value.
LINK = (
    r"(?:[ ]?(?:#s?|nos?\b\.?|num(?:ber)?s?\b|id\b|ids\b|code\b|is\b|was\b|of\b|ending(?: in)?\b|"
    r"ends(?: in)?\b|last ?(?:4|four)\b|digits\b|\(s\)|\([A-Za-z .]{1,14}\))[ .:]{0,2}){0,4}"
    r"[ \t]*[:=#>~*_\"|.\-]{0,4}[ \t_*#\"'(\[]{0,30}"
)
GLUED_VALUE = r"\d[A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+)*"
HEADER_START, HEADER_END = r"(?:^|[\t|\n]|  )[ *_#]*", r"[ :.#*_]*(?:$|[\t|\n\r]|  )"


def beside_label(words: str, value: str) -> str:
    """The expression for a value to the right of its label."""
    return rf"(?i:\b(?:{words})(?:\b|s\b|[^A-Za-z0-9\n])){LINK}({value})"


def glued_to_label(words: str) -> str:
    """The expression for a number that follows its label without a blank."""
    return rf"(?i:\b(?:{words}))({GLUED_VALUE})\b"


def header(words: str) -> str:
    """The expression for a label that is the whole content of its cell."""
    return rf"(?i){HEADER_START}((?:{words})[ ]?(?:#|no\.?|number|id)?){HEADER_END}"


def below_header(words: str, value: str, page: NormalizedText) -> Iterator[tuple[int, int]]:
    """The values in the column under a label, up to the first cell that holds no value."""
    shape = re.compile(rf"[ _*#]*({value})")
    for head in matches(header(words), page):
        for left, right in page.below(*head):
            match = shape.match(page.text, left, right)
            if not match:
                break
            yield match.span(1)


def cut_to_value(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of an identifier without the words, days and ages beside it.

    The result is empty if nothing is left, or if the value is a result (`QRS 128`).
    """
    start = after_field_words(text, start, end)
    end = without_neighbors(text, start, before_day(text, start, end))
    return (start, start) if is_result(text[start:end]) else (start, end)


RESULT_AFTER = re.compile(r"([A-Z]{2,6}) +\d{1,3}(?:\.\d+)?")
HAPPENED = re.compile(
    r"(?:LEFT|AVAIL|CALLED|MADE|SENT|SEEN|DONE|BACK|HERE|AT|BY|TO) +(?:[01]\d|2[0-3])[0-5]\d"
)


def is_result(value: str) -> bool:
    """Whether the value is a clinical abbreviation with its result: `visit, QRS 128`."""
    if HAPPENED.fullmatch(value):
        return True
    match = RESULT_AFTER.fullmatch(value)
    return match is not None and match.group(1).lower() in plain_list("names/short_forms")


FIELD_WORD = re.compile(r"([A-Za-z]+)[ .:#]+")


def after_field_words(text: str, start: int, end: int) -> int:
    """Return where an identifier starts, after any words of another label."""
    words = plain_list("columns/field_words")
    while word := FIELD_WORD.match(text, start, end):
        if word.group(1).lower() not in words:
            break
        start = word.end()
    return start


DAY_INSIDE = re.compile(
    r"(?:\d{1,2} {1,2})?(?<![^ ])\d{1,2}(?:/\d{1,2}(?:/\d{2,4})?|\.\d{1,2}\.\d{2,4})(?= )"
)


def before_day(text: str, start: int, end: int) -> int:
    """Return where an identifier ends before a day: `visit 10/12 0900`."""
    match = DAY_INSIDE.search(text[start : end + 1])
    return start + match.start() if match else end


def without_neighbors(text: str, start: int, end: int) -> int:
    """Return where an identifier ends, without the age, sex, date or measure beside it."""
    while end > start:
        value, rest = text[start:end], text[end : end + 6]
        last = value.rsplit(" ", 1)
        if len(last) == 2 and is_neighbor(last[1], rest):
            end -= len(last[1]) + 1
            continue
        bare = value.rstrip(" .,;:/_-")
        if len(bare) == len(value):
            break
        end = start + len(bare)
    return end


NEIGHBOR = re.compile(
    r"\d{1,2}/\d{1,2}(/\d{2,4})?|[A-Z]{1,2}|\d{1,3}[MFmf]|\d{1,3}[yY][oO]?|\d{1,2}:\d\d"
)
MEASURED = re.compile(r"[ -]?(?:y|[MFmf]\b|x\b|mg|:\d)")


def is_neighbor(piece: str, rest: str) -> bool:
    """Whether the last piece of a value is an age, a sex, a day or a measure."""
    return bool(NEIGHBOR.fullmatch(piece) or (piece.isdigit() and MEASURED.match(rest)))
