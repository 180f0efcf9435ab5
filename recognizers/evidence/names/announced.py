# ruff: noqa: E501 -- a pattern reads best on one line
"""Names that something announces: a cue of the table, `present:`, a title in small letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.names.cues import CAP, CREDENTIALS, Cue
from recognizers.evidence.names.word_evidence import (
    NOBODY,
    SHORT_FORMS,
    STOPS,
    borne,
    doubtful,
    ordinary,
    prefers_name,
    taken,
    worded,
)
from recognizers.evidence.rules import Hit, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import STATES
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list

PERSON = "PERSON"
STATE = re.compile(STATES)
GIVEN = r"(?:[A-Z][a-z]+(?:-[A-Z][a-z]+)*|[A-Z]\.?)"
GIVEN_AFTER = re.compile(rf",[ ]?({GIVEN}|[A-Z]{{2,}})(?: [A-Z]\b\.?)?")
# `9 Fr Cordis`: a size, no title.
GAUGE = re.compile(r"\d ?-?Fr\.? {1,2}$")
# Where these letters are no credential but an eye, a clotting time, a device, a laboratory's word.
MEASURED = re.compile(
    r"(?:[ ,]{1,12}|\n)(?:O[DSU](?:[ :=]*[-+]?\d|:| MD\b)|MD [-+]\d|PT ?/ ?(?:I?NR|PTT)|PT[ :=]*\d\d\.\d|CRT(?:-[DP]\b| on\b| off\b))"
    r"| ?\n ?(?:PT|OD|OT|MA|MT|RT|ND|DC|CRT)[ ]?:|[ \n]{1,2}ND[ ]*(?:\n|$|[,;|])"
    r"| PA (?:AND|and|&|/) ?(?:LAT|lat)"
)
# What shops sell under a title and a surname: the model decides.
SOLD = frozenset(["Pepper", "Dash", "Scholl", "Teal", "Butterworth", "Clean", "Coffee", "Bronner"])
# Of a given name that is a word, after what announces a person: the model must half agree.
WORDLIKE = 0.75
# Of a surname that is a word, after a role: the model must be inclined to agree.
SURNAMED = 0.6
# A full stop behind capitals begins a sentence: `PGY-3. Timeline`, `LPN. Transport`.
SENTENCE = re.compile(r"(?:\b[A-Z]{2,}(?:-\d)?|\b[A-Z]\d)\. {1,2}$")
# So does one behind a whole word: `Lee County Sheriff. Hep B titer low`.
WHOLE = re.compile(
    r"\b(?:Father|Pastor|Rabbi|Chaplain|Deacon|Bishop|Elder|Sergeant|Officer|Deputy|Detective|Captain|Lieutenant|Colonel|Major|Judge|"
    r"Justice|Coach|Principal|Attorney|Auntie|Aunt|Uncle|Sister|Brother|Nurse|Doctor|Sheriff|Marshal|Trooper|Chief)\. {1,2}$"
)
# Short forms in a row, of which one looks like a credential: `RA, RV, AO, PA,`.
ROWED = re.compile(r"(?:(?:^|[ \n])[A-Z][A-Z0-9]{0,3}, ?){2}$")
# A title behind a role or kin: `sister Sr. Mary`, `Witness Trooper Sapp`. None is a given name.
TITLED = re.compile(
    r"(?:Trooper|Deputy|Officer|Ofc|Sgt|Sergeant|Lt|Capt|Sr|Aunt(?:y|ie)?|Uncle|Nurse|Dr|Mrs?|Ms|Mg|Rev)\.? (?=[A-Z])"
)
ROMAN = re.compile(r"[IVX]+")
ROLED = frozenset(["role", "rank in training", "service, name in brackets", "student or service"])


def cued(cue: Cue, page: NormalizedText) -> Iterator[Hit]:
    """The names behind a cue, or before it where it follows them."""
    for start, end in matches(cue.regex, page):
        if cue.name == "title" and GAUGE.search(page.text, max(0, start - 12), start):
            continue
        if cue.backward and (MEASURED.match(page.text, end) or in_row(page, start, end)):
            continue
        fresh = sentenced(cue, page.text, start)
        start, stop = extent(cue, page.text, start, end)
        value = page.text[start:stop]
        if cue.name == "title" and value.isupper() and short(value, page.left(start)):
            continue
        if cue.name == "title, capitals" and abbreviated(value) and len(value) > 2:
            continue
        nobody = value.lower() in NOBODY or of_state(cue, value) or counted(cue, value, page, stop)
        score = 0.0 if stop <= start or nobody else scored(cue, value)
        if cue.name == "kin" and not nobody and lived(page.text, start, stop):
            score = cue.score
        if score:
            yield Hit(start, stop, PERSON, score - 0.3 if fresh else score, cue.name)


def sentenced(cue: Cue, text: str, start: int) -> bool:
    """Is the full stop behind a cue the end of a sentence?"""
    ending = {"title": WHOLE, **dict.fromkeys(ROLED, SENTENCE)}.get(cue.name)
    return bool(ending and ending.search(text, max(0, start - 14), start))


# What is told of a person behind the name: when born, how old, what became of them.
LIFE = re.compile(
    r",? ?\((?:b\.|born|d\.|died|dec'?d|deceased|age|aged|passed|the |a |an |his |her |our |pt'?s |who |\d{1,3}(?: ?y/?o?)?\))"
    r"|,? (?:died|passed|drowned|was born|is alive|is living|lives|lived|works|worked|drove|drives|called|calls|raised|cooks|helps|visits|brought|brings|says|said|reports|states|stays|manages|sets up|fills|will (?:drive|stay|come|bring|help))\b"
    r"|, (?:who|age|aged|b\.|d\.|\d{2})\b"
)


def lived(text: str, start: int, stop: int) -> bool:
    """Is one capitalised word behind kin told of as a person, though a drug may be called so, too?

    `Her husband, Ovide (b. 1922)`. A disease is not: `Mother, Lupus (age 40)`.
    """
    word = text[start:stop]
    if not word.isalpha() or not word.istitle() or len(word) < 3 or word.lower() in STOPS:
        return False
    if gazetteers.common_word(word) > 16 and not gazetteers.first_name(word):
        return False
    life = LIFE.match(text, stop)
    # `Father, Alzheimers (died 80)`
    disease = DISEASED.search(word) or gazetteers.eponym(word) or gazetteers.eponym(word[:-1])
    if life is None or disease:
        return False
    owned = OWNED.search(text[max(0, start - 40) : start])
    born = bool(
        gazetteers.first_name(word) or gazetteers.surname(word)
    ) and not gazetteers.clinical_word(word)
    unlisted = not gazetteers.common_word(word) and not gazetteers.clinical_word(word)
    return bool(owned) or born or unlisted


OWNED = re.compile(
    r"\b(?i:his|her|their|my|our|pt's|patient's|late|the) (?:[a-z]+ )?[a-z-]+(?: in law)?,? [\"']?$"
)
DISEASED = re.compile(
    r"(?:itis|osis|emia|oma|opathy|ism|asthma|tension|betes|cancer|lupus|gout|stroke|pain|lepsy|phrenia|algia|plegia|paresis|rrhea|trophy)$"
)


def in_row(page: NormalizedText, start: int, end: int) -> bool:
    """Are they capitals in a row of others, no surname before a credential?"""
    only = page.text[start:end]
    if not re.fullmatch(r"[A-Z]{1,4}(?:, ?[A-Z]{1,4})?", only):
        return False
    return ROWED.search(page.left(start, 16)) is not None or only[1:] in {",A", ", A"}


def counted(cue: Cue, value: str, page: NormalizedText, stop: int) -> bool:
    """Is it a child not named yet, or one of a pedigree: `Baby Girl A`, `Aunt II-3`?"""
    if cue.name == "newborn":
        lone = re.match(r" (?i:boy|girl) [A-Z]\b", page.text[stop : stop + 8])
        return value.lower() in {"baby", "bb"} and lone is not None
    return bool(ROMAN.fullmatch(value)) and page.text[stop : stop + 1] == "-"


def of_state(cue: Cue, value: str) -> bool:
    """Is it the state of a licence, `(OK RN R0077183)`?"""
    return cue.name != "title" and STATE.fullmatch(value) is not None


def extent(cue: Cue, text: str, start: int, end: int) -> tuple[int, int]:
    """Where the name begins and ends; the end is no later than the beginning where none is."""
    if cue.backward:
        return begun(text, start, end), end
    titled = TITLED.match(text, start) if cue.check else None
    start = titled.end() if titled else start
    stop = taken(text, start, cue.limit, lower=cue.lower)
    return start, with_given(text, start, stop)


def scored(cue: Cue, value: str) -> float:
    """How sure the cue is of these words; nothing where they are no person's."""
    aged = cue.name == "name and age" and censused(value)
    if cue.name == "signature" and abbreviated(value):
        return 0.0
    if cue.name == "name and age" and any(map(unaged, value.split())):
        return 0.0
    if cue.check and doubtful(value) and not aged:
        if borne(value):
            return WORDLIKE
        return SURNAMED if cue.name in ROLED and surnamed(value) else 0.0
    if cue.name == "title" and value in SOLD:
        return WORDLIKE
    known = any(prefers_name(w) for w in re.findall(r"[A-Za-z'-]+", value))
    return cue.score if known or not cue.check else cue.score - 0.2


def unaged(word: str) -> bool:
    """Is it no name in front of an age but what was measured or ordered: `Vit D 17,`?"""
    return word in {"Vit", "Rec"} or (len(word) > 2 and abbreviated(word))


def short(value: str, before: str) -> bool:
    """Is it a short form of the clinic behind a title that is not in capitals: `Father MI at 51`?"""
    title = re.search(r"([A-Za-z]+)\.? *$", before)
    lone = value.isalpha() and 1 < len(value) < 5 and value.lower() in SHORT_FORMS
    return lone and title is not None and not title.group(1).isupper()


def surnamed(name: str) -> bool:
    """Is it one capitalised word that many bear as a surname?"""
    if not name.isalpha() or not name.istitle() or name.lower() in STOPS:
        return False
    return gazetteers.surname(name) > 8


def censused(name: str) -> bool:
    """Is the first word a given name and the last a surname, words of other kinds though they are?"""
    words = re.findall(r"[A-Za-z'-]+", name)
    return len(words) > 1 and bool(
        gazetteers.first_name(words[0]) and gazetteers.surname(words[-1])
    )


def begun(text: str, start: int, end: int) -> int:
    """Drops words before a credentialled name that are not of it."""
    words = list(re.finditer(r"[^\s,]+", text[start:end]))
    first = 0
    for place, word in enumerate(words[:-1]):
        bare = word.group().strip(".").lower()
        if (
            bare in STOPS
            or abbreviated(word.group().strip("."))
            or (len(bare) > 2 and re.fullmatch(CREDENTIALS, word.group()))
            or (len(bare) > 2 and not prefers_name(bare) and ordinary(bare))
        ):
            first = place + 1
    if len(words) - first == 1:
        only = words[first].group().strip(".")
        if only.lower() in STOPS or len(only) < 2 or ordinary(only):
            return end
        if len(only) > 2 and abbreviated(only):
            return end
        if only.isupper() and not prefers_name(only) and (len(only) < 5 or worded(only)):
            return end
    rest = [word.group() for word in words[first:]]
    if len(rest) == 2 and rest[0].isupper() and not prefers_name(rest[0]) and len(rest[1]) == 1:
        return end  # `TKE L, PA glides`
    if words and not any(map(credible, (w.group().strip(".") for w in words[first:]))):
        return end
    return start + words[first].start() if words else end


def credible(word: str) -> bool:
    """May it be a name before a credential: is it one, an initial, or in no list of words?"""
    return prefers_name(word) or len(word) == 1 or not (worded(word) or abbreviated(word))


def abbreviated(word: str) -> bool:
    """A short form of the clinic as it is written, and not many people's name."""
    low = word.lower()
    return low in SHORT_FORMS and not word.istitle() and gazetteers.surname(low) < 11


def with_given(text: str, start: int, stop: int) -> int:
    """LAST, FIRST: the given name after the comma belongs to the name."""
    rest = GIVEN_AFTER.match(text, stop)
    if rest and prefers_name(rest.group(1)) and not re.match(CREDENTIALS + r"\b", rest.group(1)):
        return rest.end()
    return stop


PRESENT = r"(?i:\b(?:present|attendees|in attendance|attended by|participants|team|crew|attending staff)):[ ]*([^\n]{3,200})"
PIECE = re.compile(
    rf"(?:(?:[A-Z][A-Za-z.]{{0,6}} )?)(?P<name>(?:[A-Z]\.? )?{CAP}(?: {CAP}|\.? [A-Z]\.)?)$"
)


def present(page: NormalizedText) -> Iterator[Hit]:
    """Each piece of a list of those present that may be a name."""
    for start, end in matches(PRESENT, page):
        here = start
        for part in re.split(r"([,;/]| and | & |\()", page.text[start:end]):
            piece = PIECE.match(part.strip(" .)"))
            if piece and not doubtful(piece.group("name")):
                at = page.text.find(piece.group("name"), here)
                yield Hit(at, at + len(piece.group("name")), PERSON, 0.75, "present")
            here += len(part)


AFTER_DOCTOR = plain_list("names/after_doctor")
DOCTOR = r"\b(?:[Dd]rs?|DRS?|[Mm]rs?|[Dd]octor)\.? ([a-z]{3,}(?:-[a-z]{3,})?)\b"
ROAD = re.compile(r"\b[A-Z][a-z]+ D[Rr]\.? $")


def doctors(page: NormalizedText) -> Iterator[Hit]:
    """`dr salt`, `mr stone`: a surname that is a word, in small letters behind a title."""
    for start, end in matches(DOCTOR, page):
        word = page.text[start:end]
        if ROAD.search(page.left(start)):
            continue
        if word in STOPS or word in AFTER_DOCTOR or gazetteers.surname(word) < 9:
            continue
        if prefers_name(word) or not word.endswith(("ed", "ing", "es")):
            yield Hit(start, end, PERSON, 0.92, "surname behind a title")
