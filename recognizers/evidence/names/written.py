# ruff: noqa: E501 -- a pattern reads best on one line
"""Names known by how they are written: LAST, FIRST, nicknames, babies, runs, initials, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recognizers.evidence.names.cues import CAP, CREDENTIALS
from recognizers.evidence.names.word_evidence import (
    PARTICLES,
    SHORT_FORMS,
    STOPS,
    called_after,
    clinical,
    ordinary,
    personal,
    prefers_name,
    worded,
)
from recognizers.evidence.rules import Hit, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

PERSON = "PERSON"
LAST_FIRST = r"\b((?:[A-Z][a-z]+|[A-Z]{2,})(?:['-](?:[A-Z][a-z]+|[A-Z]{2,}))*(?: (?:[A-Z][a-z]+|[A-Z]{2,})(?:-[A-Za-z]+)?)?,[ ]?[A-Z][A-Za-z'-]+(?: [A-Z][A-Za-z]*\.?)?)"


def last_first(page: NormalizedText) -> Iterator[Hit]:
    """LAST, FIRST M: sure where it stands in capitals or alone in its cell.

    Where several cells hold such names, those that are words (`Graves, Basil`) are names, too.
    """
    doubted: list[tuple[int, int]] = []
    rows = 0
    for start, end in matches(LAST_FIRST, page):
        start += led(page.text[start:end])
        tail = TAIL.search(page.text, start, end)
        if tail and titled(tail):
            end = tail.start(1)
        words = re.findall(r"[A-Za-z'-]+", page.text[start:end])
        last, given = page.text[start:end].split(",", 1)
        first = re.findall(r"[A-Za-z'-]+", given)[0]
        if any(w.lower() in STOPS for w in words) or re.fullmatch(CREDENTIALS, first):
            continue
        if len(first) < 3 and first.isupper():
            continue
        # `Nakagawa, ROC 2/3`, `Arceneaux, D-ABMDI`, `LOC, RMA'd`
        if (first.isupper() and not prefers_name(first) and not last.isupper()) or first.endswith(
            "'d"
        ):
            continue
        if last.isupper() and any(w.lower() in SHORT_FORMS for w in last.split()[:-1]):
            continue  # `DSDNA AB, ELISA`
        family = last.split()[-1]
        alone = page.left(start, 3).strip(" \t|:*_#>") == ""
        # `Breslow, Clark, Gleason`: two eponyms side by side need a field that says whose they are.
        led_in = (alone and not clinical(first)) or OF_WHOM.search(page.left(start, 24))
        if led_in and gazetteers.eponym(family) and gazetteers.first_name(first) > 12:
            yield Hit(start, end, PERSON, 0.92, "last, first, an eponym's bearer")
            continue
        if personal(first, family) and not (clinical(family) and clinical(first)):
            sure = alone or last.isupper()
            both = (
                prefers_name(first)
                and prefers_name(family)
                and not ordinary(first)
                and not ordinary(family)
            )
            score = 0.92 if both and gazetteers.first_name(first) > 7 else 0.8 if sure else 0.6
            rows += alone and score > 0.8
            yield Hit(start, end, PERSON, score, "last, first")
        elif alone and gazetteers.first_name(first) and gazetteers.surname(family):
            sure = gazetteers.first_name(first) > 10 and gazetteers.surname(family) > 10
            if sure:
                doubted.append((start, end))
            yield Hit(start, end, PERSON, 0.55, "last, first, words too")
    for start, end in doubted if rows > 2 else ():
        yield Hit(start, end, PERSON, 0.9, "last, first, in a list")


# A field of the form that says whose it is.
OF_WHOM = re.compile(
    r"(?i)\b(?:patient|pt|name|resident|member|client|re)(?: name)?[ ]?[:#]+[ \t]*$"
)
LED = re.compile(
    r"(E-?SIGN|COSIGN|SIGNED|ATTN|[A-Z]{2,4}|(?i:sibs?|siblings|kids|children|sons|daughters|brothers|sisters|twins|parents|rel|fam)) (?:(?=[A-Z][a-z])|(?<=SIGN )(?=[A-Z])|(?<=SIGNED )(?=[A-Z])|(?<=ATTN )(?=[A-Z]))"
)


# Capitals behind a given name in small letters: `Rabinowitz, Faye ETOH`.
TAIL = re.compile(r"[a-z]( [A-Z]{3,}(?:\.)?)$")


def titled(tail: re.Match[str]) -> bool:
    word = tail.group(1).strip(" .")
    return word.lower() in SHORT_FORMS or re.fullmatch(CREDENTIALS, word) is not None


def led(value: str) -> int:
    """How long the short form or the kin is that stands before a surname: `BMT Ruvalcaba, Ines`."""
    match = LED.match(value)
    if match is None:
        return 0
    word = match.group(1)
    return match.end() if not word.isupper() or not gazetteers.surname(word) else 0


LISTED = r"(?:^|\n)[ ]*\d{1,4}[A-Z]?(?:-\d)?[.):]?[ ]+([A-Z][a-z]{2,}(?:-[A-Z][a-z]+)?, ?[A-Z])(?:[^A-Za-z0-9'/&-]|\z)"
LAST_INITIAL = r"(?:\d |^|[\n\t|]|  )([A-Z]{3,}(?:-[A-Z]{2,})?, ?[A-Z])(?:[^A-Za-z0-9'/&-]|\z)"


def last_initial(page: NormalizedText) -> Iterator[Hit]:
    """`PECK,L` in a list, `Poole, T` after a bed's number; one that is no word bears out the rest."""
    spans = [*matches(LAST_INITIAL, page), *matches(LISTED, page)]
    lasts = [page.text[start:end].split(",")[0].split("-")[0] for start, end in spans]
    plain = [bool(gazetteers.surname(w)) and not clinical(w) and not ordinary(w) for w in lasts]
    for (start, end), last, sure in zip(spans, lasts, plain, strict=True):
        if gazetteers.surname(last) and not clinical(last) and last.lower() not in STOPS:
            yield Hit(start, end, PERSON, 0.9 if sure or sum(plain) > 1 else 0.6, "last, initial")


GIVEN_INITIAL = r"(?:^|[\n (\"])([A-Z][a-z]{2,} [A-Z]\.)(?:[,;:)\"\n]|\z)"


def given_initial(page: NormalizedText) -> Iterator[Hit]:
    """`Peter M.,` inside a sentence: a common given name and one letter."""
    for start, end in matches(GIVEN_INITIAL, page):
        word = page.text[start : end - 3]
        if word.lower() in STOPS or gazetteers.eponym(word):
            continue
        if gazetteers.first_name(word) > (14 if ordinary(word) else 8):
            yield Hit(start, end, PERSON, 0.9, "given name and initial")


SHORTENED = r"Wm|Chas|Geo|Jos|Thos|Jas|Robt|Benj|Saml|Edw|Danl|Eliz|Fredk|Theo|Patk|Richd"
NICKED = (
    rf"\b((?:(?:{SHORTENED})\.?|[A-Z][a-z]+)(?: [A-Z]\.?)? \(?[\"'][A-Z][A-Za-z]+[\"']\)? {CAP})"
)


def nicknamed(page: NormalizedText) -> Iterator[Hit]:
    """`Wm. ("Swede") Lindquist`: given name, nickname in quotes, surname."""
    for start, end in matches(NICKED, page):
        words = re.findall(r"[A-Za-z'-]+", page.text[start:end])
        first, last = words[0], words[-1]
        given = re.fullmatch(SHORTENED, first) or gazetteers.first_name(first) > 4
        if given and first.lower() not in STOPS and (gazetteers.surname(last) or not worded(last)):
            yield Hit(start, end, PERSON, 0.92, "nickname in quotes")


BABY = r"\b([A-Z][A-Za-z'-]{2,}, ?(?i:baby) ?(?i:boy|girl)(?: [A-D1-4]\b)?)"


def babies(page: NormalizedText) -> Iterator[Hit]:
    """`CRUZ, BABY BOY B`."""
    for start, end in matches(BABY, page):
        last = page.text[start:end].split(",")[0]
        if last.lower() not in STOPS and (gazetteers.surname(last) or not worded(last)):
            yield Hit(start, end, PERSON, 0.92, "surname, baby")
            yield Hit(start, start + len(last), PERSON, 0.92, "surname, baby")


RUN = rf"\b({CAP}(?: (?:{CAP}|[A-Z]\.?|(?:de|la|van|von|der|del|bin|al|dos|da)\b)){{1,4}})"


def runs(page: NormalizedText) -> Iterator[Hit]:
    """Capitalised names side by side, in mixed case, none of them a word of the clinic."""
    for start, end in matches(RUN, page):
        value = page.text[start:end]
        words = [w.strip(".") for w in value.split()]
        if value.isupper() or any(w.lower() in STOPS for w in words) or len(words[-1]) < 2:
            continue
        telling = [w for w in words if len(w) > 1 and w.lower() not in PARTICLES]
        if len(telling) < 2 or any(clinical(w) or worded(w) or lettered(w) for w in telling):
            continue
        if personal(telling[0], telling[-1]):
            given = gazetteers.first_name(telling[0]) > 9
            score = 0.92 if widespread(page.text, telling, end) else 0.7 if given else 0.55
            yield Hit(start, end, PERSON, score, "names side by side")


def lettered(word: str) -> bool:
    """A short form or a mark of the form, `MRx OD`, rather than a name."""
    return not word[1:].islower() and len(word) < 4


THING = re.compile(r"[ -]([A-Za-z]+)")


def widespread(text: str, words: Sequence[str], end: int) -> bool:
    """Are they a given name and a surname that very many bear, and no thing called after somebody?

    `Robert Smith, whose tests`; not `Jackson Pratt drain`.
    """
    first, last = words[0], words[-1]
    if len(words) > 3 or gazetteers.first_name(first) < 17 or gazetteers.surname(last) < 14:
        return False
    thing = THING.match(text, end)
    return not thing or not (thing.group(1)[0].isupper() or called_after(thing.group(1)))


INITIALLED = r"(?:^|[^A-Za-z.])((?:[A-Z]\.[ ]?){1,2}[A-Z][A-Za-z]+(?:[-'][A-Za-z]+)*)\b"


def initialled(page: NormalizedText) -> Iterator[Hit]:
    """`J. Rountree`, `L.CRABTREE`: an initial before a surname that is no word."""
    for start, end in matches(INITIALLED, page):
        last = re.findall(r"[A-Za-z'-]+", page.text[start:end])[-1]
        if last.isupper() and page.text[max(0, start - 1) : start] == "/":
            continue
        if last.lower() in SHORT_FORMS or (len(last) > 2 and re.fullmatch(CREDENTIALS, last)):
            continue
        if len(last) > 2 and not clinical(last) and not ordinary(last) and not worded(last):
            yield Hit(start, end, PERSON, 0.65, "initial and surname")


SIGNATURE = rf"(?:^|\n)[ ]*({CAP} (?:[A-Z]\.? )?{CAP}), ?[A-Z][A-Za-z.-]{{1,6}}(?:[ ]?(?:[IVX]{{1,3}}|[A-Z]{{2,5}}))?[ ]*(?:\n|\z|,)"


def signatures(page: NormalizedText) -> Iterator[Hit]:
    """A line that is a name, a comma and letters: `Kit Loftis, CRC II`."""
    for start, end in matches(SIGNATURE, page):
        if led(page.text[start:end]):
            continue
        words = page.text[start:end].split()
        telling = not all(worded(w) or clinical(w) for w in words)
        if telling and any(map(prefers_name, words)) and not any(w.lower() in STOPS for w in words):
            yield Hit(start, end, PERSON, 0.95, "signature line")
