# ruff: noqa: E501 -- a pattern reads best on one line
"""Names that a cue of `NAME_CUES` announces, such as a title or a kinship; credentials after a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recognizers.constants import constant
from recognizers.evidence.matching import STRENGTHS, Seen, matches
from recognizers.evidence.word_evidence import (
    FREQUENCIES,
    NOBODY,
    SHORT_FORMS,
    STOPS,
    borne,
    doubtful,
    prefers_name,
    taken,
)
from recognizers.finding import PERSON
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import STATES
from recognizers.words import gazetteers

TITLES_PATTERN = (
    r"Drs?|Mrs?|Ms|Mx|Miss|Messrs|Mmes?|Prof(?:essor)?|Rev(?:erend)?|Fr|Father|Pastor|Rabbi|Imam|Chaplain|Deacon|Bishop|Elder|"
    r"Sgt|Sergeant|Officer|Ofc|Deputy|Det(?:ective)?|Capt(?:ain)?|Lt|Lieutenant|Col(?:onel)?|Maj(?:or)?|Cpl|Pvt|SSgt|Judge|Justice|"
    r"Hon|Sen|Gov|Dra|Sra?|Srta|Don|Dona|Coach|Principal|Atty|Attorney|Auntie|Aunt|Uncle|Tia|Tio|Sister|Brother|Nurse|Doctor|Sheriff|Marshal|Trooper|Chief|Mme"
)
CREDENTIALS_PATTERN = (
    r"M\.?D\.?|D\.?O\.?|R\.?N\.?|N\.?P\.?|P\.?A\.?(?:-C)?|L\.?P\.?N\.?|LVN|C\.?N\.?A\.?|LCSW|LICSW|LMSW|MSW|LSW|LMFT|LPC|LMHC|"
    r"Ph\.?D\.?|Psy\.?D\.?|Pharm\.?D\.?|RPh|D\.?D\.?S\.?|DMD|DPM|D\.?P\.?T\.?|PT|PTA|OTR(?:/L)?|OT|COTA|CCC-SLP|SLP|RDN?|RRT|RCP|CRT|EMT(?:-?[PBI])?|"
    r"NRP|APRN|ARNP|DNP|FNP(?:-[BC]+)?|CNP|CRNP|CNM|CNS|CRNA|CPM|MBBS|MBChB|BSN|MSN|MPH|FACC|FACS|FACP|FRCS|MA|CMA|RMA|RT(?:\(R\))?|RDMS|CHW|"
    r"ACNP|AGNP|AGACNP|PMHNP|WHNP|CHPN|CWOCN|CCRN|BCBA|AuD|OD|DC|ND|LAc|JD|Esq|LADC|CADC|ADC|SANE|RHIT|CPhT|PGY-?\d|MS[34]|DVM|CPTC|IBCLC|MLS|MT"
)
KIN_PATTERN = (
    r"wife|husband|spouse|son|sons|daughter|daughters|dtr|dau|mother|father|mom|mum|mama|dad|papa|brother|brothers|sister|sisters|sis|bro|aunt|auntie|uncle|niece|nephew|cousin|"
    r"grandson|granddaughter|grandmother|grandfather|grandma|grandpa|gma|gpa|mother-in-law|father-in-law|son-in-law|daughter-in-law|sister-in-law|brother-in-law|"
    r"stepson|stepdaughter|stepmother|stepfather|stepdad|stepmom|fiancee?|partner|boyfriend|girlfriend|bf|gf|ex-wife|ex-husband|ex|twin|sibling|roommate|neighbor|friend|"
    r"caregiver|aide|nurse|landlord|landlady|boss|supervisor|coworker|teacher|coach|counselor|lawyer|attorney|adjuster|worker|caseworker|driver|pastor|priest|rabbi|imam|chaplain|"
    r"goddaughter|godson|godmother|ward|foster mother|foster father|guardian|interpreter|resident|fellow|intern|attending|hospitalist|surgeon|coordinator|manager|officer|witness|tech|technician|"
    r"therapist|pharmacist|dietitian|dietician|midwife|doula|scribe|medic|paramedic|dispatcher|sponsor|liaison|secretary|clerk|named|name is|called|nicknamed|goes by|known as|aka|alias|nee|compadre|comadre|primo|prima|suegra|suegro|cunado|cunada|abuela|abuelo|tita|kuya|"
    r"(?:son|daughter|sister|brother|mother|father) in law|great-?(?:aunt|uncle|niece|nephew|grandson|granddaughter)|babysitter|tutor"
)
CAPITAL_WORD = r"[A-Z][A-Za-z]*(?:['-][A-Za-z]+)*"


SERVICES_PATTERN = r"[Ss]urgery|[Ss]urg|[Oo]rtho|[Nn]euro|IR|GI|ID|[Cc]ards|[Oo]nc|[Rr]enal|[Pp]ulm|[Pp]sych|[Dd]erm|ENT|SLP|PT|OT|SW|RD|[Uu]ro|[Uu]rology|NICU|MICU|[Pp]all|[Pp]alliative|[Aa]nesthesia|[Dd]oula|[Cc]ardiology|[Nn]ephrology|[Nn]eurology"
SPOKEN_WITH = r"\b(?i:spoke|spoken|speaking|talked|talking|met|discussed|d/w|s/w|visit(?:ed|ing)?) (?:with|to) ([A-Z][a-z]{2,}(?:[ ][A-Z][a-z]+)?),? (?:she|he|who|and (?:she|he))\b"


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue that announces a name; the group of `regex` marks the start of the name."""

    name: str
    regex: str
    limit: int = 4
    check: bool = False

    @property
    def score(self) -> float:
        return STRENGTHS[self.name]


NAME_CUES: tuple[Cue, ...] = (
    Cue("title", rf"\b(?:{TITLES_PATTERN})\.?[ ]{{1,2}}([A-Z])"),
    Cue("newborn", r"\b((?:Baby|BABY|Bb|BB) ?(?:Boy|Girl|BOY|GIRL|boy|girl)) [A-Z]", 3),
    Cue(
        "service, name in brackets",
        rf"\b(?:{SERVICES_PATTERN}) \(({CAPITAL_WORD})[) ]",
        2,
        check=True,
    ),
    Cue(
        "kin",
        rf"(?i:\b(?:{KIN_PATTERN}))(?:,? |, |: ?| \(|, \")[\"']?([A-Z][a-z])",
        3,
        check=True,
    ),
    Cue("spoken with", SPOKEN_WITH, 2, check=True),
)


STATE_WORD = re.compile(STATES)
GIVEN = r"(?:[A-Z][a-z]+(?:-[A-Z][a-z]+)*|[A-Z]\.?)"
GIVEN_AFTER = re.compile(rf",[ ]?({GIVEN}|[A-Z]{{2,}})(?: [A-Z]\b\.?)?")
# `9 Fr Cordis`: a size in French, not the title Father.
GAUGE = re.compile(r"\d ?-?Fr\.? {1,2}$")
# Products named with a title and a surname (`Dr Pepper`): the model decides.
SOLD = frozenset(["Pepper", "Dash", "Scholl", "Teal", "Butterworth", "Clean", "Coffee", "Bronner"])
# A full stop after capitals ends a sentence: `PGY-3. Timeline`, `LPN. Transport`.
SENTENCE = re.compile(r"(?:\b[A-Z]{2,}(?:-\d)?|\b[A-Z]\d)\. {1,2}$")
# A full stop after an unabbreviated title also ends one: `Lee County Sheriff. Hep B titer low`.
WHOLE_TITLE = re.compile(
    r"\b(?:Father|Pastor|Rabbi|Chaplain|Deacon|Bishop|Elder|Sergeant|Officer|Deputy|Detective|Captain|Lieutenant|Colonel|Major|Judge|"
    r"Justice|Coach|Principal|Attorney|Auntie|Aunt|Uncle|Sister|Brother|Nurse|Doctor|Sheriff|Marshal|Trooper|Chief)\. {1,2}$"
)
# A title after a role or kinship is not a given name: `sister Sr. Mary`, `Witness Trooper Sapp`.
TITLED = re.compile(
    r"(?:Trooper|Deputy|Officer|Ofc|Sgt|Sergeant|Lt|Capt|Sr|Aunt(?:y|ie)?|Uncle|Nurse|Dr|Mrs?|Ms|Mg|Rev)\.? (?=[A-Z])"
)
AFTER_SENTENCE = constant("names", "after the end of a sentence")
UNLISTED_NAME = constant("names", "no listed name")
ROMAN_NUMERAL = re.compile(r"[IVX]+")
ROLED = frozenset(["service, name in brackets"])
CUE_EXPRESSIONS = tuple(cue.regex for cue in NAME_CUES)


def announced_names(page: NormalizedText) -> Iterator[Seen]:
    """The names after the cues of `NAME_CUES`."""
    for cue in NAME_CUES:
        yield from cued(cue, page)


def cued(cue: Cue, page: NormalizedText) -> Iterator[Seen]:
    """Yield the names after one cue."""
    for start, _ in matches(cue.regex, page):
        if cue.name == "title" and GAUGE.search(page.text, max(0, start - 12), start):
            continue
        fresh = sentenced(cue, page.text, start)
        start, stop = extent(cue, page.text, start)
        value = page.text[start:stop]
        if cue.name == "title" and value.isupper() and short(value, page.left(start)):
            continue
        nobody = value.lower() in NOBODY or of_state(cue, value) or counted(cue, value, page, stop)
        score = 0.0 if stop <= start or nobody else cue_score(cue, value)
        if cue.name == "kin" and not nobody and lived(page.text, start, stop):
            score = cue.score
        if score:
            yield Seen(start, stop, PERSON, score - AFTER_SENTENCE if fresh else score, cue.name)


def sentenced(cue: Cue, text: str, start: int) -> bool:
    """Whether the full stop after a cue ends a sentence."""
    ending = {"title": WHOLE_TITLE, **dict.fromkeys(ROLED, SENTENCE)}.get(cue.name)
    return bool(ending and ending.search(text, max(0, start - 14), start))


# Words after a person's name about birth, age, death or actions.
LIFE = re.compile(
    r",? ?\((?:b\.|born|d\.|died|dec'?d|deceased|age|aged|passed|the |a |an |his |her |our |pt'?s |who |\d{1,3}(?: ?y/?o?)?\))"
    r"|,? (?:died|passed|drowned|was born|is alive|is living|lives|lived|works|worked|drove|drives|called|calls|raised|cooks|helps|visits|brought|brings|says|said|reports|states|stays|manages|sets up|fills|will (?:drive|stay|come|bring|help))\b"
    r"|, (?:who|age|aged|b\.|d\.|\d{2})\b"
)


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


def counted(cue: Cue, value: str, page: NormalizedText, stop: int) -> bool:
    """Whether the value is an unnamed child or a pedigree number: `Baby Girl A`, `Aunt II-3`."""
    if cue.name == "newborn":
        lone = re.match(r" (?i:boy|girl) [A-Z]\b", page.text[stop : stop + 8])
        return value.lower() in {"baby", "bb"} and lone is not None
    return bool(ROMAN_NUMERAL.fullmatch(value)) and page.text[stop : stop + 1] == "-"


def of_state(cue: Cue, value: str) -> bool:
    """Whether the value is the state of a license, `(OK RN R0077183)`."""
    return cue.name != "title" and STATE_WORD.fullmatch(value) is not None


def extent(cue: Cue, text: str, start: int) -> tuple[int, int]:
    """Where the name begins and ends; without a name, the end is not after the beginning."""
    titled = TITLED.match(text, start) if cue.check else None
    start = titled.end() if titled else start
    stop = taken(text, start, cue.limit)
    return start, with_given(text, start, stop)


def cue_score(cue: Cue, value: str) -> float:
    """Return the score for these words after the cue; 0 if the words are not a person's name."""
    if cue.check and doubtful(value):
        if borne(value):
            return STRENGTHS["cue and a given name that is a word"]
        if cue.name in ROLED and surnamed(value):
            return STRENGTHS["role and a surname that is a word"]
        return 0.0
    if cue.name == "title" and value in SOLD:
        return STRENGTHS["cue and a given name that is a word"]
    known = any(prefers_name(w) for w in re.findall(r"[A-Za-z'-]+", value))
    return cue.score if known or not cue.check else cue.score - UNLISTED_NAME


def short(value: str, before: str) -> bool:
    """Whether the value is a clinical abbreviation after a title not in capitals: `Father MI at
    51`.
    """
    title = re.search(r"([A-Za-z]+)\.? *$", before)
    lone = value.isalpha() and 1 < len(value) < 5 and value.lower() in SHORT_FORMS
    return lone and title is not None and not title.group(1).isupper()


def surnamed(name: str) -> bool:
    """Whether the name is one capitalized word that is a frequent surname."""
    if not name.isalpha() or not name.istitle() or name.lower() in STOPS:
        return False
    return gazetteers.surname(name) > FREQUENCIES["surname after a role"]


def with_given(text: str, start: int, stop: int) -> int:
    """The end of the name, with the given name of LAST, FIRST."""
    rest = GIVEN_AFTER.match(text, stop)
    if (
        rest
        and prefers_name(rest.group(1))
        and not re.match(CREDENTIALS_PATTERN + r"\b", rest.group(1))
    ):
        return rest.end()
    return stop
