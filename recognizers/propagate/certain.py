"""The values found for certain in a patient's documents: parts of names, and whole values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from recognizers.constants import constant
from recognizers.evidence.word_evidence import (
    FREQUENCIES,
    NAME_PARTICLES,
    NAME_SUFFIXES,
    NEVER_NAMES,
    NOBODY,
    SHORT_FORMS,
    STOPS,
    clinical,
    ordinary,
    prefers_name,
)
from recognizers.finding import PERSON, Finding
from recognizers.text.ascii_text import FILL, unescaped
from recognizers.words import gazetteers
from recognizers.words.expressions import patterns
from recognizers.words.gazetteers import listed, plain_list
from recognizers.words.memory import kept

SPREADING = patterns("spread")
# Letters that, written like this, are never learned as initials.
UNWRITTEN = frozenset(listed("names/unwritten_initials"))
CERTAIN_SCORE = constant("propagation", "certain")
LIKELY = constant("propagation", "likely")
LIKELY_LETTERS = constant("propagation", "likely letters")
POSSESSIVES = ("'s", "\u2019s", "\u02bcs")
SPREAD_ENTITIES = frozenset(
    {"FACILITY", "EMPLOYER", "STREET_ADDRESS", "CITY", "MEDICAL_RECORD_NUMBER", "ACCOUNT_NUMBER"}
    | {"HEALTH_PLAN_NUMBER", "LICENSE_NUMBER", "DEVICE_ID", "OTHER_ID", "US_SSN", "VEHICLE_ID"}
)
KINDS = ("parts", "words", "low", "short", "initials", "letters")


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

    @classmethod
    def of(cls, values: Mapping[str, Set[str]], wholes: Mapping[str, str]) -> CertainValues:
        """The values of each kind; a word that is also a part of a name counts as a part."""
        kinds = {kind: frozenset(values[kind]) for kind in KINDS}
        kinds["words"] -= kinds["parts"]
        kinds["low"] &= kinds["parts"]
        longest_first = sorted(wholes.items(), key=lambda item: (-len(item[0]), item[0]))
        return cls(**kinds, wholes=tuple(longest_first))

    def __or__(self, other: CertainValues) -> CertainValues:
        """The values in either of the two."""
        values = {kind: getattr(self, kind) | getattr(other, kind) for kind in KINDS}
        return self.of(values, dict(self.wholes) | dict(other.wholes))

    def __repr__(self) -> str:
        counts = (len(self.parts), len(self.words), len(self.wholes))
        return "CertainValues(parts={}, words={}, wholes={})".format(*counts)


def learn(pairs: Iterable[tuple[str, Sequence[Finding]]]) -> CertainValues:
    """Collect name parts and whole values from the certain findings of several documents."""
    values: dict[str, set[str]] = {kind: set() for kind in KINDS}
    wholes: dict[str, str] = {}
    for text, findings in pairs:
        for finding in findings:
            value = text[finding.start : finding.end]
            if finding.entity == PERSON and finding.source == "initials":
                values["letters"] |= letters_of(value)
            elif finding.entity == PERSON:
                learn_person(values, unescaped(value).replace(FILL, ""), finding.score)
            elif is_certain_whole(finding, value):
                wholes[value] = finding.entity
    return CertainValues.of(values, wholes)


def learn_person(values: Mapping[str, set[str]], name: str, score: float) -> None:
    """Add a name: each of its words by its kind, and its initials."""
    words = SPREADING["WORD"].findall(name)
    for word in words:
        if kind := kind_of_part(word, name, score):
            values[kind].add(without_possessive(word))
            if word.islower():
                values["low"].add(without_possessive(word))
    if score >= LIKELY_LETTERS:
        values["letters"] |= letters_of(name)
    if score < CERTAIN_SCORE:
        return
    values["initials"] |= initials_of(name)
    given, family = words[:1], words[-1:] if len(words) < 3 else []
    values["short"] |= {
        word for word in given if is_short(word, gazetteers.first_name, "given name")
    }
    values["short"] |= {word for word in family if is_short(word, gazetteers.surname, "surname")}


# Will, June and April are in `STOPS`, but count where they are used like a name.
NEVER_TAUGHT = (NAME_PARTICLES | NAME_SUFFIXES | STOPS | NOBODY) - {"will", "june", "april"}


def kind_of_part(word: str, name: str, score: float) -> str:
    """Whether a word of a name names the person by itself, or only like a name; "" if neither."""
    low, certain = without_possessive(word), score >= CERTAIN_SCORE
    if len(low) < 3 or low in NEVER_TAUGHT:
        return ""
    # `Ms. Tro`: in charts, TRO also means something else.
    form = low in SHORT_FORMS
    if form and not (certain and word.istitle() and not gazetteers.common_word(low)):
        return ""
    kind = "words" if form or ordinary(low) or clinical(low) else "parts"
    worded = gazetteers.common_word(low) or gazetteers.clinical_word(low)
    if not certain and (score < LIKELY or kind == "words" or worded):
        return ""
    # A word in capitals that is no listed name may be an abbreviation.
    lettered = word.isupper() and len(low) < 6 and not gazetteers.bearers(low)
    return "" if lettered and (not certain or word == name) else kind


# A word of two letters that is no given name, or no surname, which may begin a sentence.
NEVER_GIVEN = STOPS | NAME_PARTICLES | plain_list("names/never_short")
NEVER_SHORT = {"given name": NEVER_GIVEN, "surname": NEVER_GIVEN | plain_list("names/two_letters")}


def is_short(word: str, bearers: Callable[[str], int], kind: str) -> bool:
    """Whether the word, as written, is a name of two letters and nothing else: `Jo`, `Ng`."""
    written = len(word) == 2 and word.istitle() and word.lower() not in NEVER_SHORT[kind]
    return written and bearers(word) > FREQUENCIES[f"{kind} of two letters"]


def lower_one_for_one(text: str) -> str:
    """Return the text in small letters with the same length: `İ` becomes one character."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(char.lower()[0] for char in text)


@kept
def without_possessive(word: str) -> str:
    """The word in lower case, without a possessive ending."""
    low = lower_one_for_one(word)
    return low[:-2] if low[-1:] == "s" and low.endswith(POSSESSIVES) else low


def is_certain_whole(finding: Finding, value: str) -> bool:
    """Whether a value is certain, and so long and unusual that it means the same anywhere."""
    entity = finding.entity
    if finding.score < CERTAIN_SCORE or entity not in SPREAD_ENTITIES:
        return False
    digits = sum(c.isdigit() for c in value)
    words = SPREADING["WORD"].findall(value)
    if entity in {"FACILITY", "EMPLOYER", "CITY"}:
        named = len(words) > 1 or prefers_name(value)
        return len(value) > 5 and named and not all(map(ordinary, words))
    if entity == "STREET_ADDRESS":
        return len(value) > 6 and bool(digits) and bool(words)
    return len(value) >= 5 and digits >= 4


def initials_of(name: str) -> set[str]:
    """The initials of a name, with and without the middle ones; LAST, FIRST is reordered."""
    words = [w for w in re.findall(r"[^\W\d_]+", name) if w.lower() not in NAME_SUFFIXES]
    letters = [w[0].upper() for w in words if w[0].isupper()]
    if not 2 <= len(letters) <= 4 or all(len(w) < 3 and w.isupper() for w in words):
        return set()
    if "," in name:
        letters = letters[1:] + letters[:1]
    return {"".join(letters), letters[0] + letters[-1]}


def letters_of(value: str) -> set[str]:
    """Return the initials in a found value, as written: `KB`, or `ws` and `bc` of `ws/bc`."""
    pieces = SPREADING["JOINTS"].split(value)
    if len(pieces) == 1 and re.fullmatch(r"[A-Z]{2}(?: [A-Z]{2})+", value):
        pieces = value.split()
    rows = {p.replace(".", "") for p in pieces if SPREADING["PIECE"].fullmatch(p)}
    return {row for row in rows if not (is_never_initials(row) or lettered_word(row))}


def is_never_initials(row: str) -> bool:
    return row in NEVER_NAMES or row in UNWRITTEN


def lettered_word(piece: str) -> bool:
    """Whether the piece is a name or a word of three letters or more rather than initials."""
    return len(piece) > 2 and bool(gazetteers.common_word(piece) or gazetteers.bearers(piece))
