# ruff: noqa: E501 -- a pattern reads best on one line
"""(A) Names of persons: titles, credentials, labels, kinship, LAST, FIRST, signatures, known names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recognizers import gazetteers
from recognizers.gazetteers import plain_list
from recognizers.names_evidence import (
    NOBODY,
    PARTICLES,
    SHORT_FORMS,
    STOPS,
    clinical,
    namely,
    ordinary,
    taken,
)
from recognizers.names_lists import beds
from recognizers.names_spelled import spelled
from recognizers.page import Page
from recognizers.rules import Hit, RuleRecognizer, matches

PERSON = "PERSON"
AFTER_DOCTOR = plain_list("names/after_doctor")
TITLES = (
    r"Drs?|Mrs?|Ms|Mx|Miss|Messrs|Mmes?|Prof(?:essor)?|Rev(?:erend)?|Fr|Father|Pastor|Rabbi|Imam|Chaplain|Deacon|Bishop|Elder|"
    r"Sgt|Sergeant|Officer|Ofc|Deputy|Det(?:ective)?|Capt(?:ain)?|Lt|Lieutenant|Col(?:onel)?|Maj(?:or)?|Cpl|Pvt|SSgt|Judge|Justice|"
    r"Hon|Sen|Gov|Dra|Sra?|Srta|Don|Dona|Coach|Principal|Atty|Attorney|Auntie|Aunt|Uncle|Tia|Tio|Sister|Brother|Nurse|Doctor|Sheriff|Marshal|Trooper|Chief|Mme"
)
CREDENTIALS = (
    r"M\.?D\.?|D\.?O\.?|R\.?N\.?|N\.?P\.?|P\.?A\.?(?:-C)?|L\.?P\.?N\.?|LVN|C\.?N\.?A\.?|LCSW|LICSW|LMSW|MSW|LSW|LMFT|LPC|LMHC|"
    r"Ph\.?D\.?|Psy\.?D\.?|Pharm\.?D\.?|RPh|D\.?D\.?S\.?|DMD|DPM|D\.?P\.?T\.?|PT|PTA|OTR(?:/L)?|OT|COTA|CCC-SLP|SLP|RDN?|RRT|RCP|CRT|EMT(?:-?[PBI])?|"
    r"NRP|APRN|ARNP|DNP|FNP(?:-[BC]+)?|CNP|CRNP|CNM|CNS|CRNA|CPM|MBBS|MBChB|BSN|MSN|MPH|FACC|FACS|FACP|FRCS|MA|CMA|RMA|RT(?:\(R\))?|RDMS|CHW|"
    r"ACNP|AGNP|AGACNP|PMHNP|WHNP|CHPN|CWOCN|CCRN|BCBA|AuD|OD|DC|ND|LAc|JD|Esq|LADC|CADC|ADC|SANE|RHIT|CPhT|PGY-?\d|MS[34]|DVM|CPTC|IBCLC|MLS|MT"
)
LABELS = (
    r"patient(?: name)?|pt(?: name)?|name|name of (?:patient|resident|decedent)|resident|client|member name|attending(?: physician| md)?|attg|provider|physician|"
    r"surgeon|assistant|asst|co-?surgeon|anesthesia(?: provider)?|anesthesiologist|crna|referring(?: physician| provider| md)?|ref(?:erred)? by|ordering(?: physician| provider| md)?|"
    r"ordered by|pcp|primary care(?: physician| provider)?|primary|cardiologist|consultant|consulting(?: physician)?|radiologist|pathologist|oncologist|"
    r"author|dictated by|dictator|dict(?:\.| by)?|transcribed by|signed(?: by)?|e-?signed(?: by)?|electronically signed(?: by)?|cosigned(?: by)?|co-?signer|"
    r"attested(?: by)?|reviewed by|verified by|approved by|authenticated by|read by|interpreted by|reported by|performed by|prepared by|completed by|"
    r"collected by|drawn by|seen by|entered by|recorded by|documented by|witness(?:ed)?(?: by)?|scribed? (?:by|for)?|scribe|filed by|printed by|obtained by|"
    r"cc|to|from|attn|attention|re|dear|subject|nurse|rn|lpn|cna|aide|tech(?:nologist|nician)?|therapist|pt|ot|sw|social worker|case manager|cm|care coordinator|"
    r"contact|emergency contact|next of kin|nok|responsible party|guarantor|guardian|insured|subscriber|policy ?holder|spouse|mother|father|parents?|"
    r"mother's name|father's name|maiden(?: name)?|alias|aka|a\.k\.a\.?|fka|nee|poa|hcp|hcpoa|proxy|surrogate|informant|historian|caregiver|interpreter|"
    r"decedent|deceased|donor|recipient|employee|inmate|student|parent/guardian|legal guardian|adjuster|attorney|supervisor|caller|spoke with|notified|"
    r"nombre|paciente|medico|madre|padre|hermana|hermano|esposa|esposo|hija|hijo|goes by|preferred(?: name)?|nickname|rep|vendor rep|last name|first name|first|last|surname|given name|"
    r"team|crew|driver|medic|examiner|evaluator|assessor|clinician|counselor|hospitalist|intensivist|fellow|resident|intern|chief|staff|md|do|np|pa"
)
KIN = (
    r"wife|husband|spouse|son|sons|daughter|daughters|dtr|dau|mother|father|mom|mum|mama|dad|papa|brother|brothers|sister|sisters|sis|bro|aunt|auntie|uncle|niece|nephew|cousin|"
    r"grandson|granddaughter|grandmother|grandfather|grandma|grandpa|gma|gpa|mother-in-law|father-in-law|son-in-law|daughter-in-law|sister-in-law|brother-in-law|"
    r"stepson|stepdaughter|stepmother|stepfather|stepdad|stepmom|fiancee?|partner|boyfriend|girlfriend|bf|gf|ex-wife|ex-husband|ex|twin|sibling|roommate|neighbor|friend|"
    r"caregiver|aide|nurse|landlord|landlady|boss|supervisor|coworker|teacher|coach|counselor|lawyer|attorney|adjuster|worker|caseworker|driver|pastor|priest|rabbi|imam|chaplain|"
    r"goddaughter|godson|godmother|ward|foster mother|foster father|guardian|interpreter|resident|fellow|intern|attending|hospitalist|surgeon|coordinator|manager|officer|witness|tech|technician|"
    r"therapist|pharmacist|dietitian|dietician|midwife|doula|scribe|medic|paramedic|dispatcher|sponsor|liaison|secretary|clerk|named|name is|called|nicknamed|goes by|known as|aka|alias|nee|compadre|comadre|primo|prima|suegra|suegro|cunado|cunada|abuela|abuelo|tita|kuya|"
    r"(?:son|daughter|sister|brother|mother|father) in law|great-?(?:aunt|uncle|niece|nephew|grandson|granddaughter)|babysitter|tutor"
)
ROLES = (
    r"RN|LPN|LVN|CNA|NP|PA|MD|DO|MA|SW|LSW|LCSW|MSW|CM|RT|PT|OT|SLP|ST|RD|EMT|EMT-P|Medic|medic|paramedic|Paramedic|CRNA|SRNA|CNM|PharmD|RPh|PCT|PCA|CO|"
    r"[Ss]urgeon|[Aa]sst|[Aa]ssistant|[Aa]ttending|[Aa]ttg|[Rr]esident|[Ff]ellow|[Ii]ntern|[Aa]nesth(?:esia|es)?|[Ss]crub|[Cc]irculator|[Ss]cribe|[Tt]ech|[Aa]ide|[Nn]urse|[Tt]herapist|"
    r"Hyg|[Hh]ygienist|[Dd]oula|[Ss]ponsor|Chap|mgr|[Pp]roband|Adv|AME|[Ss]itter|[Ll]andlord|[Ff]oreman|[Cc]haplain|[Hh]ospitalist|[Ii]ntensivist|[Rr]adiologist|[Pp]athologist|[Cc]ardiologist|[Oo]ncologist|[Pp]harmacist|[Dd]ietitian|[Cc]oordinator|[Cc]ounselor|[Cc]ase manager|"
    r"[Ss]ocial worker|[Ii]nterpreter|[Cc]aseworker|[Oo]fficer|[Dd]etective|[Dd]eputy|[Tt]rooper|[Ww]itness|[Dd]onor|[Rr]ecipient|PCP|IR|ID|Neuro|Cards|GI|Ortho|HMC|HM2|HM3|SSG|SGT|CPT|MAJ|LTC|CDR|LCDR|Pt|pt|Patient|patient"
)
GIVEN = r"(?:[A-Z][a-z]+(?:-[A-Z][a-z]+)*|[A-Z]\.?)"
CAP = r"[A-Z][A-Za-z]*(?:['-][A-Za-z]+)*"
WIDE = r"[ \t_*]*[\"']?"


@dataclass(frozen=True, slots=True)
class Cue:
    """What announces a name. The group marks where the name begins; it is then taken word by word."""

    name: str
    regex: str
    score: float
    limit: int = 4
    lower: bool = False
    check: bool = False
    backward: bool = False


CUES: tuple[Cue, ...] = (
    Cue("title", rf"\b(?:{TITLES})\.?[ ]{{1,2}}([A-Z])", 0.95),
    Cue("role", rf"\b(?:{ROLES})[:.]?[ ]{{1,2}}([A-Z])", 0.8, 3, check=True),
    Cue(
        "rank in training",
        r"\b(?:PGY-?\d|R[1-5]|Sr|Att|attg|Attg)[:.]? ([A-Z][a-z])",
        0.9,
        2,
    ),
    Cue("newborn", r"\b((?:Baby|BABY|Bb|BB) ?(?:Boy|Girl|BOY|GIRL|boy|girl)) [A-Z]", 0.9, 3),
    Cue(
        "newborn, small letters",
        r"\b(?:baby ?(?:boy|girl)(?: [ab12])?|twin [ab12] (?:boy|girl|male|female)) ([a-z]{3,})",
        0.85,
        1,
        lower=True,
        check=True,
    ),
    Cue("initial and surname alone", rf"\n[ ]*([A-Z]\. {CAP})[ ]*(?:\n|\z)", 0.9),
    Cue(
        "name and age",
        rf"(?:^|\n|[.;:] |\| ?)({CAP}(?: (?:[A-Z]\.? )?{CAP}){{1,2}}),? (?:is an? )?\d{{1,3}}(?:[ -]?(?:y\b|yo|y/o|F\b|M\b|year|yr|mo\b|wk|d\b)|,)",
        0.9,
        check=True,
    ),
    Cue(
        "bed, name and age",
        rf"(?:^|\n)[ ]*(?:\d{{1,4}}[A-Z]?(?:-\d)?[.):]?[ ]+)({CAP}(?:,? {CAP}|,? ?[A-Z]\.?)?),? ?\d{{1,3}} ?(?:[MF]\b|yo|y/o)",
        0.9,
    ),
    Cue(
        "age, sex, surname",
        r"(?:^|[\n|;] ?|\b\d{4}\n)[ ]*\d{1,2}[MF] ([A-Z][a-z]{3,})(?: (?:tx|with|w/|adm|s/p|here|in|from|p/w|presents)\b)",
        0.9,
        2,
        check=True,
    ),
    Cue(
        "name and service in brackets",
        rf"\(({CAP}) (?:IR|GI|ID|RVT|RDMS|CT surg|ENT|NP|PA|RN|MD)\)",
        0.9,
        1,
    ),
    Cue(
        "service, name in brackets",
        rf"\b(?:[Ss]urgery|[Ss]urg|[Oo]rtho|[Nn]euro|IR|GI|ID|[Cc]ards|[Oo]nc|[Rr]enal|[Pp]ulm|[Pp]sych|[Dd]erm|ENT|SLP|PT|OT|SW|RD|[Uu]ro|[Uu]rology|NICU|MICU|[Pp]all|[Pp]alliative|[Aa]nesthesia|[Dd]oula|[Cc]ardiology|[Nn]ephrology|[Nn]eurology) \(({CAP})[) ]",
        0.85,
        2,
        check=True,
    ),
    Cue(
        "student or service",
        r"\b(?:MS[1-4]|CO|RPh|Chap\.?|Rep:|EMT|Doc|Sponsor) \"?([A-Z][a-z]{2,})",
        0.8,
        2,
        check=True,
    ),
    Cue(
        "second of two of the family",
        rf"\b(?i:sons|daughters|sisters|brothers|kids|children|parents|twins|grandsons|granddaughters|nephews|nieces|cousins|friends|neighbors|aides|nurses)[,:]? (?:{CAP}, ){{0,3}}{CAP},? (?i:and|&) ([A-Z])",
        0.9,
        2,
    ),
    Cue(
        "second of three of the family",
        rf"\b(?i:sons|daughters|sisters|brothers|kids|children|twins|nephews|nieces|cousins|friends)[,:]? {CAP}, ({CAP}),? (?i:and|&|[A-Z])",
        0.9,
        1,
    ),
    Cue(
        "person of a pedigree",
        r"\b(?:I{1,3}|IV|V)-\d{1,2}:? (?:proband )?([A-Z][a-z]{2,})",
        0.92,
        2,
        check=True,
    ),
    Cue(
        "interpreter on the line",
        r"\b(?i:interpreter|interp|terp)(?: ?(?:on|by|via|over) (?:the )?(?:video|phone|line|ipad|VRI)),? ([A-Z][a-z]{2,})",
        0.9,
        2,
        check=True,
    ),
    Cue(
        "other name in brackets",
        rf"\b(?:{CAP}, {CAP}|[A-Z][a-z]+ [A-Z][a-z]+),? \([\"']?([A-Z][a-z]{{2,}})[\"']?\)",
        0.95,
        1,
        check=True,
    ),
    Cue("title over a line", r"\b(?:Dr|Mr|Mrs|Ms)\.?[ ]*\n[ \t]*([A-Z])", 0.85),
    Cue(
        "title, capitals",
        r"\b(?:DRS?|MRS?|MISS|REV|PASTOR|SGT|DOCTOR|NURSE|SISTER|BROTHER|OFFICER)\.?[ ]+([A-Z])",
        0.85,
    ),
    Cue(
        "title, lower case",
        r"\b(?:drs?|mrs?|ms|miss|doctor|nurse|pastor|officer)\.?[ ]+([a-z])",
        0.9,
        3,
        lower=True,
    ),
    Cue("title, glued", r"\b(?:Drs?|Mrs?|Ms)\.?([A-Z][a-z]+)", 0.8, 3),
    Cue(
        "second of two doctors",
        rf"\bDrs\.? {CAP}(?: {CAP})?(?:,? (?:and|&) |, ?|/|&)([A-Z])",
        0.9,
        2,
    ),
    Cue(
        "credential",
        rf"\b((?:{CAP}|[A-Z]\.)(?:[ ](?:{CAP}|[A-Z]\.|de|la|van|von|der|del|bin|al)){{0,4}}),?(?:[ ]+|[ ]*\n[ ]*|(?:,))(?:{CREDENTIALS})\b",
        0.9,
        backward=True,
    ),
    Cue(
        "last, first, credential",
        rf"\b({CAP}(?: {CAP})?, ?{CAP}(?: [A-Z]\.?)?),? (?:{CREDENTIALS})\b",
        0.9,
        backward=True,
    ),
    Cue(
        "label",
        rf"(?i:(?:^|[\n\t|;,.(_*-]|\s)[ *_#]*(?:{LABELS}))[ ]*[:=>][-> *_\"\[]*[ \t]*(?:(?:Drs?|Mrs?|Ms|Miss|Rev|Fr)\.? )?([A-Za-z])",
        0.85,
        lower=True,
        check=True,
    ),
    Cue("kin", rf"(?i:\b(?:{KIN}))(?:,? |, |: ?| \(|, \")[\"']?([A-Z][a-z])", 0.9, 3, check=True),
    Cue(
        "kin, lower case",
        r"\b(?:wife|husband|son|daughter|dtr|mother|father|brother|sister|niece|nephew|cousin|grandson|granddaughter|aunt|uncle|fiance|named|nurse|neighbor) ([a-z])",
        0.85,
        2,
        lower=True,
        check=True,
    ),
    Cue(
        "kin, capitals",
        r"\b(?:WIFE|HUSBAND|SON|DAUGHTER|DTR|MOTHER|FATHER|BROTHER|SISTER|NIECE|NEPHEW|COUSIN|GRANDSON|GRANDDAUGHTER|AUNT|UNCLE|SPOUSE|PARTNER|NEIGHBOR),? ([A-Z])",
        0.7,
        3,
        check=True,
    ),
    Cue("signature", r"(?:/es/|/s/|(?i:signed|signature|sig))[ :x_]*([A-Z])", 0.9, check=True),
    Cue(
        "dash signature",
        r"\n[ ]*(?:--|-|~)[ ]?([A-Z][a-z'.-]*(?: [A-Z][A-Za-z'.-]*){0,3})(?:,|[ ]*\n|\z)",
        0.55,
        check=True,
    ),
    Cue(
        "closing",
        r"(?i:sincerely|regards|respectfully|yours truly|warmly|best|thank you|thanks|cordially)[^\n]{0,20},?[ ]*\n+[ \t]*([A-Z])",
        0.85,
        check=True,
    ),
    Cue(
        "greeting",
        r"\b(?i:dear|hi|hello|hey|thanks|thank you)[ ]+(?:(?i:drs?|mrs?|ms|miss)\.? )?([A-Z][a-z])",
        0.85,
        3,
        check=True,
    ),
    Cue(
        "I am",
        r"\b(?i:i am|i'm|my name is|this is|name is|named|goes by|called|prefers|nicknamed)[ ]+(?:(?i:dr|mr|mrs|ms|doctor|nurse)\.? )?\"?([A-Z][a-z])",
        0.8,
        3,
        check=True,
    ),
    Cue("quoted nickname", r"\(?\"([A-Z][a-z]+(?: [A-Z][a-z]+)?)\"\)?", 0.35, 2, check=True),
)
LAST_FIRST = r"\b((?:[A-Z][a-z]+|[A-Z]{2,})(?:['-](?:[A-Z][a-z]+|[A-Z]{2,}))*(?: (?:[A-Z][a-z]+|[A-Z]{2,})(?:-[A-Za-z]+)?)?,[ ]?[A-Z][A-Za-z'-]+(?: [A-Z][A-Za-z]*\.?)?)"
RUN = rf"\b({CAP}(?: (?:[A-Z]\.?|{CAP}|de|la|van|von|der|del|bin|al|dos|da)){{1,4}})"
INITIALLED = r"(?:^|[^A-Za-z.])((?:[A-Z]\.[ ]?){1,2}[A-Z][A-Za-z]+(?:[-'][A-Za-z]+)*)\b"
SIGNATURE = rf"(?:^|\n)[ ]*({CAP} (?:[A-Z]\.? )?{CAP}), ?[A-Z][A-Za-z.-]{{1,6}}(?:[ ]?(?:[IVX]{{1,3}}|[A-Z]{{2,5}}))?[ ]*(?:\n|\z|,)"


class Names(RuleRecognizer):
    word = "names"

    def entities(self) -> Sequence[str]:
        return (PERSON,)

    def load(self) -> None:
        for cue in CUES:
            next(matches(cue.regex, Page.of("")), None)

    def more(self, page: Page) -> Iterator[Hit]:
        for cue in CUES:
            yield from cued(cue, page)
        yield from last_first(page)
        yield from babies(page)
        yield from nicknamed(page)
        yield from last_initial(page)
        yield from runs(page)
        yield from initialled(page)
        yield from signatures(page)
        yield from given_alone(page)
        yield from speakers(page)
        yield from present(page)
        yield from given_initial(page)
        yield from beds(page)
        yield from doctors(page)
        yield from spelled(page)
        yield from talkers(page)


WITH = r"(?:\bw/ ?|\b(?:with|told|called|asked|saw|met|thanked|texted|named|w) )"
TOWARD = r"(?:\b(?:from|and|for|per|by|to|after|of|calls?|about|at) |& ?)"
LONE = r"([A-Z][a-z]{2,})(?:'s)?(?:[^A-Za-z0-9'-]|\z)"
ACTING = r"(?:^|[\n.;:,(\"] ?)([A-Z][a-z]{2,}) (?:says|said|states|stated|reports|reported|called|calls|came|comes|brought|brings|took|takes|gave|asked|asks|wants|lives|works|drove|drives|left|died|phoned|texted|thinks|helps|cooks|worries)\b"
KIN_ALONE = r"(?:wife|husband|spouse|son|daughter|dtr|mother|mom|father|dad|sister|brother|aunt|uncle|niece|nephew|cousin|grandson|granddaughter|partner|neighbor|friend|aide|nurse|roommate|fianc[e]+|boyfriend|girlfriend|caregiver)"
BESIDE_KIN = rf"(?:^|[\n.;:,&(] ?|\band |\bw/ )([A-Z][a-z]{{2,}}) \((?:the |her |his |pt'?s |their )?{KIN_ALONE}\b"
OWNING = r"(?:^|[\n.;] ?)([A-Z][a-z]{2,})'s (?:[a-z]+ )?(?:wife|husband|mother|mom|father|dad|sister|brother|son|daughter|kids|room|meds|chart|appt|visit|house|car|phone|family|name|birthday|teacher|school|mood|labs)\b"
CHILDREN = (
    r"\b[A-Z][a-z]+ \(?\d{1,2}\)?(?:,| &| and|, and|;) ([A-Z][a-z]{2,}) \(?\d{1,2}\)?(?:[ ,;.)]|\z)"
)
ALONE = (
    (BESIDE_KIN, 0.85),
    (OWNING, 0.85),
    (CHILDREN, 0.85),
    (WITH + LONE, 0.8),
    (TOWARD + LONE, 0.7),
    (ACTING, 0.8),
)


def given_alone(page: Page) -> Iterator[Hit]:
    """A given name that is nothing else, where a person is spoken of: `w/ Gideon`, `Teri called`."""
    for regex, score in ALONE:
        for start, end in matches(regex, page):
            word = page.text[start:end]
            known, common = gazetteers.first_name(word), gazetteers.common_word(word)
            if known > 8 and not ordinary(word) and not worded(word) and gazetteers.city(word) < 3:
                sure = 0.15 if not common else 0.1 if known > common else 0.0
                yield Hit(start, end, PERSON, score + sure, "given name alone")
            elif borne(word):
                yield Hit(start, end, PERSON, 0.45, "given name alone, a word")


SPEAKER = r"(?:^|\n)[ ]*(?:\d{1,2}[:.]\d\d ?(?:[AaPp][Mm]?)? ?-? ?)([A-Z][a-z]+):"


def speakers(page: Page) -> Iterator[Hit]:
    """Who speaks in a chat: the word between the time and the colon, twice or more."""
    spans = [s for s in matches(SPEAKER, page) if page.text[slice(*s)].lower() not in STOPS]
    words = [page.text[start:end] for start, end in spans]
    times = Counter(words)
    for (start, end), word in zip(spans, words, strict=True):
        if times[word] > 1 and (gazetteers.first_name(word) or not worded(word)):
            yield Hit(start, end, PERSON, 0.9, "speaker")


TALKER = r"(?:^|\n)[ >*]*([a-z]{3,12}|[A-Z][a-z]{2,12}) ?: [^\n]"


def talkers(page: Page) -> Iterator[Hit]:
    """Who speaks in a thread without times: a given name before a colon, three lines or more."""
    spans = list(matches(TALKER, page))
    times = Counter(page.text[start:end] for start, end in spans)
    for start, end in spans:
        word = page.text[start:end]
        if times[word] < 3 or word.lower() in STOPS or clinical(word):
            continue
        if gazetteers.first_name(word) > 10 and gazetteers.common_word(word) < 23:
            yield Hit(start, end, PERSON, 0.9, "speaker of a thread")


PRESENT = r"(?i:\b(?:present|attendees|in attendance|attended by|participants|team|crew|attending staff)):[ ]*([^\n]{3,200})"
PIECE = re.compile(
    rf"(?:(?:[A-Z][A-Za-z.]{{0,6}} )?)(?P<name>(?:[A-Z]\.? )?{CAP}(?: {CAP}|\.? [A-Z]\.)?)$"
)


def present(page: Page) -> Iterator[Hit]:
    """Each piece of a list of those present that may be a name."""
    for start, end in matches(PRESENT, page):
        here = start
        for part in re.split(r"([,;/]| and | & |\()", page.text[start:end]):
            piece = PIECE.match(part.strip(" .)"))
            if piece and not doubtful(piece.group("name")):
                at = page.text.find(piece.group("name"), here)
                yield Hit(at, at + len(piece.group("name")), PERSON, 0.75, "present")
            here += len(part)


# `9 Fr Cordis`: a size, no title.
GAUGE = re.compile(r"\d ?-?Fr\.? {1,2}$")


def cued(cue: Cue, page: Page) -> Iterator[Hit]:
    text = page.text
    for start, end in matches(cue.regex, page):
        if cue.name == "title" and GAUGE.search(text, max(0, start - 12), start):
            continue
        if cue.backward:
            start = begun(text, start, end)
            stop = end
        else:
            stop = taken(text, start, cue.limit, lower=cue.lower)
            stop = with_given(text, start, stop)
        value = text[start:stop]
        aged = cue.name == "name and age" and censused(value)
        if stop <= start or value.lower() in NOBODY:
            continue
        if cue.check and doubtful(value) and not aged:
            if borne(value):
                yield Hit(start, stop, PERSON, WORDLIKE, cue.name)
            elif cue.name in ROLED and surnamed(value):
                yield Hit(start, stop, PERSON, SURNAMED, cue.name)
            continue
        known = any(namely(w) for w in re.findall(r"[A-Za-z'-]+", text[start:stop]))
        score = cue.score if known or not cue.check else cue.score - 0.2
        yield Hit(start, stop, PERSON, score, cue.name)


# Of a given name that is a word, after what announces a person: the model must half agree.
WORDLIKE = 0.75


# Of a surname that is a word, after a role: the model must be inclined to agree.
SURNAMED = 0.6
ROLED = frozenset(["role", "rank in training", "service, name in brackets", "student or service"])


def surnamed(name: str) -> bool:
    """Is it one capitalised word that many bear as a surname?"""
    if not name.isalpha() or not name.istitle() or name.lower() in STOPS:
        return False
    return gazetteers.surname(name) > 8


def borne(name: str) -> bool:
    """Is it one word that many bear as a given name, though it is a word, too?"""
    if not name.isalpha() or not name[0].isupper() or name.isupper() or name.lower() in STOPS:
        return False
    return gazetteers.first_name(name) > 8 and not gazetteers.eponym(name)


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
        if bare in STOPS or (len(bare) > 2 and not namely(bare) and ordinary(bare)):
            first = place + 1
    if len(words) - first == 1:
        only = words[first].group().strip(".")
        if only.lower() in STOPS or len(only) < 2 or ordinary(only):
            return end
        if only.isupper() and not namely(only) and (len(only) < 5 or worded(only)):
            return end
    return start + words[first].start() if words else end


def with_given(text: str, start: int, stop: int) -> int:
    """LAST, FIRST: the given name after the comma belongs to the name."""
    rest = re.compile(rf",[ ]?({GIVEN}|[A-Z]{{2,}})(?: [A-Z]\b\.?)?").match(text, stop)
    if rest and namely(rest.group(1)) and not re.match(CREDENTIALS + r"\b", rest.group(1)):
        return rest.end()
    return stop


def doubtful(name: str) -> bool:
    """Is there no word in it that could be a person's?"""
    words = [w for w in re.findall(r"[A-Za-z'-]+", name) if len(w) > 1]
    if not words or (len(words) == 1 and words[0].isupper() and not namely(words[0])):
        return True
    return all(ordinary(w) for w in words) or words[0].lower() in STOPS


def last_first(page: Page) -> Iterator[Hit]:
    """LAST, FIRST M: sure where it stands in capitals or alone in its cell.

    Where several cells hold such names, those that are words (`Graves, Basil`) are names, too.
    """
    doubted: list[tuple[int, int]] = []
    rows = 0
    for start, end in matches(LAST_FIRST, page):
        words = re.findall(r"[A-Za-z'-]+", page.text[start:end])
        last, given = page.text[start:end].split(",", 1)
        first = re.findall(r"[A-Za-z'-]+", given)[0]
        if any(w.lower() in STOPS for w in words) or re.fullmatch(CREDENTIALS, first):
            continue
        if len(first) < 3 and first.isupper():
            continue
        family = last.split()[-1]
        alone = page.left(start, 3).strip(" \t|:*_#>") == ""
        if personal(first, family) and not (clinical(family) and clinical(first)):
            sure = alone or last.isupper()
            both = namely(first) and namely(family) and not ordinary(first) and not ordinary(family)
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


LISTED = r"(?:^|\n)[ ]*\d{1,4}[A-Z]?(?:-\d)?[.):]?[ ]+([A-Z][a-z]{2,}(?:-[A-Z][a-z]+)?, ?[A-Z])(?:[^A-Za-z0-9'/&-]|\z)"
LAST_INITIAL = r"(?:\d |^|[\n\t|]|  )([A-Z]{3,}(?:-[A-Z]{2,})?, ?[A-Z])(?:[^A-Za-z0-9'/&-]|\z)"


SHORTENED = r"Wm|Chas|Geo|Jos|Thos|Jas|Robt|Benj|Saml|Edw|Danl|Eliz|Fredk|Theo|Patk|Richd"
NICKED = (
    rf"\b((?:(?:{SHORTENED})\.?|[A-Z][a-z]+)(?: [A-Z]\.?)? \(?[\"'][A-Z][A-Za-z]+[\"']\)? {CAP})"
)


def nicknamed(page: Page) -> Iterator[Hit]:
    """`Wm. ("Swede") Lindquist`: given name, nickname in quotes, surname."""
    for start, end in matches(NICKED, page):
        words = re.findall(r"[A-Za-z'-]+", page.text[start:end])
        first, last = words[0], words[-1]
        given = re.fullmatch(SHORTENED, first) or gazetteers.first_name(first) > 4
        if given and first.lower() not in STOPS and (gazetteers.surname(last) or not worded(last)):
            yield Hit(start, end, PERSON, 0.92, "nickname in quotes")


BABY = r"\b([A-Z][A-Za-z'-]{2,}, ?(?i:baby) ?(?i:boy|girl)(?: [A-D1-4]\b)?)"


def babies(page: Page) -> Iterator[Hit]:
    """`CRUZ, BABY BOY B`."""
    for start, end in matches(BABY, page):
        last = page.text[start:end].split(",")[0]
        if last.lower() not in STOPS and (gazetteers.surname(last) or not worded(last)):
            yield Hit(start, end, PERSON, 0.92, "surname, baby")
            yield Hit(start, start + len(last), PERSON, 0.92, "surname, baby")


def last_initial(page: Page) -> Iterator[Hit]:
    """`PECK,L` in a list, `Poole, T` after a bed's number; one that is no word bears out the rest."""
    spans = [*matches(LAST_INITIAL, page), *matches(LISTED, page)]
    lasts = [page.text[start:end].split(",")[0].split("-")[0] for start, end in spans]
    plain = [bool(gazetteers.surname(w)) and not clinical(w) and not ordinary(w) for w in lasts]
    for (start, end), last, sure in zip(spans, lasts, plain, strict=True):
        if gazetteers.surname(last) and not clinical(last) and last.lower() not in STOPS:
            yield Hit(start, end, PERSON, 0.9 if sure or sum(plain) > 1 else 0.6, "last, initial")


GIVEN_INITIAL = r"(?:^|[\n (\"])([A-Z][a-z]{2,} [A-Z]\.)(?:[,;:)\"\n]|\z)"


def given_initial(page: Page) -> Iterator[Hit]:
    """`Peter M.,` inside a sentence: a common given name and one letter."""
    for start, end in matches(GIVEN_INITIAL, page):
        word = page.text[start : end - 3]
        if word.lower() in STOPS or gazetteers.eponym(word):
            continue
        if gazetteers.first_name(word) > (14 if ordinary(word) else 8):
            yield Hit(start, end, PERSON, 0.9, "given name and initial")


DOCTOR = r"\b(?:[Dd]rs?|DRS?|[Mm]rs?|[Dd]octor)\.? ([a-z]{3,}(?:-[a-z]{3,})?)\b"


ROAD = re.compile(r"\b[A-Z][a-z]+ D[Rr]\.? $")


def doctors(page: Page) -> Iterator[Hit]:
    """`dr salt`, `mr stone`: a surname that is a word, in small letters behind a title."""
    for start, end in matches(DOCTOR, page):
        word = page.text[start:end]
        if ROAD.search(page.left(start)):
            continue
        if word in STOPS or word in AFTER_DOCTOR or gazetteers.surname(word) < 9:
            continue
        if namely(word) or not word.endswith(("ed", "ing", "es")):
            yield Hit(start, end, PERSON, 0.92, "surname behind a title")


def personal(first: str, last: str) -> bool:
    """One is a known name and the other a known name or no word and no short form."""
    if any(w.isupper() and len(w) < 5 and not namely(w) for w in (first, last)):
        return False
    pair = (namely(first), namely(last))
    return all(pair) or (any(pair) and not any(worded(w) for w in (first, last)))


def worded(word: str) -> bool:
    """A word of the language or the clinic, and not rather a name."""
    low = word.strip(".'").lower()
    if namely(low):
        return False
    parts = re.split(r"['-]", low)
    return any(
        gazetteers.common_word(p) or gazetteers.clinical_word(p) for p in parts if len(p) > 1
    )


def runs(page: Page) -> Iterator[Hit]:
    """Capitalised names side by side, in mixed case, none of them a word of the clinic."""
    for start, end in matches(RUN, page):
        value = page.text[start:end]
        words = [w.strip(".") for w in value.split()]
        if value.isupper() or any(w.lower() in STOPS for w in words) or len(words[-1]) < 2:
            continue
        telling = [w for w in words if len(w) > 1 and w.lower() not in PARTICLES]
        if len(telling) < 2 or any(clinical(w) or worded(w) for w in telling):
            continue
        if personal(telling[0], telling[-1]):
            given = gazetteers.first_name(telling[0]) > 9
            yield Hit(start, end, PERSON, 0.7 if given else 0.55, "names side by side")


def initialled(page: Page) -> Iterator[Hit]:
    """`J. Rountree`, `L.CRABTREE`: an initial before a surname that is no word."""
    for start, end in matches(INITIALLED, page):
        last = re.findall(r"[A-Za-z'-]+", page.text[start:end])[-1]
        if last.isupper() and page.text[max(0, start - 1) : start] == "/":
            continue
        if last.lower() in SHORT_FORMS:
            continue
        if len(last) > 2 and not clinical(last) and not ordinary(last) and not worded(last):
            yield Hit(start, end, PERSON, 0.65, "initial and surname")


def signatures(page: Page) -> Iterator[Hit]:
    """A line that is a name, a comma and letters: `Kit Loftis, CRC II`."""
    for start, end in matches(SIGNATURE, page):
        words = page.text[start:end].split()
        telling = not all(worded(w) or clinical(w) for w in words)
        if telling and any(map(namely, words)) and not any(w.lower() in STOPS for w in words):
            yield Hit(start, end, PERSON, 0.95, "signature line")
