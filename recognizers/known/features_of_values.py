"""The features of a known value that a quick look goes by, and what cells show of them.

A date or a number, of which a patient has hundreds, is found in a cell only if the two share a
feature: how the value begins as it is written, how its letters and digits end, a month's name. The
features of a patient's values are computed once, those of cells once for each table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from zlib import crc32

from recognizers.known.text import fold
from safe_harbor import Identifier as I

OCR = str.maketrans("oilsbz", "011582")
LONGEST_WORD = 64
HEAD, LONG_HEAD = 4, 8
_BETWEEN, _LETTERS, _NO_DIGIT = re.compile(r"[\W_]+"), re.compile(r"[^\W\d_]+"), re.compile(r"\D")
# What is found by more than its letters and digits in a row.
_SLOWLY_READ = frozenset((I.NAMES, I.PLACES, I.PHONES, I.FAXES, I.SSNS, I.EMAILS, I.URLS, I.PHOTOS))
# Each feature begins with its kind.
_BEGUN, _RUN, _WORD, _END, _PART = "h", "r", "w", "e", "p"


def value_features(identifier: I, part: str, value: str) -> list[str] | None:
    """The features of a value, one of which a cell shows that the value is found in.

    None: the value has none and is always asked about. Whatever is read of a number begins at one
    of its letters or digits and ends with its last.
    """
    if identifier in _SLOWLY_READ or part in ("comment", "birth"):
        return None
    folded = fold(value)
    squeezed = _BETWEEN.sub("", folded)
    if not HEAD <= len(squeezed) <= LONGEST_WORD or not any(map(str.isdigit, squeezed)):
        return None
    written = value.casefold()
    head = _BEGUN + written[: LONG_HEAD if len(written) >= LONG_HEAD else HEAD]
    read = squeezed.translate(OCR)
    if identifier is I.DATES:
        return [head, _RUN + read, *(_WORD + word for word in _LETTERS.findall(folded))]
    if len(_NO_DIGIT.sub("", squeezed)) == HEAD:
        return None
    parts = (read[i : i + HEAD] for i in range(len(read) - HEAD + 1))
    return [head, _END + read[-HEAD:], *(_PART + some for some in parts if some.isdigit())]


def written_features(raw: str) -> Iterator[str]:
    """What may be the beginning of a value in cells, casefolded, as they are written."""
    for size in (HEAD, LONG_HEAD):
        for place in range(len(raw) - size + 1):
            yield _BEGUN + raw[place : place + size]


def run_features(run: str) -> Iterator[str]:
    """The features of letters and digits in a row, with a digit, that stand in a cell."""
    yield _RUN + run
    yield _END + run[-HEAD:]
    if len(run) > 7 and run.isdigit():
        yield _PART + run[:HEAD]


def word_feature(word: str) -> str:
    """The feature of a word in a cell."""
    return _WORD + word


def feature_hash(feature: str) -> int:
    """A feature in 32 bits; one that is taken for another costs a question more."""
    return crc32(feature.encode("utf-8", "surrogatepass"))
