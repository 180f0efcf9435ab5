"""The values found for certain in a patient's documents: parts of names, and whole values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from recognizers.constants import constant
from recognizers.evidence.names.word_evidence import (
    NAME_PARTICLES,
    NAME_SUFFIXES,
    NOBODY,
    SHORT_FORMS,
    STOPS,
    clinical,
    ordinary,
    prefers_name,
)
from recognizers.finding import Finding
from recognizers.propagate.initials import initials_of, letters_of
from recognizers.text.ascii_text import FILL, unescaped
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list
from recognizers.words.memory import kept

CERTAIN_SCORE = constant("propagation", "certain")
LIKELY = constant("propagation", "likely")
LIKELY_LETTERS = constant("propagation", "likely letters")
POSSESSIVES = ("'s", "\u2019s", "\u02bcs")
OWNER = re.compile(r"([A-Z][a-z]{2,}['\u2019]s) [A-Z]")
WORD_OF_LETTERS = re.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")
SPREAD_ENTITIES = frozenset(
    {"FACILITY", "EMPLOYER", "STREET_ADDRESS", "CITY", "MEDICAL_RECORD_NUMBER", "ACCOUNT_NUMBER"}
    | {"HEALTH_PLAN_NUMBER", "LICENSE_NUMBER", "DEVICE_ID", "OTHER_ID", "US_SSN", "VEHICLE_ID"}
)


@dataclass(frozen=True)
class CertainValues:
    """What was found for certain in a patient's documents. Its repr shows counts only.

    `parts` name the person wherever they occur; `words` are also English or clinical words and
    count only where they are used like a name. `low` are names that were found in small letters;
    `short` are names of two letters. `initials` are derived from full names; `letters` are initials
    as found.
    """

    parts: frozenset[str] = field(default=frozenset(), repr=False)
    words: frozenset[str] = field(default=frozenset(), repr=False)
    low: frozenset[str] = field(default=frozenset(), repr=False)
    short: frozenset[str] = field(default=frozenset(), repr=False)
    initials: frozenset[str] = field(default=frozenset(), repr=False)
    letters: frozenset[str] = field(default=frozenset(), repr=False)
    wholes: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __or__(self, other: CertainValues) -> CertainValues:
        """The values in either of the two."""
        parts = self.parts | other.parts
        wholes = dict(self.wholes) | dict(other.wholes)
        return CertainValues(
            parts,
            (self.words | other.words) - parts,
            self.low | other.low,
            self.short | other.short,
            self.initials | other.initials,
            self.letters | other.letters,
            tuple(sorted(wholes.items(), key=lambda item: (-len(item[0]), item[0]))),
        )

    def __repr__(self) -> str:
        counts = (len(self.parts), len(self.words), len(self.wholes))
        return "CertainValues(parts={}, words={}, wholes={})".format(*counts)


def learn(pairs: Iterable[tuple[str, Sequence[Finding]]]) -> CertainValues:
    """Collect name parts and whole values from the certain findings of several documents."""
    lesson = Lesson()
    for text, findings in pairs:
        for finding in findings:
            value = text[finding.start : finding.end]
            if finding.entity == "PERSON" and finding.source == "initials":
                lesson.letters |= letters_of(value)
            elif finding.entity == "PERSON":
                lesson.person(unescaped(value).replace(FILL, ""), finding.score)
            elif (
                finding.score >= CERTAIN_SCORE
                and finding.entity in SPREAD_ENTITIES
                and is_distinctive(value, finding.entity)
            ):
                lesson.wholes[value] = finding.entity
                if short := owner(value):
                    lesson.wholes[short] = finding.entity
    return lesson.known()


# Will, June and April are in `STOPS`, but count where they are used like a name.
NEVER_TAUGHT = (NAME_PARTICLES | NAME_SUFFIXES | STOPS | NOBODY) - {"will", "june", "april"}


@dataclass
class Lesson:
    """The values collected so far for `CertainValues`."""

    parts: set[str] = field(default_factory=set, repr=False)
    words: set[str] = field(default_factory=set, repr=False)
    low: set[str] = field(default_factory=set, repr=False)
    short: set[str] = field(default_factory=set, repr=False)
    initials: set[str] = field(default_factory=set, repr=False)
    letters: set[str] = field(default_factory=set, repr=False)
    wholes: dict[str, str] = field(default_factory=dict, repr=False)

    def person(self, name: str, score: float) -> None:
        """Add a name: each of its words by its kind, and its initials."""
        for word in WORD_OF_LETTERS.findall(name):
            low = without_possessive(word)
            if len(low) < 3 or low in NEVER_TAUGHT:
                continue
            # `Ms. Tro`: in charts, TRO also means something else.
            form = low in SHORT_FORMS
            if form and (
                score < CERTAIN_SCORE or not word.istitle() or gazetteers.common_word(low)
            ):
                continue
            kind = self.words if form or ordinary(low) or clinical(low) else self.parts
            if score < CERTAIN_SCORE and (
                score < LIKELY or kind is self.words or not unworded(low)
            ):
                continue
            row = word.isupper() and len(low) < 6 and not is_listed_name(low)
            if row and (score < CERTAIN_SCORE or word == name):
                continue
            kind.add(low)
            if word.islower():
                self.low.add(low)
        if score >= LIKELY_LETTERS:
            self.letters |= letters_of(name)
        if score < CERTAIN_SCORE:
            return
        words = WORD_OF_LETTERS.findall(name)
        if words and brief(words[0]):
            self.short.add(words[0])
        if words and len(words) < 3 and short_surname(words[-1]):
            self.short.add(words[-1])
        self.initials |= initials_of(name)

    def known(self) -> CertainValues:
        """Return the collected values; a word that is also a part of a name counts as a part."""
        return CertainValues(
            frozenset(self.parts),
            frozenset(self.words - self.parts),
            frozenset(self.low & self.parts),
            frozenset(self.short),
            frozenset(self.initials),
            frozenset(self.letters),
            tuple(sorted(self.wholes.items(), key=lambda item: (-len(item[0]), item[0]))),
        )


def unworded(low: str) -> bool:
    """Whether the word is in no list of words."""
    return not gazetteers.common_word(low) and not gazetteers.clinical_word(low)


def is_listed_name(low: str) -> bool:
    """Whether the word is a listed name; other words in capitals may be abbreviations."""
    return bool(gazetteers.first_name(low) or gazetteers.surname(low))


def brief(word: str) -> bool:
    """Whether the word is a given name of two letters: `Jo`, `Ty`."""
    return (
        len(word) == 2
        and word.istitle()
        and word.lower() not in NEVER_BRIEF
        and gazetteers.first_name(word) > 8
    )


def short_surname(word: str) -> bool:
    """Whether the word, as written, is a surname of two letters and nothing else: `Ng`, `Wu`."""
    return (
        len(word) == 2
        and word.istitle()
        and word.lower() not in STOPS | NAME_PARTICLES | BRIEF_WORDS | SPEECH_WORDS
        and gazetteers.surname(word) > 10
    )


# English and Spanish words of two letters that may begin a sentence.
SPEECH_WORDS = plain_list("names/two_letters")
BRIEF_WORDS = frozenset(["an", "my", "so", "we", "he", "me", "us", "li", "co", "mg", "na", "ca"])
NEVER_BRIEF = STOPS | NAME_PARTICLES | BRIEF_WORDS


def lower_one_for_one(text: str) -> str:
    """Return the text in small letters with the same length: `İ` becomes one character."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(char.lower()[0] for char in text)


@kept
def without_possessive(word: str) -> str:
    """The word in lower case, without a possessive ending."""
    low = lower_one_for_one(word)
    return low[:-2] if low[-1:] == "s" and low.endswith(POSSESSIVES) else low


def owner(value: str) -> str:
    """Return the owner in a business's name: `Harlow's` in `Harlow's Drug`; "" without one."""
    match = OWNER.match(value)
    return match.group(1) if match and not ordinary(without_possessive(match.group(1))) else ""


def is_distinctive(value: str, entity: str) -> bool:
    """Whether a value is so long and unusual that it means the same wherever it occurs."""
    digits = sum(c.isdigit() for c in value)
    words = WORD_OF_LETTERS.findall(value)
    if entity in {"FACILITY", "EMPLOYER", "CITY"}:
        return (
            len(value) > 5
            and (len(words) > 1 or prefers_name(value))
            and any(not ordinary(w) for w in words)
        )
    if entity == "STREET_ADDRESS":
        return len(value) > 6 and bool(digits) and bool(words)
    return len(value) >= 5 and digits >= 4
