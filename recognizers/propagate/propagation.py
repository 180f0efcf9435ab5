"""Finds the other occurrences of a name that was found for certain once in a patient's documents.

It finds parts of the name, LAST, FIRST, initials, possessives and upper case. A part that is also
a common or clinical word is found only where it is used like a name. Initials that are also
clinical abbreviations (`PT`, `RA`, `OB`) count only where a person signs, acts or is addressed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from recognizers.constants import constant
from recognizers.evidence.word_evidence import FREQUENCIES, SHORT_FORMS, vocabulary
from recognizers.finding import ENTITIES, PERSON, Finding
from recognizers.propagate.certain import (
    POSSESSIVES,
    SPREADING,
    CertainValues,
    is_never_initials,
    lettered_word,
    lower_one_for_one,
    without_possessive,
)
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list
from recognizers.words.word_lists import EPONYM_NOUNS

PART_SCORE = constant("propagation", "score of a part")
WHOLE_SCORE = constant("propagation", "score of a whole")
INITIALS_SCORE = constant("propagation", "score of initials")
# Words that follow an eponym, but rarely a person's name.
NOUNS = plain_list("clinical/after_names")
# Nouns that often follow an eponym: `disease`, `drain`.
THINGS = plain_list("clinical/after_eponyms")
PERSON_VERBS = plain_list("names/person_verbs")
ARTICLES = frozenset({"the", "a", "an", "no", "this", "that", "had", "has", "with", "w/", "of"})
LEFT_CONTEXT = 24
# More words than these are found faster by one pass over the text.
FEW = 64


def spread(start: int, end: int, entity: str, score: float) -> Finding:
    return Finding(start, end, ENTITIES[entity], entity, score, "spread")


def propagate(text: str, known: CertainValues, covered: Sequence[Finding]) -> list[Finding]:
    """Findings for the occurrences of known values that are not yet covered."""
    if known == CertainValues():
        return []
    found = [*find_name_parts(text, known), *wholes(text, known.wholes)]
    found += find_initials(text, known.initials, known.letters)
    starts, ends = [f.start for f in covered], [0, *(f.end for f in covered)]
    return [f for f in found if f.end > ends[bisect_right(starts, f.start)]]


def find_name_parts(text: str, known: CertainValues) -> list[Finding]:
    """The parts of known names wherever they are used like names."""
    words, starts = cut(text, SPREADING["WORDS"])
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
    flat = len(words) > 20 and sum(word[0].isupper() for word in words) * 25 < len(words)
    found = []
    for place, word in enumerate(words):
        if word not in asked:
            continue
        low, begun = asked[word], starts[place]
        if low in known.parts:
            rare = gazetteers.common_word(low) < FREQUENCIES["name in small letters"]
            if not (word[0].isupper() or flat or low in known.low or rare):
                continue
        elif low in known.words:
            after = words[place + 1].lower() if place + 1 < len(words) else ""
            if after in NOUNS or not stands_as_name(text, begun, word, after, said=low in forms):
                continue
        end = begun + len(low if low in whole else word)
        found.append(spread(begun, end, PERSON, PART_SCORE))
    return found


def cut(text: str, words: re.Pattern[str]) -> tuple[list[str], list[int]]:
    """The words of a text, and the start of each."""
    pieces = words.split(text)
    return pieces[1::2], list(accumulate(map(len, pieces)))[::2]


def hyphenated(word: str, parts: frozenset[str]) -> bool:
    """Whether one half of a hyphenated word is a known name: `Quintanilla-Reyes`."""
    halves = word.split("-")
    capitals = all(half[:1].isupper() for half in halves)
    return capitals and any(lower_one_for_one(half) in parts for half in halves)


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
    if SPREADING["BEFORE"].search(before) and not (thing and before.lower().endswith("by ")):
        return True
    if eponym and right[:1] in {"'", "\u2019"}:
        return belongs(text, end + 1, after)
    owns = SPREADING["AFTER"].match(text, start + len(without_possessive(word)))
    cell = SPREADING["CELL_BEFORE"].search(before) and SPREADING["CELL_AFTER"].match(right)
    if not eponym and (owns or (cell and not word.isupper())):
        return True
    if word.isupper() or not SPREADING["MID_SENTENCE"].search(before):
        remark = SPREADING["REMARK"].match(text, end)
        verb = remark[1] if remark and remark[1] in PERSON_VERBS else after
        return verb in PERSON_VERBS or (not thing and after in {"out", "off"})
    last = before.split()[-1]
    articles = ARTICLES if thing else ARTICLES - {"with", "w/"}
    return last.lower() not in articles and not (said and last[0].isupper() and last.isalpha())


def belongs(text: str, end: int, after: str) -> bool:
    """Whether the word after an eponym's `'s` belongs to a person: `Parkinson's gait improved`.

    Before a disease, a sign or a drug, or at the end of a phrase, the eponym is medical.
    """
    beside = text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha()
    return beside and not any(after in nouns for nouns in (NOUNS, EPONYM_NOUNS, THINGS))


def standing(low: str, tokens: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield each occurrence of these words with its offset."""
    if len(tokens) > FEW:
        yield from (
            (t, at) for t, at in zip(*cut(low, SPREADING["TOKENS"]), strict=False) if t in tokens
        )
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
        first = SPREADING["TOKEN"].search(lower_one_for_one(value))
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
            found += [spread(start, end, entity, WHOLE_SCORE) for entity in entities[value]]
    return found


def find_initials(text: str, named: frozenset[str], seen: frozenset[str]) -> Iterator[Finding]:
    """Findings of known initials: `named` of full names, in capitals, and `seen` as found."""
    if not named and not seen:
        return
    upper = {letters.upper() for letters in seen}
    yield from companions(text, upper)
    both = named | upper
    both |= {letters.lower() for letters in both}
    pattern = SPREADING["INITIALS"]
    if both.isdisjoint(row.replace(".", "") for row in set(pattern.findall(text))):
        return
    for match in pattern.finditer(text):
        written = match.group().replace(".", "")
        unseen = written == "to" and written not in seen
        if written not in both or is_never_initials(written) or unseen:
            continue
        start, end = match.span()
        left, right = text[max(0, start - LEFT_CONTEXT) : start], text[end : end + LEFT_CONTEXT]
        dotted = written != match.group() and not vocabulary(written.lower())
        if dotted or stands_as_initials(written, left, right, named, seen, upper):
            yield spread(start, end, PERSON, INITIALS_SCORE)


def companions(text: str, upper: set[str]) -> Iterator[Finding]:
    """The unknown initials in a pair with known ones: `KD/rt`, `st / jw`."""
    for match in SPREADING["SLASHED"].finditer(text) if upper else ():
        first, second = (letters.upper() in upper for letters in match.groups())
        if first == second:
            continue
        unknown = 2 if first else 1
        written = match.group(unknown)
        listed = written.lower() in plain_list("names/beside_initials")
        if len(written) < 4 and not is_never_initials(written) and not listed:
            yield spread(*match.span(unknown), PERSON, INITIALS_SCORE)


def stands_as_initials(
    written: str,
    left: str,
    right: str,
    named: frozenset[str],
    seen: frozenset[str],
    upper: set[str],
) -> bool:
    """Whether these letters are a person's initials at this place."""
    letters = written.upper()
    sure = acting(left, right, upper)
    if vocabulary(written.lower()):
        return (written in seen or letters in named) and sure
    ambiguous = written.lower() in SHORT_FORMS or lettered_word(written)
    plain = not ambiguous and (letters in upper or written.isupper() or len(letters) > 2)
    if SPREADING["STATES"].fullmatch(written):
        postal = SPREADING["POSTAL_LEFT"].search(left) or SPREADING["POSTAL_RIGHT"].match(right)
        return sure or (plain and not postal)
    if sure or plain:
        return True
    place = SPREADING["SIGNED_LEFT"].search(left) and SPREADING["SIGNED_RIGHT"].match(right)
    joined = left.endswith("/") or right.startswith("/")
    return place is not None and (written.isupper() or letters in upper or joined)


# What stands to the left and to the right of initials where a person signs, acts or answers.
ACTING_PLACES = (
    ("ACTING_LEFT", "ANYWHERE"),
    ("ANYWHERE", "ACTING_RIGHT"),
    ("ENTRY_START", "COLON_RIGHT"),
    ("CLOCK_LEFT", "CLOCK_RIGHT"),
    ("CELL_LEFT", "CELL_RIGHT"),
)


def acting(left: str, right: str, upper: set[str]) -> bool:
    """Whether a person acts here, or known initials are beside it in a list: `PT, HB, ED`."""
    before, after = SPREADING["LISTED_BEFORE"].search(left), SPREADING["LISTED_AFTER"].match(right)
    if any(beside is not None and beside[1].upper() in upper for beside in (before, after)):
        return True
    return any(
        SPREADING[before].search(left) and SPREADING[after].match(right)
        for before, after in ACTING_PLACES
    )
