# ruff: noqa: E501 -- a pattern reads best on one line
"""(R) What lets somebody in: codes of doors and locks, passwords, user names, workstations, keys."""

from __future__ import annotations

from recognizers.evidence.context import Context
from recognizers.evidence.names.word_evidence import SHORT_FORMS
from recognizers.evidence.numbers.others import OTHER
from recognizers.evidence.rules import Pattern, Rules
from recognizers.text.shapes import MEASURE
from recognizers.words import gazetteers

DOORS = (
    r"door|gate|porch|alarm|garage|lock ?box|key ?box|front|back|side|main|entry|entrance|access|security|building|bldg|house|lobby|buzz(?:er)?|bell|"
    r"call ?box|keypad|safe|locker|pick-?up|pairing|training|activation|phone|room|rm|meeting|mail ?room|unit|apt|ramp|barn|elevator|verbal|family|privacy"
)
# `pw` is a wall of the heart and `p/w` what a patient presents with: sure in quotation marks alone.
SHORT_WORDS = r"pw|p/w"
PASSWORDS = r"pass ?code|pass ?word|pass ?phrase|pwd|code ?word|safe ?word|pick-?up word|code phrase|secret word|security word"
FOR = r"(?: (?:is|was|for|the|phone|calls|on|chart|set|to|info|updates|family|pickup)\b){0,4}"
# What is said of a password that is not told.
UNTOLD_LISTED = "reset protected given required set needed changed provided confirmed verified declined please only list file chart line updated expired sheet card phone known none same"
UNTOLD = frozenset(UNTOLD_LISTED.split())


def told(value: str) -> float:
    return -0.95 if value.lower() in UNTOLD else 0.0


# Drugs cut short before their dose: `atorva40`.
DRUGS_LISTED = "atorva rosuva simva prava lova metop carve carved lisin lisino enala losar valsa amlo hctz gaba prega levo levothy furo toras spiro escita citalo sertra fluox fluoxe parox duloxe venla bupro traza mirta quetia olanza risper aripip clona loraz alpraz diaz zolp oxyc hydroc hydrox pred predni methyl dexa panto omep famot tamsul finast apixa riva warf clopi empag dapag sitag semag tirzep metf glipiz glim insul"
DRUGS = frozenset(DRUGS_LISTED.split())


def built(value: str) -> float:
    """Evidence for a log-in: a surname after initials, or a name before them, and a number."""
    low = value.rstrip("0123456789")
    if low in DRUGS or any(
        map(known, (low, low + "l"))
    ):  # the last letter of `emai1` may be misread
        return -0.95
    pieces = [low, *(low[k:] for k in (1, 2, 3)), *(low[:-k] for k in (1, 2))]
    return 0.0 if any(borne(piece) for piece in pieces) else -0.95


def initialled(value: str) -> float:
    """Evidence for a log-in in small letters: no word, and behind its first letter a surname."""
    if known(value) or gazetteers.first_name(value) or value in SHORT_FORMS | {"todo"}:
        return -0.95
    return 0.0 if gazetteers.surname(value[1:]) > 6 else -0.95


def known(word: str) -> bool:
    """A word of the language or of the clinic, or an instrument's name."""
    return bool(
        gazetteers.common_word(word) or gazetteers.clinical_word(word) or gazetteers.eponym(word)
    )


def borne(piece: str) -> bool:
    """Do many bear it? Three letters are many a thing."""
    name = gazetteers.first_name(piece)
    return (
        name > 8 if len(piece) == 3 else len(piece) > 3 and max(name, gazetteers.surname(piece)) > 6
    )


def placed(value: str) -> float:
    """Evidence against `SARS-COV-2`; of `CK-MB-2` and `HPV-16-18` the model is asked, too."""
    first, second, last = value.lower().split("-")
    if len(last) == 1:
        return -0.95 if clinical(first) and clinical(second) else -0.35
    return -0.35 if second.isdigit() else 0.0


def clinical(piece: str) -> bool:
    return piece in SHORT_FORMS or gazetteers.clinical_word(piece)


class OthersAccess(Rules):
    word = "others_access"
    around = Context()
    patterns = (
        Pattern(
            "code of a door",
            rf"(?i)\b(?:{DOORS}) (?:code|pin|combo|combination|password)(?: (?:is|for|at|on|to|of|the|a|front|back|motel|door|gate|house|entry|her|his|their)\b){{0,3}}[ :=#-]{{0,3}}([#*]?\d(?:[ -]?\d){{2,7}}[#*]?)",
            OTHER,
            0.92,
            after="0-9/%.",
        ),
        Pattern(
            "code with its star",
            r"(?i)\b(?:code|gate|door|keypad|entry|lock ?box|garage|pin|dial|press|buzz(?:er)?|ring)(?: (?:is|at|on|for|the|a|code|pin|motel|door|gate)\b){0,3}[ :]{1,2}([#*]\d{2,6}\b|\d{3,6}[#*])",
            OTHER,
            0.92,
            after="0-9",
        ),
        Pattern(
            "combination",
            r"(?i)\b(?:lock ?box|combo|combination|key ?safe|key ?box|padlock|lock|keypad|safe|pin)(?: (?:is|code|on|at|for|the|set|to|gate|door|shed|barn|number|no)\b){0,3}[ :]{1,2}(\d{1,2}(?:-\d{1,2}){2,4}|\d{4,6})\b",
            OTHER,
            0.92,
            after="0-9/:%.-",
            context=Context(not_left=r"(?:heparin|saline|hep|port) lock:? ", not_right=MEASURE),
        ),
        Pattern(
            "password in quotation marks",
            rf"(?i)\b(?:{PASSWORDS}|{SHORT_WORDS}){FOR} ?[:=]? {{0,2}}[\"']([A-Za-z0-9][A-Za-z0-9 !.-]{{2,30}})[\"']",
            OTHER,
            0.92,
        ),
        Pattern(
            "password after a colon",
            rf"(?i)\b(?:{PASSWORDS}){FOR} ?[:=] {{0,2}}([A-Za-z0-9][A-Za-z0-9!-]{{2,30}}(?: \d{{1,4}}\b)?)",
            OTHER,
            0.92,
            check=told,
        ),
        Pattern(
            "password after its letters",
            r"(?i)\bpw(?: (?:is|was))? ?[:=]? {0,2}([a-z]{3}[a-z!-]*\d[a-z0-9!-]{0,30})\b",
            OTHER,
            0.92,
        ),
        Pattern(
            "password with digits",
            rf"(?i)\b(?:{PASSWORDS}){FOR} ((?-i:[A-Za-z]+\d[A-Za-z0-9!-]{{0,30}}))\b",
            OTHER,
            0.92,
        ),
        Pattern(
            "password of a word",
            rf"(?i)\b(?:{PASSWORDS})(?: (?:is|was|for phone|for updates|for info|set to))? ((?-i:[a-z]{{4,14}}(?: \d{{1,4}})?|[A-Z]{{4,14}}))(?:[.,;)\n]|$)",
            OTHER,
            0.92,
            check=told,
        ),
        Pattern(
            "log-in by its build",
            r"\b([a-z]{4,12}\d{1,2})\b",
            OTHER,
            0.92,
            before="A-Za-z0-9@./_-",
            after="@./_0-9A-Za-z-",
            check=built,
        ),
        Pattern(
            "log-ins in a row",
            r"\b(?i:viewers|viewed by|users|user ?names|accessed by|opened by|log-?ins)[:=]? ?((?:[a-z]{3,14}\d{0,3}, ?)+[a-z]{3,14}\d{1,3})\b",
            OTHER,
            0.92,
        ),
        Pattern(
            "workstation",
            r"\b([A-Z]{2,5}-[A-Z0-9]{2,5}-[A-Z]*\d{1,2})\b",
            OTHER,
            0.92,
            before="A-Za-z0-9-",
            after="A-Za-z0-9-",
            check=placed,
        ),
        Pattern(
            "key or pass",
            r"(?i)\b(?:(?:key|fob|key ?card)(?: (?:no\.?|number))? ?#|(?:parking|visitor|vendor|valet|coat|claim) (?:pass|stub|permit|tag|ticket|check|badge|stall)(?: no\.?)? ?#?)((?-i:[A-Z]{0,3}-?\d{1,6}))\b",
            OTHER,
            0.92,
            after="0-9/:.%",
        ),
        Pattern(
            "locker", r"(?i)\blocker ?#?((?-i:[A-Z]{0,2}-?\d{2,4}))\b", OTHER, 0.92, after="0-9/:.%"
        ),
        Pattern(
            "seal",
            r"(?i)\b(?:seals?|envelope)(?: (?:no\.?|number|bag|tag|box))? ?#? ?((?-i:[A-Z]{0,3}-?\d{4,8}|[A-Z]\d?-\d{2,6}))\b",
            OTHER,
            0.92,
            after="0-9/:.%",
            context=Context(not_right=MEASURE),
        ),
        Pattern(
            "shield of somebody",
            r"(?i)\b(?:(?:badge|officer|ofc\.?|deputy|trooper|sgt|sergeant|police)(?: [A-Z][a-z]+| [A-Z]\.? [A-Z][a-z]+)?|(?:security|guard|pd)(?-i: [A-Z][a-z]+| [A-Z]\.? [A-Z][a-z]+)),? ?# ?((?-i:[A-Z]{0,2}-?\d{1,5}))\b",
            OTHER,
            0.92,
            after="0-9/:.%",
        ),
        # One digit counts the staff, or the exchanges of a peritoneal dialysis.
        Pattern(
            "shield of a guard",
            r"(?i)\b(?:security|guard|pd) ?# ?((?-i:[A-Z]{1,2}-?\d{1,5}|\d{2,5}))\b",
            OTHER,
            0.92,
            after="0-9/:.%",
        ),
        Pattern(
            "shield",
            r"(?i)(?:\bbadge|(?:police|trooper|officer|patrol|deputy|detective|his|her|[,;(]) shield)(?: (?:no\.?|number))? ?#? ?((?-i:[A-Z]{1,4}-?\d{2,6}|\d{2,6}))\b",
            OTHER,
            0.92,
            after="0-9/:.%",
        ),
        Pattern(
            "unit of an officer",
            r"(?i)\b(?:deputy|officer|ofc\.?|trooper|constable|sgt\.?|detective|ems|medic|ambulance|engine|sheriff)\b[^.;\n]{0,36}\b(?:unit|car) #?((?-i:[A-Z][a-z]{0,2}-\d{1,4}|[A-Z]\d{2,4}))\b",
            OTHER,
            0.92,
            after="0-9/:.%-",
        ),
        Pattern(
            "report that was written",
            r"(?i)\b(?:wrote|filed|submitted|written|entered)(?: up)?(?: an?| the| it)?(?: up)? (?:ir|incident|rl|sir|occurrence) ?(?:no\.? ?)?#? ?(\d{3,8})\b",
            OTHER,
            0.92,
            after="0-9/:.%-",
        ),
        Pattern(
            "user of a chat",
            r"(?:^|\n)(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? ?(?:[ap]m)? ?)?([a-z]{2,12}_[a-z]{3,14}\d{0,2}): ",
            OTHER,
            0.92,
        ),
        Pattern(
            "initial and surname at the head of a chat's line",
            r"(?:^|\n)(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? ?(?:[ap]m)? ?)?([a-z]{4,12}): ",
            OTHER,
            0.92,
            check=initialled,
        ),
        Pattern(
            "place on the network",
            r"\b(\d{0,2}[A-Z]{2,8}-(?:AP|WS|PC|WOW|COW|PRN|KIOSK)-?\d{1,3})\b",
            OTHER,
            0.92,
            before="A-Za-z0-9-",
            after="A-Za-z0-9-",
            check=lambda v: -0.95 if clinical(v.split("-")[0].lower()) else 0.0,
        ),
        Pattern(
            "incident",
            r"(?i)\b(?:incident|report|complaint|grievance|citation|case|ticket|safety event|capa|petition|docket|(?:ems |ambulance |fire )?run|cad|epcr)(?: report)?(?: (?:no\.?|number|#))?[ :#]{1,2}((?-i:[A-Z]{0,3}-?\d{2,4}-\s{0,2}\d{2,6}))\b",
            OTHER,
            0.92,
            after="0-9/:.%-",
            context=Context(not_right=MEASURE),
        ),
    )
