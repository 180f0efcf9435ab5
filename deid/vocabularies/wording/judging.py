"""Judge whether a text may be released unchanged, because its words identify no person.

A `Use` says how the texts of one kind are read and which checks refuse them. For every use, a text
is judged in the same order: whether it is published, by its length, as a whole, and by its words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deid.vocabularies.wording.readings import TextWord

# Why a text may be released, and why not.
APPROVED = {
    "published": "a published list has the whole text",
    "words": "each word is on a list, and no words together name anybody",
}
REFUSED = {
    "length": "is longer than any text of its kind",
    "shape": "holds a date, a number of a person or another form of an identifier",
    "unread": "has characters or a number of words that no text of its kind has",
    "unlisted": "has a word that is on no list, or that is likelier a name",
    "number": "has numbers that may tell a day, an age over 89 or a person",
    "person": "has words that together may name a person",
    "place": "has words that together may name a town, a street or a facility",
}
UNLIMITED = 1 << 30
TextWords = Sequence[TextWord]
TextCheck = tuple[str, Callable[[str], bool]]
WordsCheck = tuple[str, Callable[[TextWords], bool]]


@dataclass(frozen=True, slots=True)
class Judgment:
    """Whether a text identifies no person; `reason` is a key of `APPROVED` or `REFUSED`."""

    reason: str

    @property
    def names_nobody(self) -> bool:
        """Whether the text may be released unchanged."""
        return self.reason in APPROVED


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Use:
    """How the texts of one kind are read and judged.

    `read` splits a text into words; it returns None for a character that no such text has. A text
    without words is approved only if `needs_words` is not set. `bare` takes published parts away
    first, and `is_published` knows whole texts. Each check is a pair: a reason, and a function that
    returns whether the check refuses the text or its words.
    """

    read: Callable[[str], TextWords | None]
    of_words: tuple[WordsCheck, ...]
    of_text: tuple[TextCheck, ...] = ()
    bare: Callable[[str], str] = str
    is_published: Callable[[str], bool] = lambda _: False
    longest: int = UNLIMITED
    needs_words: bool = False


@lru_cache(maxsize=1 << 16)
def judge_words(text: str, use: Use) -> Judgment:
    """Return whether the words of the text identify no person, and the check that decided."""
    text = use.bare(text)
    if use.is_published(text):
        return Judgment("published")
    if len(text) > use.longest:
        return Judgment("length")
    if (refused := next((why for why, refuses in use.of_text if refuses(text)), None)) is not None:
        return Judgment(refused)
    words = use.read(text)
    if words is None or (use.needs_words and not words):
        return Judgment("unread")
    return Judgment(next((why for why, refuses in use.of_words if refuses(words)), "words"))


def names_nobody(text: str, *uses: Use) -> bool:
    """Whether the text may be released unchanged in one of the uses."""
    return any(judge_words(text, use).names_nobody for use in uses)
