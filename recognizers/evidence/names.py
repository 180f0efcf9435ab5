"""Names that need grammar: after a cue, side by side, spelled out, or explained in the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from recognizers.constants import constant
from recognizers.evidence.matching import STRENGTHS, Search, Seen, matches
from recognizers.evidence.word_evidence import (
    FREQUENCIES,
    NAME_PARTICLES,
    NAMING,
    NEVER_NAMES,
    NOBODY,
    SHORT_FORMS,
    STOPS,
    borne,
    clinical,
    doubtful,
    is_worded,
    ordinary,
    personal,
    prefers_name,
    taken,
    vocabulary,
)
from recognizers.finding import PERSON
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list

CUES, TOLD, LEGENDS = (
    NAMING.groups["CUES"],
    NAMING.groups["TOLD"],
    NAMING.groups["LEGENDS"],
)
UNLISTED_NAME = constant("names", "no listed name")
SERVICE = "service, name in brackets"


def named(start: int, end: int, row: str, strength: float | None = None) -> Seen:
    """What a row saw; without a strength, it is that of the row's name."""
    return Seen(start, end, PERSON, STRENGTHS[row] if strength is None else strength, row)


def titled(page: NormalizedText) -> Iterator[Seen]:
    """Names after a title."""
    text = page.text
    for start, _ in matches(CUES["title"], page):
        if NAMING["GAUGE"].search(text, max(0, start - 12), start):
            continue
        stop = taken(text, start)
        value = text[start:stop]
        if not value or value.lower() in NOBODY or pedigree(text, start, stop):
            continue
        if not (value.isupper() and short(value, page.left(start))):
            yield named(start, stop, "title")


def newborn(page: NormalizedText) -> Iterator[Seen]:
    """`Baby Boy Ferris`, but not the unnamed child `Baby Girl A`."""
    for start, _ in matches(CUES["newborn"], page):
        stop = taken(page.text, start, 3)
        value = page.text[start:stop].lower()
        unnamed = re.match(r" (?i:boy|girl) [A-Z]\b", page.text[stop : stop + 8])
        if value and value not in NOBODY and not (value in {"baby", "bb"} and unnamed):
            yield named(start, stop, "newborn")


def of_kin(page: NormalizedText) -> Iterator[Seen]:
    """Names after a kinship or a role."""
    text = page.text
    for start, _ in matches(CUES["kin"], page):
        title = NAMING["TITLED"].match(text, start)
        start = title.end() if title else start
        stop = taken(text, start, 3)
        value = text[start:stop]
        if value.lower() in NOBODY or pedigree(text, start, stop):
            continue
        strength = STRENGTHS["kin"] if lived(text, start, stop) else cued_strength(value, "kin")
        if strength:
            yield named(start, stop, "kin", strength)


def of_service(page: NormalizedText) -> Iterator[Seen]:
    """The name in brackets after a service: `neuro (Oyelaran) to see`."""
    for start, _ in matches(CUES[SERVICE], page):
        stop = taken(page.text, start, 2)
        value = page.text[start:stop]
        strength = cued_strength(value, SERVICE)
        if not strength and value.istitle() and value.lower() not in STOPS:
            frequent = gazetteers.surname(value) > FREQUENCIES["surname after a role"]
            strength = STRENGTHS["role and a surname that is a word"] if frequent else 0.0
        if strength and value.lower() not in NOBODY:
            yield named(start, stop, SERVICE, strength)


def cued_strength(value: str, row: str) -> float:
    """The strength of these words after a cue; 0 if they are not a person's name."""
    if doubtful(value):
        return STRENGTHS["cue and a given name that is a word"] if borne(value) else 0.0
    known = any(prefers_name(w) for w in re.findall(r"[A-Za-z'-]+", value))
    return STRENGTHS[row] - (0.0 if known else UNLISTED_NAME)


def lived(text: str, start: int, stop: int) -> bool:
    """Whether one capitalized word after a kinship is a person's name and not a disease or a word.

    `Ovide` in `Her husband, Ovide (b. 1922)` is a name; `Lupus` in `Mother, Lupus (age 40)` is not.
    """
    word = text[start:stop]
    if not word.isalpha() or not word.istitle() or len(word) < 3 or word.lower() in STOPS:
        return False
    common = gazetteers.common_word(word) > FREQUENCIES["word after a kinship"]
    if common and not gazetteers.first_name(word):
        return False
    # `Father, Alzheimers (died 80)`
    disease = (
        NAMING["DISEASED"].search(word) or gazetteers.eponym(word) or gazetteers.eponym(word[:-1])
    )
    if disease or not NAMING["LIFE"].match(text, stop):
        return False
    if NAMING["OWNED"].search(text[max(0, start - 40) : start]):
        return True
    if gazetteers.clinical_word(word):
        return False
    return bool(gazetteers.bearers(word)) or not gazetteers.common_word(word)


def pedigree(text: str, start: int, stop: int) -> bool:
    """Whether the value is the number of a generation: `Aunt II-3`."""
    return text[stop : stop + 1] == "-" and re.fullmatch("[IVX]+", text[start:stop]) is not None


def short(value: str, before: str) -> bool:
    """Whether the value is an abbreviation after a title in small letters: `Father MI at 51`."""
    title = re.search(r"([A-Za-z]+)\.? *$", before)
    lone = value.isalpha() and 1 < len(value) < 5 and value.lower() in SHORT_FORMS
    return lone and title is not None and not title[1].isupper()


def side_by_side(page: NormalizedText) -> Iterator[Seen]:
    """Capitalized names side by side, in mixed case, none of them a clinical word."""
    for start, end in matches(NAMING.texts["NAME_RUN"], page):
        value = page.text[start:end]
        words = [w.strip(".") for w in value.split()]
        if value.isupper() or any(w.lower() in STOPS for w in words) or len(words[-1]) < 2:
            continue
        telling = [w for w in words if len(w) > 1 and w.lower() not in NAME_PARTICLES]
        # `MRx OD` are abbreviations rather than names.
        lettered = any(not w[1:].islower() and len(w) < 4 for w in telling)
        if len(telling) < 2 or lettered or any(clinical(w) or is_worded(w) for w in telling):
            continue
        if personal(telling[0], telling[-1]):
            given = gazetteers.first_name(telling[0]) > FREQUENCIES["given name beside a surname"]
            pair = "side by side: given name and surname" if given else "side by side: two names"
            yield named(start, end, "names side by side", STRENGTHS[pair])


def will(page: NormalizedText) -> Iterator[Seen]:
    """`Will reports less pain`: no verb in the third person follows the verb `will`."""
    for start, end in matches(NAMING.texts["WILL_ACTS"], page):
        if not NAMING["PAPER"].match(page.text, end):
            yield named(start, end, "will, a name")


def aged(page: NormalizedText) -> Iterator[Seen]:
    """`Remy 3, Landon 6`: two given names with their ages are two children."""
    for start, end in matches(NAMING.texts["ALONE_IN_LIST"], page):
        second = NAMING["NEXT_IN_LIST"].match(page.text, end)
        both = (page.text[start:end], second[1]) if second else ()
        given = min(map(gazetteers.first_name, both), default=0) > FREQUENCIES["plain given name"]
        if second and given and not any(ordinary(w) or is_worded(w) for w in both):
            yield named(start, end, "names and ages")
            yield named(*second.span(1), "names and ages")


def spelled(page: NormalizedText) -> Iterator[Seen]:
    """Single letters that the text announces as a spelling, or that together make a name."""
    words: list[str] | None = None
    for start, end in matches(NAMING.texts["SPELLED_LETTERS"], page):
        whole = re.sub(r"[ -]", "", page.text[start:end]).lower()
        if whole in STOPS or whole in NEVER_NAMES or whole in SHORT_FORMS:
            continue
        if words is None:
            words = sorted(set(re.findall(r"[a-z]{4,}", page.text.lower())))
        said = NAMING["SAID"].search(page.left(start)) or NAMING["SAID_AFTER"].match(
            page.right(end)
        )
        if said or is_known_spelling(whole, words):
            yield named(start, end, "spelled out")


def is_known_spelling(whole: str, words: Sequence[str]) -> bool:
    """Whether `whole` is a name and not a word, or the start of a name among the sorted `words`."""
    is_name = gazetteers.bearers(whole)
    if is_name and gazetteers.common_word(whole) < FREQUENCIES["spelled word"]:
        return True
    begun = words[bisect_left(words, whole) : bisect_left(words, whole + "~")]
    others = (word for word in begun if word != whole or is_name)
    return any(gazetteers.surname(w) or not gazetteers.common_word(w) for w in others)


def nicknames(page: NormalizedText) -> Iterator[Seen]:
    """Find nicknames: `goes by "Doc"`, and then each `Doc says` in the same text."""
    told: set[str] = set()
    for place, regex in TOLD.items():
        for start, end in matches(regex, page):
            word = page.text[start:end]
            if nameable(word) and not (place == "at the head" and clinical(word)):
                told.add(word)
                yield named(start, end, "nickname")
    for match in NAMING["CAPITALIZED_WORD"].finditer(page.text) if told else ():
        if match.group() in told and bare(page.text, *match.span()):
            yield named(*match.span(), "nickname, again")


def nameable(word: str) -> bool:
    """Whether the word may be a nickname: not a pronoun, a kinship or a means of travel."""
    low = word.lower()
    if low in NOBODY or low in plain_list("names/rides"):
        return False
    return low not in STOPS or low in plain_list("names/nicknames_that_are_words")


def bare(text: str, start: int, end: int) -> bool:
    """Whether the nickname is used as a person's name: acting, owning or addressed."""
    if NAMING["ACTS_AFTER"].match(text, end):
        return not NAMING["NO_ARTICLE"].search(text[max(0, start - 6) : start].rstrip().lower())
    spoken_to = NAMING["SPOKEN_TO"].search(text[max(0, start - 8) : start])
    return spoken_to is not None and not NAMING["NEXT_WORD"].match(text, end)


def explained(page: NormalizedText) -> Iterator[Seen]:
    """Initials beside the name that they abbreviate; in capitals, also wherever else they occur."""
    text, told = page.text, set[str]()
    for place, regex in LEGENDS.items():
        for start, end in matches(regex, page):
            name, letters = NAMING["LEGEND_TOLD"].match(text, end), text[start:end]
            if name and stand_for(letters, name[1]):
                if place == "in a legend" or not vocabulary(letters.lower()):
                    told.add(letters)
                yield named(start, end, "initials explained")
    for start, end in matches(NAMING.texts["AFTER_NAME"], page):
        row = NAMING["BRACKETED"].match(text, end)
        if row and stand_for(row[1], text[start:end]):
            if not vocabulary(row[1].lower()):
                told.add(row[1])
            yield named(*row.span(1), "initials explained")
    for start, end in matches(NAMING.texts["CAPITALS"], page) if told else ():
        if text[start:end] in told:
            yield named(start, end, "initials explained")


def stand_for(letters: str, name: str) -> bool:
    """Whether `name` is a person's name whose words begin with these letters."""
    told = re.findall(r"[A-Z][A-Za-z'-]*", name)
    rows = (told[: len(letters)], told[-len(letters) :])
    words = next((r for r in rows if [w[0] for w in r] == list(letters.upper())), None)
    if words is None or letters.lower() in NEVER_NAMES - {"pt"}:
        return False
    return bool(gazetteers.surname(words[-1])) and not (ordinary(words[0]) and ordinary(words[-1]))


# The functions, each with the expressions without which it sees nothing.
OF_NAMES: dict[Search, Sequence[str]] = {
    titled: (CUES["title"],),
    newborn: (CUES["newborn"],),
    of_kin: (CUES["kin"],),
    of_service: (CUES[SERVICE],),
    side_by_side: (NAMING.texts["NAME_RUN"],),
    will: (NAMING.texts["WILL_ACTS"],),
    aged: (NAMING.texts["ALONE_IN_LIST"],),
    spelled: (NAMING.texts["SPELLED_LETTERS"],),
    nicknames: tuple(TOLD.values()),
}
OF_INITIALS: dict[Search, Sequence[str]] = {
    explained: (*LEGENDS.values(), NAMING.texts["AFTER_NAME"])
}
