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
from operator import itemgetter

from recognizers import gazetteers
from recognizers.entities import ENTITIES
from recognizers.finding import Finding
from recognizers.measures import measured
from recognizers.names_evidence import (
    NOBODY,
    PARTICLES,
    SHORT_FORMS,
    STOPS,
    SUFFIXES,
    called_after,
    clinical,
    namely,
    ordinary,
)
from recognizers.normal import FILL, unescaped
from recognizers.spreading_initials import initials_of, letters_of, signed
from safe_harbor import Identifier

CERTAIN = 0.8
# Enough where the word is nothing but a name.
LIKELY = 0.55
# Enough for letters that stand as initials do.
LIKELY_LETTERS = 0.5
POSSESSIVES = ("'s", "\u2019s", "\u02bcs")
OWNER = re.compile(r"([A-Z][a-z]{2,}['\u2019]s) [A-Z]")
TOKEN = re.compile(r"[^\W_]+")
FIRST = itemgetter(0)
WORD = re.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")
SPREAD_ENTITIES = frozenset({"FACILITY", "EMPLOYER", "STREET_ADDRESS", "MEDICAL_RECORD_NUMBER", "ACCOUNT_NUMBER", "HEALTH_PLAN_NUMBER",
                             "LICENSE_NUMBER", "DEVICE_ID", "OTHER_ID", "US_SSN", "VEHICLE_ID", "CITY"})  # fmt: skip


# What follows an eponym; a person is seldom followed by these.
NOUNS_LISTED = (
    "sign signs test tests catheter syndrome disease score scale criteria maneuver manoeuvre procedure operation repair clamp "
    "retractor forceps stain lymphoma sarcoma tumor tumour palsy cell cells bodies body phenomenon reflex esophagus esophagitis "
    "fracture nodes node type class stage grade classification index formula method technique incision approach position angle "
    "ulcer contracture lesion nail plate rod pin bag drain tube line port cannula needle balloon stent valve graft mesh brace "
    "collar boot splint cast regimen protocol diet stones ring rings point triangle canal duct fascia ligament space lines "
    "cyst cysts suture hernia gland glands period knot knots categories sequence neg negative pos positive passer elevator plexus hicks"
)
NOUNS = frozenset(NOUNS_LISTED.split())
ARTICLES = frozenset({"the", "a", "an", "no", "this", "that", "had", "has", "with", "w/", "of"})


@dataclass(frozen=True)
class Known:
    """What was found for certain in a patient's documents. Its repr shows counts only.

    `parts` name a person wherever they stand; `words` are also words of the language or the
    clinic and count only where they stand like a name. `low` were found in small letters,
    `short` are given names of two letters. `initials` are those of full names, `letters` those
    found as such, as written.
    """

    parts: frozenset[str] = field(default=frozenset(), repr=False)
    words: frozenset[str] = field(default=frozenset(), repr=False)
    low: frozenset[str] = field(default=frozenset(), repr=False)
    short: frozenset[str] = field(default=frozenset(), repr=False)
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
            self.low | other.low,
            self.short | other.short,
            self.initials | other.initials,
            self.letters | other.letters,
            tuple(sorted(wholes.items(), key=lambda item: (-len(item[0]), item[0]))),
        )

    def __repr__(self) -> str:
        return f"Known(parts={len(self.parts)}, words={len(self.words)}, wholes={len(self.wholes)})"


def learn(pairs: Iterable[tuple[str, Sequence[Finding]]]) -> Known:
    """Gathers name parts and whole values from the certain findings of several documents."""
    lesson = Lesson()
    for text, findings in pairs:
        for finding in findings:
            value = text[finding.start : finding.end]
            if finding.entity == "PERSON" and finding.source == "names_initials":
                lesson.letters |= letters_of(value)
            elif finding.entity == "PERSON":
                lesson.person(unescaped(value).replace(FILL, ""), finding.score)
            elif (
                finding.score >= CERTAIN
                and finding.entity in SPREAD_ENTITIES
                and telling(value, finding.entity)
            ):
                lesson.wholes[value] = finding.entity
                if short := owner(value):
                    lesson.wholes[short] = finding.entity
    return lesson.known()


# Given names that are among the stops: they count where they stand like a name.
NEVER_TAUGHT = (PARTICLES | SUFFIXES | STOPS | NOBODY) - {"will", "june", "april"}


@dataclass
class Lesson:
    """What is gathered on the way to a `Known`."""

    parts: set[str] = field(default_factory=set, repr=False)
    words: set[str] = field(default_factory=set, repr=False)
    low: set[str] = field(default_factory=set, repr=False)
    short: set[str] = field(default_factory=set, repr=False)
    initials: set[str] = field(default_factory=set, repr=False)
    letters: set[str] = field(default_factory=set, repr=False)
    wholes: dict[str, str] = field(default_factory=dict, repr=False)

    def person(self, name: str, score: float) -> None:
        """Takes in a name: its words, each by its kind, and its initials."""
        for word in WORD.findall(name):
            low = bare(word)
            if len(low) < 3 or low in NEVER_TAUGHT:
                continue
            # `Ms. Tro`: charts write TRO of something else.
            form = low in SHORT_FORMS
            if form and (score < CERTAIN or not word.istitle() or gazetteers.common_word(low)):
                continue
            kind = self.words if form or ordinary(low) or clinical(low) else self.parts
            if score < CERTAIN and (score < LIKELY or kind is self.words or not unworded(low)):
                continue
            row = word.isupper() and len(low) < 6 and not borne(low)
            if row and (score < CERTAIN or word == name):
                continue
            kind.add(low)
            if word.islower():
                self.low.add(low)
        if score >= LIKELY_LETTERS:
            self.letters |= letters_of(name)
        if score < CERTAIN:
            return
        first = WORD.match(name)
        if first and brief(first.group()):
            self.short.add(first.group())
        self.initials |= initials_of(name)

    def known(self) -> Known:
        return Known(
            frozenset(self.parts),
            frozenset(self.words - self.parts),
            frozenset(self.low & self.parts),
            frozenset(self.short),
            frozenset(self.initials),
            frozenset(self.letters),
            tuple(sorted(self.wholes.items(), key=lambda item: (-len(item[0]), item[0]))),
        )


def unworded(low: str) -> bool:
    """Is it in no list of words?"""
    return not gazetteers.common_word(low) and not gazetteers.clinical_word(low)


def borne(low: str) -> bool:
    """Does anybody bear it? Capitals in a row may be a short form."""
    return bool(gazetteers.first_name(low) or gazetteers.surname(low))


def brief(word: str) -> bool:
    """A given name of two letters: `Jo`, `Ty`."""
    return (
        len(word) == 2
        and word.istitle()
        and word.lower() not in STOPS | PARTICLES | UNITS
        and gazetteers.first_name(word) > 8
    )


UNITS = frozenset(["an", "my", "so", "we", "he", "me", "us", "li", "co", "mg", "na", "ca"])


def bare(word: str) -> str:
    """In lower case, without a possessive's ending."""
    low = word.lower()
    return low[:-2] if low[-1:] == "s" and low.endswith(POSSESSIVES) else low


def owner(value: str) -> str:
    """`Harlow's` of a shop or a house found as `Harlow's Drug`; nothing where it names no owner."""
    match = OWNER.match(value)
    return match.group(1) if match and not ordinary(bare(match.group(1))) else ""


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
    return [f for f in found if not within(f, covered, starts) and not measured(text, f)]


def within(finding: Finding, covered: Sequence[Finding], starts: list[int]) -> bool:
    """Is it covered already? `covered` is ordered and disjoint, `starts` its starts."""
    place = bisect_right(starts, finding.start) - 1
    return place >= 0 and finding.end <= covered[place].end


def names(text: str, known: Known) -> list[Finding]:
    words = WORD.findall(text)
    forms, whole = set(words), known.parts | known.words
    asked = {
        word: low
        for word in forms
        if (low := bare(word)) in whole
        or word in known.short
        or ("-" in word and hyphenated(word, known.parts))
    }
    if not asked:
        return []
    # A text without capitals, as typed on a telephone, gives no other sign of a name.
    flat = len(words) > 20 and sum(map(str.isupper, map(FIRST, words))) * 25 < len(words)
    found = []
    for place, token in enumerate(WORD.finditer(text)):
        word = words[place]
        if word not in asked:
            continue
        low = asked[word]
        if low in known.parts:
            if not word[0].isupper() and not flat and low not in known.low and not loud(low):
                continue
        elif low in known.words:
            after = words[place + 1].lower() if place + 1 < len(words) else ""
            if after in NOUNS or not personal(text, token, after, said=low in forms):
                continue
        begun = token.start()
        end = begun + len(low if low in whole else word)
        start = initial_before(text, begun)
        found.append(Finding(start, end, Identifier.NAMES, "PERSON", 0.8, "spread"))
    return found


def hyphenated(word: str, parts: frozenset[str]) -> bool:
    """`Quintanilla-Reyes`, where one half is known."""
    if not word[0].isupper():
        return False
    halves = word.split("-")
    return all(h[:1].isupper() for h in halves) and any(h.lower() in parts for h in halves)


VERBS_LISTED = "was is has had says said will reports denies states called came wants asked went lives works did does wrote agrees took gave felt fell and drove walked cried slept looked brings brought sees saw knows thinks hopes helps needs likes goes met sat stood lasered phoned paged texted aware notified ok'd signed asks gives calls tells told reran assisting covering rounding following retired"
VERBS = frozenset(VERBS_LISTED.split())
# What stands before a person and not before a thing, in any case of letters.
BEFORE = re.compile(
    r"(?i)(?:\b(?:dr|mr|mrs|ms|miss|by|per|told|asked|d/w|texted|paged|called|notified|thanks|thx|cc|attg|sup) |\b(?:dr|mr|mrs|ms)\. )$"
)
AFTER = re.compile(r"['\u2019\u02bc][sS](?! (?i:day|disease|syndrome|eye)\b)")
# ... with what is said of the name in brackets between: `Doc (a nickname) says`.
SAYING = re.compile(rf" \([^()\n]{{1,60}}\),? (?:{'|'.join(VERBS_LISTED.split())})\b")
SENTENCE = re.compile(r"[\w,)]\s$|\bw/ ?$|[a-z]/$|[&+(] ?$")
CELL_BEFORE, CELL_AFTER = re.compile(r"(?:[|\t]|  )[ ]?$"), re.compile(r"\*?[ ]?(?:[|\t\n]|  |$)")


def personal(text: str, match: re.Match[str], after: str, *, said: bool) -> bool:
    """Does a name that is also a word stand here like a name: capital, bare, inside a sentence?

    At a sentence's head, or in capitals, only what stands beside it can tell. `said`: the text
    uses the word itself, too.
    """
    word, start, end = match.group(), match.start(), match.end()
    before, right = text[max(0, start - 12) : start], text[end : end + 8]
    if before.endswith("-") or right.startswith("-"):
        return False
    if not word[0].isupper() or (word.isupper() and word.lower() in SHORT_FORMS):
        return False
    eponym = gazetteers.eponym(bare(word))
    if eponym and word.lower().endswith(POSSESSIVES):
        return belongs(text, end, after)
    thing = eponym or gazetteers.clinical_word(bare(word))
    if BEFORE.search(before) and not (thing and before.lower().endswith("by ")):
        return True
    if eponym and right[:1] in {"'", "\u2019"}:
        return belongs(text, end + 1, after)
    if not eponym and (AFTER.match(text, start + len(bare(word))) or celled(word, before, right)):
        return True
    if word.isupper() or not SENTENCE.search(before):
        if SAYING.match(text, end):
            return True
        return after in VERBS or (not thing and after in {"out", "off"})
    last = before.split()[-1]
    articles = ARTICLES if thing else ARTICLES - {"with", "w/"}
    return last.lower() not in articles and not (said and last[0].isupper() and last.isalpha())


def belongs(text: str, end: int, after: str) -> bool:
    """Does what follows an eponym's `'s` belong to a person who bears it: `Parkinson's gait improved`?

    A disease, a sign, a drug for it, or the end of what is said belong to medicine.
    """
    beside = text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha()
    return beside and after not in NOUNS and not called_after(after)


def celled(word: str, before: str, right: str) -> bool:
    """Does it fill a cell of a row?"""
    return not word.isupper() and bool(CELL_BEFORE.search(before) and CELL_AFTER.match(right))


def loud(low: str) -> bool:
    """May a lower-case word be this name? Not if it is a word of the language at all."""
    return gazetteers.common_word(low) < 18


def initial_before(text: str, start: int) -> int:
    """Takes in `J. ` or `J.R. ` before a surname."""
    match = re.search(r"(?:\b[A-Z]\.? ?){1,2}$", text[max(0, start - 6) : start])
    if match and match.group().strip() and (match.group().endswith((" ", "."))):
        return start - len(match.group())
    return start


def lowered(text: str) -> str:
    """In small letters, one for one: of `İ`, whose small letter is two characters, the first."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(char.lower()[0] for char in text)


def wholes(text: str, values: tuple[tuple[str, str], ...]) -> list[Finding]:
    """Whole values wherever they stand between word bounds.

    At each word the values that begin with it are looked up by their lengths, which are few,
    though a ledger's thousand numbers may begin alike.
    """
    if not values:
        return []
    low = lowered(text)
    entities: dict[str, list[str]] = {}
    lengths: dict[str, set[int]] = {}
    for value, entity in values:
        first = TOKEN.search(lowered(value))
        if first:
            known = first.string[first.start() :]
            entities.setdefault(known, []).append(entity)
            lengths.setdefault(first.group(), set()).add(len(known))
    found = []
    for token in TOKEN.finditer(low):
        start = token.start()
        for length in lengths.get(token.group(), ()):
            value, end = low[start : start + length], start + length
            if value not in entities or end > len(low) or low[end : end + 1].isalnum():
                continue
            # An owner alone would be taken for a person, without the ending of the house.
            score = 0.95 if value.endswith(POSSESSIVES) else 0.8
            found += [
                Finding(start, end, ENTITIES[entity], entity, score, "spread")
                for entity in entities[value]
            ]
    return found
