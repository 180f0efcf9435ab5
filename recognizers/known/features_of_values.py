"""Features of known values and of cells, for a quick check before the full search.

A patient may have hundreds of known dates and numbers. A cell can contain one of them only if both
share a feature: the first characters as written, the last letters and digits, or a month's name.
Features are computed once for each patient's values and once for each table's cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from zlib import crc32

from recognizers.known.text import FOLDED_WORD, fold, folded_words
from safe_harbor import Identifier as I

OCR = str.maketrans("oilsbz", "011582")
LONGEST_WORD = 64
HEAD, LONG_HEAD = 4, 8
# The most values whose readings are cached: a value is checked against many groups of cells.
MOST_READ = 1 << 13
_LETTERS, _NO_DIGIT = re.compile(r"[^\W\d_]+"), re.compile(r"\D")
_DIALED_EXTENSION = re.compile(r"(?i)\s*(?:ext?\.?|extension|x)\s*\d+\s*$")
Half = tuple[int, int, str]
"""Half of a number: the length of the whole number, the position of the half, its characters."""
# Identifiers that the search also finds in forms other than their letters and digits in a row.
_SLOWLY_READ = frozenset((I.NAMES, I.PLACES, I.PHONES, I.FAXES, I.SSNS, I.EMAILS, I.URLS, I.PHOTOS))
_READ_OTHERWISE = (_SLOWLY_READ - {I.SSNS}) | {I.DATES}
# The first character of a feature names its kind.
_BEGUN, _RUN, _WORD, _END, _PART = "h", "r", "w", "e", "p"


@dataclass(frozen=True, slots=True)
class ValueReading:
    """What prefilters look up about a value. The `repr` hides the value.

    `written` is the casefolded value, `squeezed` joins its `words`, `number` is `squeezed` with
    letters that OCR misreads turned to digits; `letters` are the words that are not numbers.
    """

    written: str = field(repr=False)
    words: tuple[str, ...] = field(repr=False)
    letters: tuple[str, ...] = field(repr=False)
    squeezed: str = field(repr=False)
    number: str = field(repr=False)


@lru_cache(maxsize=MOST_READ)
def read_value(value: str) -> ValueReading:
    """Read a value. Readings are cached, because a value is looked up in many groups of cells."""
    words = tuple(folded_words(value))
    letters = tuple(word for word in words if not word[0].isdigit())
    squeezed = "".join(words)
    return ValueReading(value.casefold(), words, letters, squeezed, squeezed.translate(OCR))


@lru_cache(maxsize=MOST_READ)
def number_forms(identifier: I, value: str) -> frozenset[str]:
    """The forms of a number with misread letters as digits; long forms are cut to their start."""
    words = read_value(value).words
    forms = {"".join(words[cut:]) for cut in range(len(words))}
    if identifier in (I.PHONES, I.FAXES):
        dialled = _NO_DIGIT.sub("", fold(_DIALED_EXTENSION.split(value)[0])).lstrip("0")
        forms |= {dialled[cut:] for cut in range(4)} | {dialled[-7:], dialled[-10:]}
        forms |= {f"1{form}" for form in forms}
    forms |= {form.lstrip("0") for form in forms}
    told = (f for f in forms if len(f) > HEAD or (len(f) == HEAD and not f.isdigit()))
    return frozenset(form.translate(OCR)[:LONGEST_WORD] for form in told)


def begins_as_code(identifier: I, read: ValueReading) -> bool:
    """Whether the value is a code, which only a cell with the start of one of its forms can
    contain.

    Exception: a run of digits longer than `LONGEST_WORD`, in which one digit may be wrong.
    """
    return identifier not in _READ_OTHERWISE and len(read.letters) < len(read.words)


def halves(number: str) -> tuple[Half, Half]:
    """Return both halves of a number; one digit wrong, or two exchanged, leave one half intact."""
    half = len(number) // 2
    return (len(number), 0, number[:half]), (len(number), 1, number[half:])


def value_features(identifier: I, part: str, value: str) -> tuple[str, ...] | None:
    """The features of a value; every cell that contains the value has one of them.

    If the result is None, the value has no features and is always searched for. Every form of a
    number begins at a word of the number, or after the zeros there, and ends with its last letter
    or digit.
    """
    if identifier in _SLOWLY_READ or part in ("comment", "birth"):
        return None
    folded = fold(value)
    words = FOLDED_WORD.findall(folded)
    squeezed = "".join(words)
    if not HEAD <= len(squeezed) <= LONGEST_WORD or not any(map(str.isdigit, squeezed)):
        return None
    written = value.casefold()
    head = _BEGUN + written[: LONG_HEAD if len(written) >= LONG_HEAD else HEAD]
    read = squeezed.translate(OCR)
    if identifier is I.DATES:
        return head, _RUN + read, *(_WORD + word for word in _LETTERS.findall(folded))
    if len(_NO_DIGIT.sub("", squeezed)) == HEAD:
        return None
    parts = {read[start : start + HEAD] for start in _beginnings(words, squeezed)}
    return head, _END + read[-HEAD:], *(_PART + p for p in sorted(parts) if _is_half(p))


def _beginnings(words: Sequence[str], squeezed: str) -> Iterator[int]:
    """The offsets at which forms of a number begin (`number_forms`)."""
    start = 0
    for word in words:
        yield start
        if word[0] == "0":
            yield len(squeezed) - len(squeezed[start:].lstrip("0"))
        start += len(word)


def _is_half(part: str) -> bool:
    return len(part) == HEAD and part.isdigit()


def written_features(raw: str) -> Iterator[str]:
    """The features at every offset of the casefolded cells where a value may begin."""
    for size in (HEAD, LONG_HEAD):
        for place in range(len(raw) - size + 1):
            yield _BEGUN + raw[place : place + size]


def run_features(run: str) -> Iterator[str]:
    """The features of a run of letters and digits, with at least one digit, in a cell."""
    yield _RUN + run
    yield _END + run[-HEAD:]
    if len(run) > 7 and run.isdigit():
        yield _PART + run[:HEAD]


def word_feature(word: str) -> str:
    """The feature of a word in a cell."""
    return _WORD + word


def feature_hash(feature: str) -> int:
    """A feature in 32 bits; a collision only costs an extra check."""
    return crc32(feature.encode("utf-8", "surrogatepass"))
