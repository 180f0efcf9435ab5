# ruff: noqa: E501 -- a pattern reads best on one line
"""Finds the other occurrences of a name that was found for certain once in a patient's documents.

It finds parts of the name, LAST, FIRST, initials with the surname, possessives and upper case. A
part that is also a common or clinical word is found only where it is used like a name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter

from recognizers.constants import constant
from recognizers.evidence.word_evidence import (
    FREQUENCIES,
    SHORT_FORMS,
    called_after,
)
from recognizers.finding import ENTITIES, PERSON, Finding
from recognizers.propagate.certain import (
    POSSESSIVES,
    WORD_OF_LETTERS,
    CertainValues,
    lower_one_for_one,
    without_possessive,
)
from recognizers.propagate.initials import find_initials
from recognizers.text.measures import measured
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list
from safe_harbor import Identifier

ALPHANUMERIC = re.compile(r"[^\W_]+")
# Patterns that split a text into alternating gaps and words.
TOKENS, WORDS = (
    re.compile(rf"({ALPHANUMERIC.pattern})"),
    re.compile(rf"({WORD_OF_LETTERS.pattern})"),
)
BY_START = itemgetter(0)
PART_SCORE = constant("propagation", "score of a part")
WHOLE_SCORE = constant("propagation", "score of a whole")
OWNER_SCORE = constant("propagation", "score of an owner")


# Words that follow an eponym, but rarely a person's name.
NOUNS = plain_list("clinical/after_names")
ARTICLES = frozenset({"the", "a", "an", "no", "this", "that", "had", "has", "with", "w/", "of"})


def propagate(text: str, known: CertainValues, covered: Sequence[Finding]) -> list[Finding]:
    """Findings for the occurrences of known values that are not yet covered."""
    if known == CertainValues():
        return []
    starts = [f.start for f in covered]
    found = [*find_name_parts(text, known), *wholes(text, known.wholes)]
    found += find_initials(text, known.initials, known.letters)
    return [f for f in found if not is_covered(f, covered, starts) and not measured(text, f)]


def is_covered(finding: Finding, covered: Sequence[Finding], starts: list[int]) -> bool:
    """Whether `covered`, ordered and disjoint, contains the finding; `starts` are its starts."""
    place = bisect_right(starts, finding.start) - 1
    return place >= 0 and finding.end <= covered[place].end


def find_name_parts(text: str, known: CertainValues) -> list[Finding]:
    """The parts of known names wherever they are used like names."""
    words, starts = cut(text, WORDS)
    forms, whole = set(words), known.parts | known.words
    asked = {
        word: low
        for word in forms
        if (low := without_possessive(word)) in whole
        or word in known.short
        or ("-" in word and hyphenated(word, known.parts))
    }
    if not asked:
        return []
    # In a text without capitals, as typed on a phone, a name may be in small letters.
    flat = len(words) > 20 and sum(map(str.isupper, map(BY_START, words))) * 25 < len(words)
    found = []
    for place, word in enumerate(words):
        if word not in asked:
            continue
        low, begun = asked[word], starts[place]
        if low in known.parts:
            if not word[0].isupper() and not flat and low not in known.low and not loud(low):
                continue
        elif low in known.words:
            after = words[place + 1].lower() if place + 1 < len(words) else ""
            if after in NOUNS or not stands_as_name(text, begun, word, after, said=low in forms):
                continue
        end = begun + len(low if low in whole else word)
        start = initial_before(text, begun)
        found.append(Finding(start, end, Identifier.NAMES, PERSON, PART_SCORE, "spread"))
    return found


def cut(text: str, words: re.Pattern[str]) -> tuple[list[str], list[int]]:
    """The words of a text, and the start of each."""
    pieces = words.split(text)
    return pieces[1::2], list(accumulate(map(len, pieces)))[::2]


def hyphenated(word: str, parts: frozenset[str]) -> bool:
    """Whether one half of a hyphenated word is a known name: `Quintanilla-Reyes`."""
    if not word[0].isupper():
        return False
    halves = word.split("-")
    return all(h[:1].isupper() for h in halves) and any(
        lower_one_for_one(h) in parts for h in halves
    )


PERSON_VERBS = plain_list("names/person_verbs")
# Words before a person and not before a thing, in any letter case.
BEFORE = re.compile(
    r"(?i)(?:\b(?:dr|mr|mrs|ms|miss|by|per|told|asked|d/w|texted|paged|called|notified|thanks|thx|cc|attg|sup) |\b(?:dr|mr|mrs|ms)\. )$"
)
AFTER = re.compile(r"['\u2019\u02bc][sS](?! (?i:day|disease|syndrome|eye)\b)")
# A verb after a remark in brackets: `Doc (a nickname) says`.
SAYING = re.compile(rf" \([^()\n]{{1,60}}\),? (?:{'|'.join(sorted(PERSON_VERBS))})\b")
MID_SENTENCE = re.compile(r"[\w,)]\s$|\bw/ ?$|[a-z]/$|[&+(] ?$")
CELL_BEFORE, CELL_AFTER = re.compile(r"(?:[|\t]|  )[ ]?$"), re.compile(r"\*?[ ]?(?:[|\t\n]|  |$)")


def stands_as_name(text: str, start: int, word: str, after: str, *, said: bool) -> bool:
    """Whether a name that is also a word is used as a name: capitalized, inside a sentence.

    At the start of a sentence, or in capitals, only the words beside it decide. `said` means that
    the text also has the word in small letters.
    """
    end = start + len(word)
    before, right = text[max(0, start - 12) : start], text[end : end + 8]
    if before.endswith("-") or right.startswith("-"):
        return False
    if not word[0].isupper() or (word.isupper() and word.lower() in SHORT_FORMS):
        return False
    eponym = gazetteers.eponym(without_possessive(word))
    if eponym and word.lower().endswith(POSSESSIVES):
        return belongs(text, end, after)
    thing = eponym or gazetteers.clinical_word(without_possessive(word))
    if BEFORE.search(before) and not (thing and before.lower().endswith("by ")):
        return True
    if eponym and right[:1] in {"'", "\u2019"}:
        return belongs(text, end + 1, after)
    if not eponym and (
        AFTER.match(text, start + len(without_possessive(word))) or celled(word, before, right)
    ):
        return True
    if word.isupper() or not MID_SENTENCE.search(before):
        if SAYING.match(text, end):
            return True
        return after in PERSON_VERBS or (not thing and after in {"out", "off"})
    last = before.split()[-1]
    articles = ARTICLES if thing else ARTICLES - {"with", "w/"}
    return last.lower() not in articles and not (said and last[0].isupper() and last.isalpha())


def belongs(text: str, end: int, after: str) -> bool:
    """Whether the word after an eponym's `'s` belongs to a person: `Parkinson's gait improved`.

    Before a disease, a sign or a drug, or at the end of a phrase, the eponym is medical.
    """
    beside = text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha()
    return beside and after not in NOUNS and not called_after(after)


def celled(word: str, before: str, right: str) -> bool:
    """Whether the word fills a cell of a table."""
    return not word.isupper() and bool(CELL_BEFORE.search(before) and CELL_AFTER.match(right))


def loud(low: str) -> bool:
    """Whether a word in small letters may be a known name. Frequent English words may not."""
    return gazetteers.common_word(low) < FREQUENCIES["name in small letters"]


INITIALS_BEFORE = re.compile(r"(?:\b[A-Z]\.? ?){1,2}$")


def initial_before(text: str, start: int) -> int:
    """Return where the name starts, including `J. ` or `J.R. ` before it."""
    match = INITIALS_BEFORE.search(text[max(0, start - 6) : start])
    if match and match.group().strip() and (match.group().endswith((" ", "."))):
        return start - len(match.group())
    return start


# More words than these are found faster by one pass over the text.
FEW = 64


def standing(low: str, tokens: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield each occurrence of these words with its offset."""
    if len(tokens) > FEW:
        yield from ((t, at) for t, at in zip(*cut(low, TOKENS), strict=False) if t in tokens)
        return
    for token in tokens:
        at = low.find(token)
        while at >= 0:
            end = at + len(token)
            if not low[at - 1 : at].isalnum() and not low[end : end + 1].isalnum():
                yield token, at
            at = low.find(token, end)


def wholes(text: str, values: tuple[tuple[str, str], ...]) -> list[Finding]:
    """Whole values wherever they occur between word boundaries.

    At each word, the values that begin with the word are looked up by length: the lengths are few
    even if a thousand account numbers begin with the same word.
    """
    if not values:
        return []
    low = lower_one_for_one(text)
    entities: dict[str, list[str]] = {}
    lengths: dict[str, set[int]] = {}
    for value, entity in values:
        first = ALPHANUMERIC.search(lower_one_for_one(value))
        if first:
            known = first.string[first.start() :]
            entities.setdefault(known, []).append(entity)
            lengths.setdefault(first.group(), set()).add(len(known))
    found = []
    for token, start in standing(low, lengths):
        for length in lengths[token]:
            value, end = low[start : start + length], start + length
            if value not in entities or end > len(low) or low[end : end + 1].isalnum():
                continue
            score = OWNER_SCORE if value.endswith(POSSESSIVES) else WHOLE_SCORE
            found += [
                Finding(start, end, ENTITIES[entity], entity, score, "spread")
                for entity in entities[value]
            ]
    return found
