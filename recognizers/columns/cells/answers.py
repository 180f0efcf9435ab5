"""Lists of answers in clinical and administrative columns: rhythms, positions, makers.

Many answers are short (`ST`, `NS`, `PAT`) and some are names (`Cook`), so a list alone is weak
evidence. Nearly all cells of the column must be on one list, and either the header must suggest
that list or the answers must be too long for initials.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.scores import parted_humps
from recognizers.columns.cells.shapes import is_filler_value, is_listed
from recognizers.words.folder import WORDS
from recognizers.words.gazetteers import first_name, surname
from safe_harbor import csv_rows

LEAST_ROWS, LEAST_OWN, NEARLY_ALL = 5, 0.5, 0.99
# Initials have at most three letters. A name may be a person's if log2 of the number of its bearers
# is at least this.
INITIALS, BORNE = 3, 12
_ANSWERS_APART = re.compile(r"\s*[,;|&^+]\s*")
MAKER_LISTS = frozenset(["vaccine_maker", "device_maker"])
NO_LIST: frozenset[str] = frozenset()
_HEADER_WORDS = re.compile(r"[a-z]+\d*")
# Amounts beside an answer: `NS @ 75`, `2L NC`, `40% VM`.
_AMOUNT_BESIDE = re.compile(
    r"(?:@\s*)?(?<![\w.])\d{1,3}(?:\.\d)?\s?(?:lpm|l/min|l|%|ml/hr?|cc/hr?)(?!\w)|@\s*\d{1,3}(?!\d)"
)


@lru_cache(maxsize=1)
def _answers() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return, by list name, the header words that suggest a list, and its answers in lower case."""
    return {
        row["list"]: (
            frozenset(row["headers"].split("|")),
            frozenset(row["values"].split("|")),
        )
        for row in csv_rows(WORDS / "columns" / "answers.csv")
    }


@lru_cache(maxsize=1)
def _lists_by_answer() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, (_, values) in _answers().items():
        for value in values:
            found.setdefault(value, set()).add(name)
    return {value: frozenset(names) for value, names in found.items()}


@lru_cache(maxsize=1)
def _long_answers() -> frozenset[str]:
    lists = (values for name, (_, values) in _answers().items() if name not in MAKER_LISTS)
    return frozenset(v for values in lists for v in values if not _may_be_called(v))


def is_answer_list(name: str) -> bool:
    """Whether there is a list of answers of this name."""
    return name in _answers()


def is_answer(name: str, value: str) -> bool:
    """Whether the list `name` has the cell; if the cell has several values, it must have each."""
    return name in _lists_of(value)


@remembered
def _lists_of(value: str) -> frozenset[str]:
    """Return the lists that have the cell, each of its values, or the cell without its amounts."""
    known = _lists_by_answer()
    text = " ".join(value.casefold().split())
    parts = [known.get(part, NO_LIST) for part in _ANSWERS_APART.split(text)]
    bare = " ".join(_AMOUNT_BESIDE.sub(" ", text).split())
    return known.get(text, NO_LIST).union(frozenset.intersection(*parts), known.get(bare, NO_LIST))


@remembered
def is_long_answer(value: str) -> bool:
    """Whether the cell is on a list, but is not a maker and cannot be a name or initials."""
    return " ".join(value.casefold().split()) in _long_answers()


def answer_list(
    header: str, seen: Sequence[str], *, told_only: bool = False, of_names: bool = False
) -> str | None:
    """Return the name of the list that has nearly all cells of the column; None without such a
    list.

    With `told_only`, only lists that the header suggests are tried. The answers may include flags,
    but half of the distinct values must be on the list, and one of them must not be a flag. With
    `of_names` (the header names persons), cells that may be initials rule out every list except the
    credentials.
    """
    different = frozenset(seen)
    if not different or (len(seen) < LEAST_ROWS and len(different) < 2):
        return None
    often = Counter(name for value in different for name in _lists_of(value))
    names = [name for name in _answers() if often[name] >= LEAST_OWN * len(different)]
    if not names:
        return None
    words = frozenset(_HEADER_WORDS.findall(parted_humps(header).casefold()))
    words |= {word.rstrip("0123456789") for word in words}
    told = {name for name in names if not words.isdisjoint(_answers()[name][0])}
    if told_only or not _are_nobodys(different):
        names = [name for name in names if name in told]
    for name in sorted(names, key=lambda name: name not in told):
        if all(is_listed("flag", v) for v in different if is_answer(name, v)):
            continue
        if of_names and name != "credential" and any(map(_are_few_letters, different)):
            continue
        on_list = sum(is_answer(name, v) or is_listed("flag", v) for v in seen)
        if on_list >= NEARLY_ALL * len(seen):
            return name
    return None


def _are_nobodys(different: frozenset[str]) -> bool:
    """Whether few of the distinct values may be names or initials, and not all are placeholders."""
    called = sum(map(_may_be_called, different))
    return called < LEAST_OWN * len(different) and not all(map(is_filler_value, different))


def _are_few_letters(value: str) -> bool:
    """Whether the value has no digits and at most three letters: `CR`, `M.D.`."""
    letters = sum(map(str.isalpha, value))
    return 0 < letters <= INITIALS and not any(map(str.isdigit, value))


@remembered
def _may_be_called(value: str) -> bool:
    bare = [word for word in re.findall(r"[^\W\d_]+", value) if len(word) > 1]
    if " " in value.strip() or "_" in value or "-" in value:
        return False
    short = not bare or max(map(len, bare)) <= INITIALS
    return short or any(max(first_name(word), surname(word)) >= BORNE for word in bare)
