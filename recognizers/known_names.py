"""Where the known names of a patient's people stand in a text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from recognizers.known_people import EXACT, NEAR, NICK, NameIndex
from recognizers.known_text import Text, fold
from recognizers.known_words import (
    EPONYM_NOUNS,
    EPONYMS,
    FUNCTION_WORDS,
    KIN,
    PARTICLES,
    SUFFIXES,
    TITLES,
    is_common,
    is_word,
)

_GAP = re.compile(r"[\s,.\-'’\"“”()/&*_|]{0,8}")
_PERSON_VERBS = frozenset(
    [
        "is",
        "was",
        "has",
        "had",
        "will",
        "would",
        "can",
        "could",
        "did",
        "does",
        "and",
        "who",
        "says",
        "said",
        "states",
        "stated",
        "reports",
        "reported",
        "denies",
        "denied",
        "came",
        "comes",
        "called",
        "calls",
        "feels",
        "felt",
        "went",
        "got",
        "took",
        "seen",
        "told",
        "brought",
        "lives",
        "works",
        "wants",
        "asked",
        "thinks",
        "notes",
        "noted",
        "agrees",
        "understands",
        "presents",
        "presented",
        "returns",
        "returned",
    ]
)
_CLOSINGS = frozenset(
    [
        "thx",
        "thanks",
        "thank",
        "regards",
        "sincerely",
        "love",
        "best",
        "bye",
        "cheers",
        "warmly",
        "yours",
        "xo",
        "xoxo",
    ]
)
_BEFORE_INITIALS = frozenset(
    [
        "by",
        "dictated",
        "signed",
        "initials",
        "initialed",
        "author",
        "dict",
        "tr",
        "transcribed",
        "cosigned",
    ]
)
_DIGIT_LETTERS = {"0": "o", "1": "l", "5": "s", "8": "b", "3": "e", "4": "a"}
_NOT_INITIALS = frozenset(
    ["us", "uk", "ie", "eg", "po", "iv", "im", "sc", "qd", "bid", "tid", "qid"]
)
_AFTER_OTHERS = frozenset(["am", "pm", "md", "do", "rn", "pa", "np", "jd", "rd", "ma"])
"""Dotted rows that are no initials after a number or a name."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Tokens `first..stop` that may name one of `persons`."""

    first: int
    stop: int
    level: int
    persons: frozenset[int]
    start: int
    end: int


def _is_hump(raw: str, k: int) -> bool:
    """Whether a new word begins at `k` of a word in mixed case."""
    if raw[k - 1].islower():
        return raw[k].isupper()
    return raw[k].isupper() and raw[k + 1 : k + 2].islower()


class NameFinder:
    """Finds every form of the indexed names; linear in the text."""

    def __init__(self, index: NameIndex) -> None:
        self._index = index

    def find(self, text: Text) -> list[tuple[int, int]]:
        """Spans in the original text, in order; they may touch, not overlap by design."""
        if not self._index.persons:
            return []
        marks = self._marks(text)
        spans: list[tuple[int, int]] = []
        for chain in self._chains(text, marks):
            spans += self._settle(text, chain)
        return spans + self._initials(text)

    # -- candidates ------------------------------------------------------------------------

    def _marks(self, text: Text) -> list[Mark]:
        memory: dict[str, tuple[int, frozenset[int]] | None] = {}
        marks: list[Mark] = []
        taken = -1
        for i, word in enumerate(text.words):
            if i < taken:
                continue
            mark = self._joined(text, i) or self._spaced(text, i)
            if mark is None and not word[0].isdigit() and len(word) > 1:
                if word not in memory:
                    memory[word] = self._index.look_up(word)
                if found := memory[word]:
                    mark = Mark(i, i + 1, *found, text.starts[i], text.ends[i])
                else:
                    mark = self._camel(text, i)
            if mark:
                mark = self._numbered(text, mark)
                marks.append(mark)
                taken = mark.stop
        return marks

    def _numbered(self, text: Text, mark: Mark) -> Mark:
        """A synthetic name carries a number (`Damon455`): it belongs to the name."""
        nxt = mark.stop
        if nxt < len(text) and text.gap(nxt - 1) == "" and text.words[nxt] in self._index.exact:
            return replace(mark, stop=nxt + 1, end=text.ends[nxt])
        return mark

    def _exact(self, word: str) -> frozenset[int]:
        return frozenset(self._index.exact.get(word, ())) | frozenset(
            self._index.joined.get(word, ())
        )

    def _joined(self, text: Text, i: int) -> Mark | None:
        """A name broken over a line end, by a stray space or hyphen, or by a misread letter."""
        words = text.words
        if i + 1 >= len(words):
            return None
        gap = text.gap(i)
        if gap == "" and (words[i][0].isdigit() or words[i + 1][0].isdigit()):
            return self._misread(text, i)
        if (
            len(gap) > 12
            or words[i][0].isdigit()
            or words[i + 1][0].isdigit()
            or gap.strip(" -\r\n\t.")
        ):
            return None
        joined = words[i] + words[i + 1]
        persons = self._exact(joined) if len(joined) > 3 else frozenset()
        if not persons or (words[i] in self._index.exact and words[i + 1] in self._index.exact):
            return None
        if "-" not in gap and is_word(words[i]) and (is_word(words[i + 1]) or is_common(joined)):
            return None
        if text.shape(i) == "l" and "-" not in gap and "\n" not in gap and not text.lower_case:
            return None
        return Mark(i, i + 2, EXACT, persons, text.starts[i], text.ends[i + 1])

    def _misread(self, text: Text, i: int) -> Mark | None:
        stop, word = i, ""
        while stop < len(text) and stop < i + 6 and (stop == i or text.gap(stop - 1) == ""):
            word += "".join(_DIGIT_LETTERS.get(c, c) for c in text.words[stop])
            stop += 1
        if stop == i or sum(c.isalpha() for w in text.words[i:stop] for c in w) < 3:
            return None
        for form in (word, word.replace("l", "i")):
            if persons := self._exact(form):
                return Mark(i, stop, EXACT, persons, text.starts[i], text.ends[stop - 1])
        return None

    def _spaced(self, text: Text, i: int) -> Mark | None:
        """A name written letter by letter: `S m i t h`, `S-M-I-T-H`."""
        stop = i
        while stop < len(text) and len(text.words[stop]) == 1 and text.words[stop].isalpha():
            if stop > i and len(text.gap(stop - 1)) > 3:
                break
            stop += 1
        for end in range(min(stop, i + 24), i + 2, -1):
            persons = self._exact("".join(text.words[i:end]))
            if persons:
                return Mark(i, end, EXACT, persons, text.starts[i], text.ends[end - 1])
        return None

    def _camel(self, text: Text, i: int) -> Mark | None:
        """A name glued to another word: `DrSummers`, `HopeSummers`."""
        if text.shape(i) != "m":
            return None
        start = text.starts[i]
        raw = text.original[start : text.ends[i]]
        cuts = [0, *(k for k in range(1, len(raw)) if _is_hump(raw, k)), len(raw)]
        pieces = [fold(raw[a:b]) for a, b in zip(cuts, cuts[1:], strict=False)]
        named = {k: self._exact(piece) for k, piece in enumerate(pieces) if len(piece) > 2}
        named = {k: persons for k, persons in named.items() if persons}
        if not named:
            return None
        first, last = min(named), max(named)
        persons = frozenset.union(*named.values())
        letters = {c for p in persons for c in self._index.persons[p].letters}
        if first == 1 and len(pieces[0]) == 1 and pieces[0] in letters:
            first = 0
        return Mark(i, i + 1, EXACT, persons, start + cuts[first], start + cuts[last + 1])

    # -- chains ----------------------------------------------------------------------------

    def _bridge(self, text: Text, left: int, right: int) -> bool:
        """Whether the gap after token `left` up to token `right` keeps one name together."""
        for i in range(left, right):
            gap = text.gap(i)
            if not _GAP.fullmatch(gap) or gap.count("\n") > 1:
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
        """Token range of the chain widened by initials and suffixes of the same person."""
        persons = frozenset.intersection(*(mark.persons for mark in chain))
        letters = {c for p in persons for c in self._index.persons[p].letters}
        suffixes = {s for p in persons for s in self._index.persons[p].suffix} | {"jr", "sr"}
        first, stop = chain[0].first, chain[-1].stop
        while first > 0 and self._leads(text, first - 1, persons, letters):
            first -= 1
        while stop < len(text) and self._bridge(text, stop - 1, stop):
            if text.words[stop] in suffixes or self._is_initial(text, stop, letters, left=False):
                stop += 1
            else:
                break
        return first, stop

    def _leads(self, text: Text, i: int, persons: frozenset[int], letters: set[str]) -> bool:
        """Whether a token belongs to the name after it: an initial, or the `van` of this surname."""
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
        return upper or (not left and text.lower_case)

    def _settle(self, text: Text, chain: list[Mark]) -> list[tuple[int, int]]:
        while len(chain) > 1 and self._is_stray(text, chain):
            chain = chain[:-1]
        first, stop = self._letters_beside(text, chain)
        initials = (chain[0].first - first) + (stop - chain[-1].stop)
        if len(chain) + initials > 1 and self._holds(text, chain, initials):
            start = min(text.starts[first], chain[0].start)
            return [(start, max(text.ends[stop - 1], chain[-1].end))]
        return [(mark.start, mark.end) for mark in chain if self._alone(text, mark)]

    @staticmethod
    def _is_stray(text: Text, chain: list[Mark]) -> bool:
        """`Will will`: the verb beside the name."""
        words = ["".join(text.words[m.first : m.stop]) for m in chain]
        last = chain[-1].first
        return (
            text.shape(last) == "l"
            and not text.lower_case
            and (words[-1] in words[:-1] or words[-1] in FUNCTION_WORDS)
        )

    def _holds(self, text: Text, chain: list[Mark], initials: int) -> bool:
        """Whether two or more parts side by side name a person."""
        shapes = [text.shape(i) for mark in chain for i in range(mark.first, mark.stop)]
        words = [word for mark in chain for word in text.words[mark.first : mark.stop]]
        plain = all(is_common(word) for word in words)
        if all(shape == "l" for shape in shapes):
            if plain:
                return text.lower_case and len(set(words) & FUNCTION_WORDS) < len(words)
            return any(mark.level == EXACT for mark in chain)
        if all(mark.level == NEAR for mark in chain):
            return len(chain) > 1 and not all(is_word(word) for word in words)
        if len(chain) == 1:
            return not plain or shapes[0] != "l"
        return len(set(words)) > 1 or self._alone(text, chain[0])

    def _alone(self, text: Text, mark: Mark) -> bool:
        """Whether a single part names a person; letters alone are weighed by what the word is."""
        i = mark.first
        word = "".join(text.words[mark.first : mark.stop])
        shape = text.shape(i) if mark.stop == mark.first + 1 else "C"
        if mark.stop > mark.first + 1 or (shape == "m" and mark.level == EXACT):
            return True
        if self._is_eponym(text, i, word):
            return False
        before = text.words[i - 1] if i and _GAP.fullmatch(text.gap(i - 1)) else ""
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
        after = text.words[i + 1] if i + 1 < len(text) else ""
        return not (word[-1] == "s" and after in {"are", "were"} and text.starts_sentence(i))

    def _short(self, text: Text, i: int, shape: str, titled: bool) -> bool:
        after = text.words[i + 1] if i + 1 < len(text) else ""
        if after[:1].isdigit() or shape == "l":
            return False
        if shape == "C":
            return titled or text.words[i] not in FUNCTION_WORDS or not text.starts_sentence(i)
        return titled or (not text.in_upper_line(i) and self._is_spelt_in_capitals(text.words[i]))

    def _is_spelt_in_capitals(self, word: str) -> bool:
        return not any(c in "aeiou" for c in word) and word in self._index.exact

    def _clear(self, text: Text, i: int, before: str, shape: str) -> bool:
        """Whether a capitalised everyday word stands where only a name would."""
        if shape == "U" and text.in_upper_line(i):
            return False
        if before in KIN:
            return True
        if not text.starts_sentence(i):
            return before != "living"
        after = text.words[i + 1] if i + 1 < len(text) else ""
        return after in _PERSON_VERBS or (after == "s" and text.gap(i) in {"'", "’"})

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

    # -- initials --------------------------------------------------------------------------

    def _initials(self, text: Text) -> list[tuple[int, int]]:
        spans = []
        for i, word in enumerate(text.words):
            if len(word) == 1 and word.isalpha():
                if span := self._dotted(text, i):
                    spans.append(span)
            elif 2 <= len(word) <= 4 and word in self._index.initials and self._signs(text, i):
                spans.append((text.starts[i], text.ends[i]))
        if text.words and self._last_letter(text):
            spans.append((text.starts[-1], text.ends[-1]))
        return spans

    def _dotted(self, text: Text, i: int) -> tuple[int, int] | None:
        stop, row = i, ""
        if i and len(text.words[i - 1]) == 1 and text.gap(i - 1) == ".":
            return None
        while stop < len(text) and len(text.words[stop]) == 1 and stop < i + 6:
            if stop > i and not re.fullmatch(r"[.\-] ?", text.gap(stop - 1)):
                break
            if not text.original[text.starts[stop]].isupper():
                break
            row += text.words[stop]
            stop += 1
        if len(row) < 2 or row not in self._index.initials or row in _NOT_INITIALS:
            return None
        if row in _AFTER_OTHERS and i and (text.words[i - 1].isdigit() or "," in text.gap(i - 1)):
            return None
        return text.starts[i], text.ends[stop - 1]

    def _signs(self, text: Text, i: int) -> bool:
        """Whether bare initials stand where a writer signs, or after what announces them."""
        raw = text.original
        line_start = raw.rfind("\n", 0, text.starts[i]) + 1
        line_end = raw.find("\n", text.ends[i])
        after = raw[text.ends[i] : line_end if line_end >= 0 else len(raw)].strip(" \t\r.")
        before = raw[line_start : text.starts[i]].strip()
        previous = text.words[i - 1] if i else ""
        if re.fullmatch(r"\W*[A-Za-z]{2,4}\W*", after) and re.search(
            r"[/:]\W*$|^$", after[:2] + before[-1:]
        ):
            return raw[line_start : text.starts[i]].strip() == "" or before.endswith(("/", ":"))
        if text.shape(i) != "U":
            return False
        if previous in _BEFORE_INITIALS:
            return True
        return after == "" and (before == "" or before[-1] in ".?!/-–—~*])")

    def _last_letter(self, text: Text) -> bool:
        word = text.words[-1]
        if len(word) != 1 or len(text) < 2 or not text.original[text.starts[-1]].isupper():
            return False
        given = {person.given[0][0] for person in self._index.persons if person.given}
        gap = text.gap(len(text) - 2)
        return word in given and ("\n" in gap or text.words[-2] in _CLOSINGS)
