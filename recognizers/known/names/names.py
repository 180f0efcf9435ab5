"""Find in a text the known names of a patient and of the people around them."""

from __future__ import annotations

import re

from recognizers.known.names.initials import InitialFinder
from recognizers.known.names.marks import Mark, MarkReader
from recognizers.known.names.people import EXACT, NEAR, NICK, OWNED, NameIndex
from recognizers.known.text import Text
from recognizers.words.word_lists import (
    EPONYM_NOUNS,
    EPONYMS,
    FUNCTION_WORDS,
    KIN,
    PARTICLES,
    SUFFIXES,
    TITLES,
    is_common,
    is_word,
    read_words,
)

_GAP_IN_NAME = re.compile(r"[\s,.\-'’\"“”()/&*_|]{0,8}")
_DEGREES = frozenset(("md", "do", "rn", "np", "pa", "jd", "ph", "od"))
# A lower-case possessive of at most this many letters (`dos`, `mas`) is a word in some language.
_LEAST_OWNED = 4
_PERSON_VERBS = read_words("person_verbs")


class NameFinder:
    """Find every form of the indexed names; linear in the text."""

    def __init__(self, index: NameIndex) -> None:
        self._index = index
        self._reader = MarkReader(index)
        self._initials = InitialFinder(index)

    def find(self, text: Text) -> list[tuple[int, int]]:
        """Spans of names in the original text, in order, then spans of initials."""
        if not self._index.persons:
            return []
        marks = self._reader.marks(text)
        spans: list[tuple[int, int]] = []
        for chain in self._chains(text, marks):
            spans += self._settle(text, chain)
        return spans + self._initials.find(text)

    def _bridge(self, text: Text, left: int, right: int) -> bool:
        """Whether the text between tokens `left` to `right` allows that they belong to one name."""
        for i in range(left, right):
            gap = text.gap(i)
            if not _GAP_IN_NAME.fullmatch(gap) or gap.count("\n") > 1:
                return False
            word = text.words[i]
            if "." in gap and len(word) > 1 and word not in SUFFIXES and word not in PARTICLES:
                return False
        return True

    def _between(self, text: Text, persons: frozenset[int], first: int, stop: int) -> bool:
        letters = {c for p in persons for c in self._index.persons[p].letters}
        if stop == first + 1 and {text.gap(first - 1)[-1:], text.gap(first)[:1]} <= {
            '"',
            "(",
            ")",
            "'",
        }:
            return True
        return stop - first <= 3 and all(
            word in PARTICLES or word in SUFFIXES or (len(word) == 1 and word in letters)
            for word in text.words[first:stop]
        )

    def _chains(self, text: Text, marks: list[Mark]) -> list[list[Mark]]:
        chains: list[list[Mark]] = []
        shared: frozenset[int] = frozenset()
        for mark in marks:
            if chains:
                last = chains[-1][-1]
                common = shared & mark.persons
                if (
                    common
                    and self._between(text, common, last.stop, mark.first)
                    and self._bridge(text, last.stop - 1, mark.first)
                ):
                    chains[-1].append(mark)
                    shared = common
                    continue
            chains.append([mark])
            shared = mark.persons
        return chains

    def _letters_beside(self, text: Text, chain: list[Mark]) -> tuple[int, int]:
        """The token range of a chain, extended by initials and suffixes of the same person."""
        persons = frozenset.intersection(*(mark.persons for mark in chain))
        letters = {c for p in persons for c in self._index.persons[p].letters}
        suffixes = {s for p in persons for s in self._index.persons[p].suffix} | {"jr", "sr"}
        first, stop = chain[0].first, chain[-1].stop
        while first > 0 and self._leads(text, first - 1, persons, letters):
            first -= 1
        while stop < len(text) and self._bridge(text, stop - 1, stop):
            if self._is_degree(text, stop):
                break
            if text.words[stop] in suffixes or self._is_initial(text, stop, letters, left=False):
                stop += 1
            else:
                break
        return first, stop

    @staticmethod
    def _is_degree(text: Text, i: int) -> bool:
        """Whether a degree like `M.D.`, and not an initial, begins at token `i`."""
        return (
            i + 1 < len(text)
            and text.gap(i) == "."
            and text.words[i] + text.words[i + 1] in _DEGREES
        )

    def _leads(self, text: Text, i: int, persons: frozenset[int], letters: set[str]) -> bool:
        """Whether a token belongs to the name after it: an initial, or `van` before a surname."""
        word = text.words[i]
        if word in PARTICLES and len(word) > 1 and text.gap(i).strip() == "":
            return any(word in self._index.persons[p].surname for p in persons)
        return self._is_initial(text, i, letters, left=True)

    def _is_initial(self, text: Text, i: int, letters: set[str], *, left: bool) -> bool:
        word = text.words[i]
        if len(word) != 1 or word not in letters:
            return False
        gap = text.gap(i) if left else text.gap(i - 1)
        if not re.fullmatch(r"\.?[\s\-'’]{0,3}" if left else r"[\s,.\-]{0,3}", gap):
            return False
        before = text.gap(i - 1) if i else ""
        if "'" in before or "’" in before:
            return False
        upper = text.original[text.starts[i]].isupper()
        if not upper and "," in gap:
            return False
        return upper or (not left and text.lower_case)

    def _settle(self, text: Text, chain: list[Mark]) -> list[tuple[int, int]]:
        while len(chain) > 1 and self._is_stray(text, chain):
            chain = chain[:-1]
        first, stop = self._letters_beside(text, chain)
        initials = (chain[0].first - first) + (stop - chain[-1].stop)
        if len(chain) + initials > 1 and self._holds(text, chain, initials):
            start = chain[0].start if first == chain[0].first else text.starts[first]
            end = chain[-1].end if stop == chain[-1].stop else text.ends[stop - 1]
            return [(start, end)]
        return [(mark.start, mark.end) for mark in chain if self._alone(text, mark)]

    @staticmethod
    def _is_stray(text: Text, chain: list[Mark]) -> bool:
        """Whether the last word is an ordinary word after the name: `Will will`."""
        words = ["".join(text.words[m.first : m.stop]) for m in chain]
        last = chain[-1].first
        return (
            text.shape(last) == "l"
            and not text.lower_case
            and (words[-1] in words[:-1] or words[-1] in FUNCTION_WORDS)
        )

    def _holds(self, text: Text, chain: list[Mark], initials: int) -> bool:
        """Whether adjacent words that match known names really name a person."""
        shapes = [text.shape(i) for mark in chain for i in range(mark.first, mark.stop)]
        words = [word for mark in chain for word in text.words[mark.first : mark.stop]]
        plain = all(is_common(word) for word in words)
        if all(shape == "l" for shape in shapes):
            if plain and not text.lower_case:
                return self._ends_name(chain, words)
            if plain:
                return len(set(words) & FUNCTION_WORDS) < len(words)
            return any(mark.level == EXACT for mark in chain)
        if all(mark.level == NEAR for mark in chain):
            return len(chain) > 1 and not all(is_word(word) for word in words)
        if len(chain) == 1:
            return not plain or shapes[0] != "l"
        return len(set(words)) > 1 or self._alone(text, chain[0])

    def _ends_name(self, chain: list[Mark], words: list[str]) -> bool:
        """Whether the words end a known name, and two of them are no function words: `two
        bulls`.
        """
        if len(set(words) - FUNCTION_WORDS) < 2:
            return False
        persons = (
            self._index.persons[p] for p in frozenset.intersection(*(m.persons for m in chain))
        )
        return any((*p.given, *p.surname)[-len(words) :] == tuple(words) for p in persons)

    def _alone(self, text: Text, mark: Mark) -> bool:
        """Whether a single name part names a person; everyday words need more evidence."""
        i = mark.first
        word = "".join(text.words[mark.first : mark.stop])
        shape = text.shape(i) if mark.stop == mark.first + 1 else "C"
        if mark.stop > mark.first + 1 or (shape == "m" and mark.level == EXACT):
            return True
        if self._is_eponym(text, i, word):
            return False
        if mark.level == OWNED:
            return self._is_owner(text, i, word, shape)
        before = text.words[i - 1] if i and _GAP_IN_NAME.fullmatch(text.gap(i - 1)) else ""
        titled = (before in TITLES and word not in {"will", "may", "can"}) or before in {
            "mr",
            "mrs",
            "ms",
        }
        titled = titled or (before in KIN and word not in FUNCTION_WORDS and shape != "l")
        if mark.level == NEAR:
            return (shape != "l" and not is_word(word)) or (titled and shape != "l")
        if len(word) == 2:
            return self._short(text, i, shape, titled)
        if not is_common(word):
            return (
                mark.level == EXACT
                or shape in "Cm"
                or (shape == "U" and len(word) > 3)
                or titled
                or text.lower_case
            )
        if shape == "l":
            return titled or (before in KIN and word not in FUNCTION_WORDS and mark.level == EXACT)
        if word in FUNCTION_WORDS or mark.level == NICK:
            return titled or self._clear(text, i, before, shape)
        return not self._is_plural(text, i)

    @staticmethod
    def _is_plural(text: Text, i: int) -> bool:
        """Whether the word is a plural noun, as in `Waters are clear.`"""
        after = text.words[i + 1] if i + 1 < len(text) else ""
        return text.words[i][-1] == "s" and after in {"are", "were"} and text.starts_sentence(i)

    def _is_owner(self, text: Text, i: int, word: str, shape: str) -> bool:
        """Whether a possessive or family name is meant: `Begays wound`, `the Whites`.

        Everyday words in lower case or in a line of capitals do not count.
        """
        if shape == "l":
            return len(word) > _LEAST_OWNED and not is_common(word)
        in_capitals = shape == "U" and text.in_upper_line(i)
        return not (in_capitals and is_common(word)) and not self._is_plural(text, i)

    def _short(self, text: Text, i: int, shape: str, titled: bool) -> bool:
        after = text.words[i + 1] if i + 1 < len(text) else ""
        if after[:1].isdigit() or shape == "l":
            return False
        if titled or self._owns(text, i):
            return True
        if shape == "C":
            is_word = text.words[i] in FUNCTION_WORDS and text.starts_sentence(i)
            return not is_word or self._acts(text, i)
        if text.in_upper_line(i):
            return False
        return self._is_spelt_in_capitals(text.words[i]) or not self._stands_behind(text, i)

    @staticmethod
    def _stands_behind(text: Text, i: int) -> bool:
        """Whether the word follows a comma or a capitalized word, as degrees and states do."""
        return i > 0 and ("," in text.gap(i - 1) or text.shape(i - 1) != "l")

    def _is_spelt_in_capitals(self, word: str) -> bool:
        return not any(c in "aeiou" for c in word) and word in self._index.exact

    def _clear(self, text: Text, i: int, before: str, shape: str) -> bool:
        """Whether a capitalized everyday word is in a position where only a name would be."""
        if shape == "U" and text.in_upper_line(i):
            return self._owns(text, i)
        if before in KIN:
            return True
        if not text.starts_sentence(i):
            return before != "living"
        return self._acts(text, i) or self._owns(text, i)

    @staticmethod
    def _owns(text: Text, i: int) -> bool:
        """Whether the name is a possessive: `Do's daughter`."""
        return i + 1 < len(text) and text.words[i + 1] == "s" and text.gap(i) in {"'", "’"}

    @staticmethod
    def _acts(text: Text, i: int) -> bool:
        """Whether a verb for what a person does follows: a listed verb, or a word in `-ed`."""
        after = text.words[i + 1] if i + 1 < len(text) and not text.gap(i).strip() else ""
        return after in _PERSON_VERBS or (after.endswith("ed") and not after.endswith("eed"))

    def _is_eponym(self, text: Text, i: int, word: str) -> bool:
        if word not in EPONYMS:
            return False
        nxt = i + 1
        if nxt < len(text) and text.words[nxt] == "s" and text.gap(i) in {"'", "’"}:
            nxt += 1
        return (
            nxt < len(text)
            and text.words[nxt] in EPONYM_NOUNS
            and text.gap(nxt - 1).strip() in {"", "'", "-"}
        )
