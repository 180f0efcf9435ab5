# ruff: noqa: E501 -- a pattern reads best on one line
"""A name found once for certain is found everywhere: in this document and the patient's others.

LAST, FIRST, parts, initials with the surname, possessives and upper case. A string that is a
common or clinical word is not spread by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from recognizers import gazetteers
from recognizers.entities import ENTITIES
from recognizers.finding import Finding
from recognizers.names_evidence import PARTICLES, STOPS, SUFFIXES, clinical, namely, ordinary
from recognizers.spreading_initials import learned, signed
from safe_harbor import Identifier

CERTAIN = 0.8
POSSESSIVES = ("'s", "\u2019s", "\u02bcs")
TOKEN = re.compile(r"[^\W_]+")
WORD = re.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")
SPREAD_ENTITIES = frozenset({"FACILITY", "EMPLOYER", "STREET_ADDRESS", "MEDICAL_RECORD_NUMBER", "ACCOUNT_NUMBER", "HEALTH_PLAN_NUMBER",
                             "LICENSE_NUMBER", "DEVICE_ID", "OTHER_ID", "US_SSN", "VEHICLE_ID", "CITY"})  # fmt: skip


# What follows an eponym; a person is seldom followed by these.
NOUNS_LISTED = (
    "sign signs test tests catheter syndrome disease score scale criteria maneuver manoeuvre procedure operation repair clamp "
    "retractor forceps stain lymphoma sarcoma tumor tumour palsy cell cells bodies body phenomenon reflex esophagus esophagitis "
    "fracture nodes node type class stage grade classification index formula method technique incision approach position angle "
    "ulcer contracture lesion nail plate rod pin bag drain tube line port cannula needle balloon stent valve graft mesh brace "
    "collar boot splint cast regimen protocol diet stones ring rings point triangle canal duct fascia ligament space line lines"
)
NOUNS = frozenset(NOUNS_LISTED.split())
ARTICLES = frozenset({"the", "a", "an", "no", "this", "that", "had", "has", "with", "w/", "of"})


@dataclass(frozen=True)
class Known:
    """What was found for certain in a patient's documents. Its repr shows counts only.

    `parts` name a person wherever they stand; `words` are also words of the language or the
    clinic and count only where they stand like a name. `initials` are those of full names,
    `letters` those found as such, as written.
    """

    parts: frozenset[str] = field(default=frozenset(), repr=False)
    words: frozenset[str] = field(default=frozenset(), repr=False)
    initials: frozenset[str] = field(default=frozenset(), repr=False)
    letters: frozenset[str] = field(default=frozenset(), repr=False)
    wholes: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __or__(self, other: Known) -> Known:
        """What either knows."""
        parts = self.parts | other.parts
        wholes = dict(self.wholes) | dict(other.wholes)
        return Known(
            parts,
            (self.words | other.words) - parts,
            self.initials | other.initials,
            self.letters | other.letters,
            tuple(sorted(wholes.items(), key=lambda item: (-len(item[0]), item[0]))),
        )

    def __repr__(self) -> str:
        return f"Known(parts={len(self.parts)}, words={len(self.words)}, wholes={len(self.wholes)})"


def learn(pairs: Iterable[tuple[str, Sequence[Finding]]]) -> Known:
    """Gathers name parts and whole values from the certain findings of several documents."""
    parts: set[str] = set()
    words: set[str] = set()
    initials: set[str] = set()
    letters: set[str] = set()
    wholes: dict[str, str] = {}
    for text, findings in pairs:
        for finding in findings:
            if finding.score < CERTAIN:
                continue
            value = text[finding.start : finding.end]
            if finding.entity == "PERSON":
                sort_parts(value, parts, words)
                named, seen = learned(value)
                initials |= named
                letters |= seen
            elif finding.entity in SPREAD_ENTITIES and telling(value, finding.entity):
                wholes[value] = finding.entity
    ordered = sorted(wholes.items(), key=lambda item: (-len(item[0]), item[0]))
    return Known(
        frozenset(parts),
        frozenset(words - parts),
        frozenset(initials),
        frozenset(letters),
        tuple(ordered),
    )


def sort_parts(name: str, parts: set[str], words: set[str]) -> None:
    """The telling words of a name into those that are names only and those that are words too."""
    for word in WORD.findall(name):
        low = bare(word)
        if len(low) < 3 or low in PARTICLES or low in SUFFIXES or low in STOPS:
            continue
        (words if ordinary(low) or clinical(low) else parts).add(low)


def bare(word: str) -> str:
    """In lower case, without a possessive's ending."""
    low = word.lower()
    return low[:-2] if low.endswith(POSSESSIVES) else low


def telling(value: str, entity: str) -> bool:
    """Is a value long and odd enough to be the same thing wherever it stands?"""
    digits = sum(c.isdigit() for c in value)
    words = WORD.findall(value)
    if entity in {"FACILITY", "EMPLOYER", "CITY"}:
        return (
            len(value) > 5
            and (len(words) > 1 or namely(value))
            and any(not ordinary(w) for w in words)
        )
    if entity == "STREET_ADDRESS":
        return len(value) > 6 and bool(digits) and bool(words)
    return len(value) >= 5 and digits >= 4


def spread(text: str, known: Known, covered: Sequence[Finding]) -> list[Finding]:
    """Findings for what is known and not yet covered."""
    if known == Known():
        return []
    starts = [f.start for f in covered]
    found = [*names(text, known), *wholes(text, known.wholes)]
    found += signed(text, known.initials, known.letters)
    return [f for f in found if not within(f, covered, starts)]


def within(finding: Finding, covered: Sequence[Finding], starts: list[int]) -> bool:
    """Is it covered already? `covered` is ordered and disjoint, `starts` its starts."""
    place = bisect_right(starts, finding.start) - 1
    return place >= 0 and finding.end <= covered[place].end


def names(text: str, known: Known) -> list[Finding]:
    tokens = list(WORD.finditer(text))
    plain = {m.group() for m in tokens if m.group().islower()}
    # A text without capitals, as typed on a telephone, gives no other sign of a name.
    flat = len(tokens) > 20 and sum(m.group()[0].isupper() for m in tokens) * 25 < len(tokens)
    found = []
    for place, match in enumerate(tokens):
        word = match.group()
        low = bare(word)
        if low in known.parts:
            if not word[0].isupper() and not flat and not loud(low):
                continue
        elif low in known.words:
            after = tokens[place + 1].group().lower() if place + 1 < len(tokens) else ""
            if after in NOUNS or not personal(text, match, after, said=low in plain):
                continue
        elif not hyphenated(word, known.parts):
            continue
        whole = low in known.parts or low in known.words
        end = match.start() + (len(low) if whole else len(word))
        start = initial_before(text, match.start())
        found.append(Finding(start, end, Identifier.NAMES, "PERSON", 0.8, "spread"))
    return found


def hyphenated(word: str, parts: frozenset[str]) -> bool:
    """`Quintanilla-Reyes`, where one half is known."""
    if "-" not in word or not word[0].isupper():
        return False
    return any(p in parts for p in word.lower().split("-"))


VERBS_LISTED = "was is has had says said will reports denies states called came wants asked went lives works did does wrote agrees took gave felt fell and drove walked cried slept looked brings brought sees saw knows thinks hopes helps needs likes does did goes met sat stood lasered phoned"
VERBS = frozenset(VERBS_LISTED.split())


def personal(text: str, match: re.Match[str], after: str, *, said: bool) -> bool:
    """Does a name that is also a word stand here like a name: capital, bare, inside a sentence?

    At a sentence's head, or in capitals, only what follows can tell. `said`: the text uses the
    word itself, too.
    """
    word, start, end = match.group(), match.start(), match.end()
    if not word[0].isupper() or text[end : end + 1] == "-":
        return False
    before = text[max(0, start - 12) : start]
    if before.endswith("-"):
        return False
    if word.isupper() or not re.search(r"[\w,)]\s$", before):
        return after in VERBS
    last = before.split()[-1]
    return last.lower() not in ARTICLES and not (said and last[0].isupper() and last.isalpha())


def loud(low: str) -> bool:
    """May a lower-case word be this name? Not if it is a word of the language at all."""
    return gazetteers.common_word(low) < 18


def initial_before(text: str, start: int) -> int:
    """Takes in `J. ` or `J.R. ` before a surname."""
    match = re.search(r"(?:\b[A-Z]\.? ?){1,2}$", text[max(0, start - 6) : start])
    if match and match.group().strip() and (match.group().endswith((" ", "."))):
        return start - len(match.group())
    return start


def wholes(text: str, values: tuple[tuple[str, str], ...]) -> list[Finding]:
    """Whole values wherever they stand between word bounds; each is looked up by its first word."""
    low = text.lower()
    if not values or len(low) != len(text):
        return []
    index: dict[str, list[tuple[str, str]]] = {}
    for value, entity in values:
        first = TOKEN.search(value.lower())
        if first:
            index.setdefault(first.group(), []).append((value.lower()[first.start() :], entity))
    found = []
    for token in TOKEN.finditer(low):
        for value, entity in index.get(token.group(), ()):
            start, end = token.start(), token.start() + len(value)
            if low.startswith(value, start) and not low[end : end + 1].isalnum():
                found.append(Finding(start, end, ENTITIES[entity], entity, 0.8, "spread"))
    return found
