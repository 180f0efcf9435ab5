"""The words for sex, for race and for unknown values, from `words.csv`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from risk.packaged import packaged_rows

_CODE = re.compile(r"\b\d{4}-\d\b")


def canonical(value: object) -> str | None:
    """Return a value as text, so that 1970, 1970.0 and " 1970 " are equal.

    The result is None if the value is missing.
    """
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value).strip()
    return text[:-2] if re.fullmatch(r"\d+\.0", text) else text


@cache
def meanings_of(kind: str) -> dict[str, str]:
    """The words of a kind, and the meaning of each."""
    rows = packaged_rows("risk.spellings", "words.csv")
    return {row["word"]: row["meaning"] for row in rows if row["kind"] == kind}


def parse_sex(value: object) -> str | None:
    """Return M or F; for another word, the text itself."""
    text = canonical(value)
    return None if text is None else meanings_of("sex").get(text.lower(), text)


def parse_race(value: object) -> str | None:
    """One of white, black, aian, asian, nhpi, other, multi, hispanic; None for an unknown word."""
    return _meaning("race", value)


def races_of(value: object) -> frozenset[str] | None:
    """The races that a word for several races stands for; None for any other word."""
    found = _meaning("races", value)
    return None if found is None else frozenset(found.split())


def says_nothing(value: object) -> bool:
    """Whether a value is missing, suppressed, or a word such as Unknown, Declined or U."""
    text = canonical(value)
    if text is None or not text.strip("*?.-_ "):
        return True
    return re.sub(r"[^a-z0-9]", "", text.lower()) in meanings_of("unknown")


def _meaning(kind: str, value: object) -> str | None:
    """The meaning of a word, or of the OMB code that it contains."""
    text = canonical(value)
    if text is None:
        return None
    known = meanings_of(kind)
    if (code := _CODE.search(text)) and code[0] in known:
        return known[code[0]]
    return known.get(re.sub(r"[^a-z]", "", text.lower()))


def spelling_variants(values: Iterable[object]) -> int:
    """How many values differ from another one only in spaces, case, Unicode form or a trailing
    `.0`."""
    seen: set[str] = set()
    total = 0
    for value in values:
        if value is None:
            continue
        total += 1
        text = str(value)
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text)
        if text.endswith((".0", " ")):
            text = canonical(text) or ""
        seen.add(" ".join(text.split()).casefold())
    return total - len(seen)
