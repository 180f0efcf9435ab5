# ruff: noqa: E501 -- a pattern reads best on one line
"""Cues that announce a name, such as titles, kinship and roles; credentials after a name."""

from __future__ import annotations

from dataclasses import dataclass

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
    score: float
    limit: int = 4
    check: bool = False


NAME_CUES: tuple[Cue, ...] = (
    Cue("title", rf"\b(?:{TITLES_PATTERN})\.?[ ]{{1,2}}([A-Z])", 0.95),
    Cue("newborn", r"\b((?:Baby|BABY|Bb|BB) ?(?:Boy|Girl|BOY|GIRL|boy|girl)) [A-Z]", 0.9, 3),
    Cue(
        "service, name in brackets",
        rf"\b(?:{SERVICES_PATTERN}) \(({CAPITAL_WORD})[) ]",
        0.85,
        2,
        check=True,
    ),
    Cue(
        "kin",
        rf"(?i:\b(?:{KIN_PATTERN}))(?:,? |, |: ?| \(|, \")[\"']?([A-Z][a-z])",
        0.9,
        3,
        check=True,
    ),
    Cue("spoken with", SPOKEN_WITH, 0.95, 2, check=True),
)
