"""How the names of a patient and the people around them may be written in a note."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from recognizers.known.text import fold, folded_words
from recognizers.words.memory import kept
from recognizers.words.word_lists import (
    CREDENTIALS,
    PARTICLES,
    SUFFIXES,
    TITLES,
    is_word,
    other_forms,
)

EXACT, NICK, NEAR, OWNED = range(4)
_Named = dict[str, frozenset[int]]
"""The numbers of the persons whom each form may name."""
_NOBODY = frozenset[int]()
# In letters. A longer word in a name is found only as written, not misspelled or shortened.
LONGEST_NEAR = 256
_QUOTED_NICKNAME = re.compile(r"[\"“(']([^\"”()']{2,30})[\"”)']")
_CREDENTIAL = re.compile(r"\b(?:PA-?C|NP-?C|RN-?BC|CRNA|CDCES)\b\.?", re.IGNORECASE)

# For sound keys: `c` before a soft vowel and `z`, a silent `h`, spellings of `i`, doubled letters.
_SOFT, _SILENT = re.compile(r"c(?=[eiy])|z"), re.compile(r"(?<=[bdgjklmnrtv])h")
_HIGH_VOWEL, _DOUBLED = re.compile(r"ie|ey|ee|y|j"), re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True)
class Person:
    """Folded name words of one person; `other` holds preferred, maiden and former names."""

    given: tuple[str, ...] = field(default=(), repr=False)
    surname: tuple[str, ...] = field(default=(), repr=False)
    other: tuple[str, ...] = field(default=(), repr=False)
    suffix: tuple[str, ...] = field(default=(), repr=False)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that can be used alone as a name."""
        last = (w for w in self.surname if w not in PARTICLES or w == self.surname[-1])
        return tuple(word for word in (*self.given, *last, *self.other) if len(word) > 1)

    @property
    def letters(self) -> frozenset[str]:
        """First letters that may stand for a part of the name."""
        return frozenset(word[0] for word in (*self.given, *self.surname, *self.other))

    @property
    def initials(self) -> frozenset[str]:
        """Initials of two letters or more, in every usual order."""
        given = "".join(word[0] for word in self.given)
        last = "".join(word[0] for word in self.surname if word not in PARTICLES)
        every = "".join(word[0] for word in self.surname)
        nick = "".join(word[0] for word in self.other[:1])
        rows = {
            given + last,
            given + every,
            given[:1] + last[:1],
            given[:1] + last,
            given[:1] + every,
        }
        rows |= {
            given + last[:1],
            # Mei-Ling P. Chou signs M.P.C.
            given[:1] + given[-1:] + last[:1],
            given[:1] + last[-1:],
            last[:1] + given,
            last[:1] + given[:1],
            nick + last[:1],
            given,
        }
        return frozenset(row for row in rows if len(row) > 1)

    @property
    def glued(self) -> frozenset[str]:
        """Names run together: surname, first and last, initial and last, double first names."""
        given, last = "".join(self.given), "".join(self.surname)
        first = self.given[0] if self.given else ""
        pairs = {"".join(pair) for pair in zip(self.surname, self.surname[1:], strict=False)}
        surnames = {last, *self.surname, *pairs}
        forms = {last, given, first + last, last + first, last + first[:1], *pairs}
        forms |= {"".join(pair) for pair in zip(self.given, self.given[1:], strict=False)}
        forms |= {first[:1] + name for name in surnames if first}
        forms |= {"".join(self.other), *(nick + last for nick in self.other)}
        return frozenset(form for form in forms if len(form) > 4)


def _is_credential(word: str) -> bool:
    return word.strip(".").lower().replace(".", "") in CREDENTIALS


def _follows_name(word: str, head: str) -> bool:
    """Whether the word is a suffix or credential: `PA` is; `Pa` in `Machado, Pa` is a name."""
    if fold(word).strip(".") in SUFFIXES:
        return True
    return _is_credential(word) and not (word.istitle() and len(head.split()) == 1)


def parse_person(value: str) -> Person:
    """Parse a full name: `First M Last` or `LAST, FIRST M`, with titles, credentials, suffix."""
    value = _CREDENTIAL.sub(" ", value)
    nick = [word for quoted in _QUOTED_NICKNAME.findall(value) for word in folded_words(quoted)]
    nick = [word for word in nick if word not in {"nee", "born", "aka", "formerly", "goes", "by"}]
    value = _QUOTED_NICKNAME.sub(" ", value)
    head, _, tail = value.partition(",")
    while tail and all(_follows_name(word, head) for word in tail.split()):
        value, tail = f"{head} {' '.join(w for w in tail.split() if not _is_credential(w))}", ""
    pieces = value.replace(",", " , ").split()
    while len(pieces) > 2 and pieces[-1].isupper() and _is_credential(pieces[-1]):
        pieces.pop()
    while len(pieces) > 1 and pieces[1] != "," and fold(pieces[0]).strip(".") in TITLES:
        pieces.pop(0)
    suffix = tuple(w for p in pieces for w in folded_words(p) if len(pieces) > 1 and w in SUFFIXES)
    pieces = [p for p in pieces if not (len(pieces) > 1 and fold(p).strip(".") in SUFFIXES)]
    if "," in pieces:
        cut = pieces.index(",")
        last, given = pieces[:cut], [p for p in pieces[cut:] if p != ","]
    else:
        cut = _surname_start(pieces)
        given, last = pieces[:cut], pieces[cut:]
    split = [
        tuple(word for piece in side for word in folded_words(piece)) for side in (given, last)
    ]
    return Person(split[0], split[1], tuple(nick), suffix)


def _surname_start(pieces: list[str]) -> int:
    if not pieces:
        return 0
    cut = len(pieces) - 1
    while (
        (cut > 1 or pieces[0][:1].islower())
        and cut
        and fold(pieces[cut - 1]).strip(".") in PARTICLES
    ):
        cut -= 1
    return max(cut, 0)


@kept
def sound(word: str) -> str:
    """A rough sound key, equal for different spellings of a name (Sofia, Sophia; Eric, Erik)."""
    key = "e" + word[2:] if word.startswith(("ye", "je")) else word
    key = key[1:] if key.startswith("kn") else key
    key = key.replace("ph", "f")
    key = _SOFT.sub("s", key)
    key = key.replace("ck", "k").replace("c", "k").replace("q", "k")
    if "h" in key:
        key = _SILENT.sub("", key)
    key = _HIGH_VOWEL.sub("i", key)
    key = key.replace("oo", "u").replace("ou", "u")
    if len(key) > 1 and key[-1] in "hw":
        key = key[:-1]
    return _DOUBLED.sub(r"\1", key)


def deletions(word: str) -> set[str]:
    """All forms of the word with one letter left out."""
    return {word[:i] + word[i + 1 :] for i in range(len(word))}


def within_one(left: str, right: str) -> bool:
    """Whether the Damerau-Levenshtein distance is at most one."""
    if left == right:
        return True
    if len(left) == len(right):
        differ = [i for i, (a, b) in enumerate(zip(left, right, strict=True)) if a != b]
        if len(differ) == 1:
            return True
        return (
            len(differ) == 2
            and differ[1] == differ[0] + 1
            and left[differ[0]] == right[differ[1]]
            and left[differ[1]] == right[differ[0]]
        )
    if len(left) > len(right):
        left, right = right, left
    return len(right) == len(left) + 1 and left in deletions(right)


def _add_forms(index: _Named, forms: Iterable[str], persons: frozenset[int]) -> None:
    """Add persons to the index under each of the forms."""
    for form in forms:
        index[form] = index[form] | persons if form in index else persons


class NameIndex:
    """An index of name words; the cost of a look-up does not depend on the number of names."""

    def __init__(self, persons: Iterable[Person]) -> None:
        self.persons = tuple(persons)
        self.exact: _Named = {}
        self.joined: _Named = {}
        self.nick: _Named = {}
        # A family's name, or a possessive without its apostrophe: `the Begays`, `Begays wound`.
        self.owned: _Named = {}
        # Keyed by the first two and the last two letters: a single error leaves one pair intact.
        self._near: dict[str, list[str]] = defaultdict(list)
        self._sounds: dict[str, list[str]] = defaultdict(list)
        self._starts: _Named = {}
        self.initials: _Named = {}
        for number, person in enumerate(self.persons):
            self._add(number, person)
        words = {*self.exact, *self.joined}
        # Longest first.
        self.lengths = tuple(sorted({len(word) for word in words}, reverse=True))
        for word in words:
            if 4 < len(word) <= LONGEST_NEAR:
                self._near[word[:2]].append(word)
                self._near[f"-{word[-2:]}"].append(word)
            if len(word) > 3:
                self._sounds[sound(word)].append(word)

    def _add(self, number: int, person: Person) -> None:
        alone = frozenset((number,))
        _add_forms(self.exact, person.words, alone)
        _add_forms(self.joined, person.glued, alone)
        for word in (*person.given, *person.other):
            _add_forms(self.nick, (form for form in other_forms(word) if len(form) > 1), alone)
            stops = range(3, min(len(word), LONGEST_NEAR))
            _add_forms(self._starts, (word[:stop] for stop in stops), alone)
        owners = (word for word in person.surname if len(word) > 2)
        _add_forms(self.owned, (w + ("es" if w[-1] in "sxz" else "s") for w in owners), alone)
        _add_forms(self.initials, person.initials, alone)

    def named(self, word: str) -> frozenset[int]:
        """The persons that a word names exactly, either as one name or as names run together."""
        return self.exact.get(word, _NOBODY) | self.joined.get(word, _NOBODY)

    def look_up(self, word: str) -> tuple[int, frozenset[int]] | None:
        """How a folded word matches (EXACT, OWNED, NICK, NEAR) and which persons it may name."""
        if found := self.exact.get(word):
            return EXACT, found
        if found := self.joined.get(word):
            return EXACT, found
        if found := self.owned.get(word):
            return OWNED, found
        if found := self.nick.get(word):
            return NICK, found
        if len(word) > 2 and (near := self._near_match(word)):
            return NEAR, near
        return None

    def _near_match(self, word: str) -> frozenset[int]:
        found = _NOBODY if is_word(word) else self._starts.get(word, _NOBODY)
        if len(word) > 3:
            names = {name for name in self._alike(word) if within_one(word, name)}
            names.update(self._sounds.get(sound(word), ()))
            for name in names:
                found |= self.named(name)
        return found

    def _alike(self, word: str) -> set[str]:
        """Name words of about the same length that begin or end with the same two letters."""
        near = self._near
        names = (*near.get(word[:2], ()), *near.get(f"-{word[-2:]}", ()))
        return {name for name in names if -2 < len(name) - len(word) < 2}
