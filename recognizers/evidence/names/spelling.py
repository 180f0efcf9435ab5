"""Names that a caller spells out: `that is C O P E`, `s-u-g-a-r, like the disease`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from recognizers.evidence.matching import Hit, matches
from recognizers.evidence.names.word_evidence import NEVER_NAMES, SHORT_FORMS, STOPS
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

SPELLED_LETTERS = (
    r"(?:^|[^A-Za-z0-9'.-])"
    r"((?:[A-Z] ){3,14}[A-Z]|(?:[A-Z]-){3,14}[A-Z]|(?:[a-z] ){3,14}[a-z]|(?:[a-z]-){3,14}[a-z])"
    r"(?:[^A-Za-z0-9'-]|\z)"
)
SAID = re.compile(
    r"(?i)(?:\bspell(?:s|ed|ing|ings)?\b|\b(?:last|first|middle|sur|maiden) ?name\b|\bthat'?s?(?: is)?\b|\bname is\b|\bas in\b|\bdr\b|\bmr\b|\bmrs\b|\bms\b)[^\n]{0,24}$"  # noqa: E501
)

SAID_AFTER = re.compile(r"(?i)[,.]? ?(?:(?:first|last) name\b|[^\n]{0,16}\bspell)")


def spelled(page: NormalizedText) -> Iterator[Hit]:
    """Single letters that the text announces as a spelling, or that together make a name."""
    words: list[str] | None = None
    for start, end in matches(SPELLED_LETTERS, page):
        whole = re.sub(r"[ -]", "", page.text[start:end]).lower()
        if whole in STOPS or whole in NEVER_NAMES or whole in SHORT_FORMS:
            continue
        if words is None:
            words = sorted(set(re.findall(r"[a-z]{4,}", page.text.lower())))
        said = SAID.search(page.left(start)) or SAID_AFTER.match(page.right(end))
        if said or is_known_spelling(whole, words):
            yield Hit(start, end, "PERSON", 0.92, "spelled out")


def is_known_spelling(whole: str, words: Sequence[str]) -> bool:
    """Whether `whole` is a name and not a word, or the start of a name among the sorted `words`."""
    borne = gazetteers.surname(whole) or gazetteers.first_name(whole)
    if borne and gazetteers.common_word(whole) < 20:
        return True
    begun = words[bisect_left(words, whole) : bisect_left(words, whole + "~")]
    return any(
        gazetteers.surname(w) or not gazetteers.common_word(w) for w in begun if w != whole or borne
    )
