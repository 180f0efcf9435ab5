"""Known employers, schools, facilities, towns and counties, in full or shortened."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from recognizers.known.text import Text, folded_words
from recognizers.words.folder import WORDS
from recognizers.words.word_lists import (
    EPONYM_NOUNS,
    EPONYMS,
    common_words,
    is_common,
    is_word,
    read_words,
)
from safe_harbor import csv_rows


def _abbreviations() -> dict[str, str]:
    path = WORDS / "known" / "abbreviations.csv"
    rows = csv_rows(path)
    return {row["long"]: row["short"] for row in rows}


_CANON = _abbreviations()
FILLERS = frozenset(re.findall(r"\w+", "and of the for at de la le du des y et a an in on s"))
GENERIC = read_words("generic")
STATE_WORDS = read_words("states")
ORGANIZATION_WORDS = read_words("organizations")
SURE_ORGANIZATION_WORDS = read_words("sure_organizations")
EVERYDAY_RANK = 4_000
"""A town whose name is a word of at most this rank is not found at the start of a sentence."""
_GAP_IN_ORGANIZATION = re.compile(r"[ \t.,&'’/+\-]{0,4}\n?[ \t]{0,4}")


def canon(word: str) -> str:
    """The usual abbreviation of a word in an address or firm name, or the word itself."""
    return _CANON.get(word, word)


def same_word(known: str, written: str, *, dotted: bool = False) -> bool:
    """Whether a written word may stand for a known word: equal, abbreviated or shortened."""
    if known == written or canon(known) == canon(written):
        return True
    if len(written) > len(known) > 5 and not is_word(known):
        known, written = written, known
    if len(written) < (2 if dotted else 3) or len(written) >= len(known) or known[0] != written[0]:
        return False
    letters = iter(known)
    if not all(c in letters for c in written):
        return False
    return dotted or known.startswith(written) or not is_word(written)


def light_gap(text: Text, i: int) -> bool:
    """Whether the text between tokens `i` and `i + 1` allows that they belong to one name."""
    return bool(_GAP_IN_ORGANIZATION.fullmatch(text.gap(i)))


@dataclass(frozen=True, slots=True)
class Phrase:
    """The folded words of the name of a place or organization."""

    words: tuple[str, ...] = field(repr=False)
    entity: str

    @classmethod
    def of(cls, value: str, entity: str) -> Phrase | None:
        """The phrase of a value; None if the value has no words."""
        words = tuple(w for w in folded_words(value) if w not in FILLERS)
        return cls(words, entity) if words else None


@dataclass(frozen=True, slots=True)
class _Run:
    start: int
    stop: int
    matched: int
    first: int
    last: int
    words: tuple[str, ...]


class PhraseFinder:
    """Align the words of known names with the words of a text; linear in the text."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._starts: dict[str, list[tuple[Phrase, int, int]]] = defaultdict(list)
        self._acronyms: dict[str, Phrase] = {}
        for phrase in dict.fromkeys(phrases):
            words = phrase.words
            for k, word in enumerate(words):
                if phrase.entity in {"EMPLOYER", "FACILITY"} or k == 0:
                    self._starts[canon(word)[:2]].append((phrase, k, k + 1))
            initials = "".join(word[0] for word in words)
            if phrase.entity in {"EMPLOYER", "FACILITY"}:
                for n in range(2, len(words)):
                    self._starts[initials[:n]].append((phrase, 0, n))
                if len(words) > 3:
                    self._acronyms[initials] = phrase

    def find(self, text: Text) -> list[tuple[int, int, str]]:
        """Token ranges with their entity: the longest match at each token."""
        found: list[tuple[int, int, str]] = []
        done = 0
        for i, word in enumerate(text.words):
            if i < done or (len(word) < 2 and word not in self._starts):
                continue
            best: tuple[int, str] | None = None
            for phrase, k, nxt in self._starts.get(canon(word)[:2], []) + (
                self._starts.get(word, []) if len(word) > 2 else []
            ):
                run = self._align(text, i, phrase, k, nxt)
                if run and self._accept(text, run, phrase) and (best is None or run.stop > best[0]):
                    best = run.stop, phrase.entity
            if (
                best is None
                and word in self._acronyms
                and text.shape(i) == "U"
                and not is_word(word)
            ):
                best = i + 1, self._acronyms[word].entity
            if best:
                done = self._extended(text, *best)
                best = done, best[1]
                found.append((i, done, best[1]))
        return found

    @staticmethod
    def _extended(text: Text, stop: int, entity: str) -> int:
        """The end of a firm's name, including a word like `Works` that the known name lacks."""
        if (
            entity in {"CITY", "COUNTY"}
            or stop >= len(text)
            or text.gap(stop - 1) not in {" ", "\n"}
        ):
            return stop
        kind = text.words[stop] in ORGANIZATION_WORDS or canon(text.words[stop]) in {
            "co",
            "inc",
            "hosp",
        }
        return stop + (kind and text.shape(stop) != "l")

    @staticmethod
    def _align(text: Text, i: int, phrase: Phrase, k: int, nxt: int) -> _Run | None:
        words = phrase.words
        acronym = nxt - k > 1
        if acronym:
            if text.words[i] != "".join(w[0] for w in words[k:nxt]) or text.shape(i) != "U":
                return None
        elif not _matches(text, i, words[k]):
            return None
        stop, matched, position, seen = i + 1, 1, nxt, [text.words[i]]
        j = i + 1
        while j < len(text) and position < len(words) and light_gap(text, j - 1):
            if text.words[j] in FILLERS and j + 1 < len(text):
                j += 1
                continue
            ahead = next(
                (
                    q
                    for q in range(position, min(position + 3, len(words)))
                    if _matches(text, j, words[q])
                ),
                -1,
            )
            if ahead < 0:
                break
            position, matched, stop = ahead + 1, matched + 1, j + 1
            seen.append(text.words[j])
            j += 1
        if acronym and matched < 2:
            return None
        return _Run(i, stop, matched + (nxt - k - 1) * acronym, k, position, tuple(seen))

    def _accept(self, text: Text, run: _Run, phrase: Phrase) -> bool:
        size = len(phrase.words)
        raised = text.lower_case or all(
            text.shape(i) != "l" or text.words[i] in FILLERS for i in range(run.start, run.stop)
        )
        if phrase.entity in {"CITY", "COUNTY"}:
            return run.matched == size and self._is_town(text, run, phrase, raised)
        if not raised:
            return run.matched == size > 1 and not all(is_common(word) for word in run.words)
        telling = [
            w for w in run.words if canon(w) not in GENERIC and w not in GENERIC and len(w) > 1
        ]
        if run.matched == size and size > 1:
            return True
        if run.matched >= 2:
            return bool(telling)
        word = run.words[0]
        only = bool(telling) and run.first == 0 and len(word) > 3 and word not in STATE_WORDS
        return only and not is_word(word) and text.words[run.start] == phrase.words[0]

    @staticmethod
    def _is_town(text: Text, run: _Run, phrase: Phrase, raised: bool) -> bool:
        word = run.words[0]
        if len(phrase.words) > 1:
            return raised or not all(is_common(w) for w in run.words)
        if word != phrase.words[0]:
            return False
        if word in EPONYMS and run.stop < len(text) and text.words[run.stop] in EPONYM_NOUNS:
            return False
        if not is_common(word):
            return raised or not is_word(word)
        if raised and common_words()[word] > EVERYDAY_RANK and phrase.entity == "CITY":
            return True
        if not raised or text.shape(run.start) == "l":
            return False
        after = text.words[run.stop] if run.stop < len(text) else ""
        before = text.words[run.start - 1] if run.start else ""
        if phrase.entity == "COUNTY":
            return after in {"county", "co", "parish", "borough"}
        return (
            not text.starts_sentence(run.start)
            or before in {"in", "from", "of", "at", "to", "near"}
            or "," in text.original[text.ends[run.start] : text.ends[run.start] + 1]
        )


def _matches(text: Text, i: int, known: str) -> bool:
    dotted = text.original[text.ends[i] : text.ends[i] + 1] == "."
    return same_word(known, text.words[i], dotted=dotted)
