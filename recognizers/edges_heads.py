"""What stands at the head or the end of a found value and is of the form or the sentence.

`hospice Cedar Arch`, `Addr 12 Elm St`: such a word only says what sort of thing the value is.
`of Sept 8`, `Tripler if`, `HIM Gail`, `CDL K04-77`: such a word is not of the value at all.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

from recognizers import gazetteers
from recognizers.edges import HOUSED, LETTERED, SERIAL_KINDS
from recognizers.edges_said import FLOWING, dangling, likened, unflowed, unhemmed, unsided
from recognizers.entities import NUMBERED
from recognizers.finding import Finding
from recognizers.gazetteers import plain_list
from recognizers.known_words import common_words
from recognizers.names_evidence import SHORT_FORMS

# Words that say what sort of thing it is and are no part of its name. Others may be: of
# `walmart Supercenter`, `san Mateo Medical`, `dollar General` the small word is what tells.
SORTS_LISTED = (
    "hospice hospital clinic pharmacy lab laboratory facility agency shelter school church ward "
    "base boat ship deck store shop plant vendor carrier transport dme pip loc addr address "
    "from frm at by via with for and or per nearest outreach fallback alternate alt "
    "ride yrs aunt uncle mother father brother sister hermana hermano pipefitter welder"
)
SMALL = re.compile(rf"(?:{'|'.join(SORTS_LISTED.split())})[:,]? (?=[A-Z])")
FORM_LISTED = "Vendor Transfer Transport Addr Address Notified Directed Called LOC Loc FTA DME PIP"
FORM = re.compile(rf"(?:{'|'.join(FORM_LISTED.split())})[:.,]? (?=[A-Z][\w'.&-]* [A-Z])")
# What somebody does or did there, at the head of a sentence: `Owns Two Sisters Nail Bar`.
DOINGS_LISTED = (
    "Owns Owned Runs Manages Attends Attended Attending Works Worked Working Joined Quit Left "
    "Fired Hired Former Longtime Retired Current Previous Ex Graduated Teaches Drives Cooks "
    "Cleans Volunteers Resides Lives Started Called Visited Referred Faxed Discharged Transferred "
    "Admitted Presented"
)
DOINGS = re.compile(
    rf"(?:{'|'.join(DOINGS_LISTED.split())})(?: (?:at|from|for|to|by|with))? (?=[A-Z])"
)
DOINGS_LOW = re.compile(
    r"(?:quit|left|owns|runs|joined|former|longtime|attends|attended) (?=\w{3})"
)
SORT_OF = re.compile(
    r"(?:Preferred|Sister|Referring|Sending|Receiving|Local|Home)"
    r" (?:pharmacy|facility|hospital|clinic) (?=[A-Z])"
)
# Who or what is of a house, before the house. A kind may be of its name: `Commons at Elk Run`.
BELONGING = re.compile(r"([A-Z][a-z]+|[A-Z]{2,4}) (?:at|from) (?=(?:the )?[A-Z])")
# `Home Avenue` is a street: before a name such a word goes only with its colon.
ADDRESS = re.compile(
    r"(?:Addr(?:ess)?|ADDR(?:ESS)?|LOC|Loc|lives|resides)[:.]? (?=[A-Z0-9])|"
    r"(?:Lives|Home|Resides|residence|house|row house)(?:[:.]? (?=\d)|: (?=[A-Z]))"
)
HEADS = {
    "FACILITY": (SMALL, FORM, DOINGS, DOINGS_LOW, SORT_OF),
    "EMPLOYER": (SMALL, FORM, DOINGS, DOINGS_LOW, SORT_OF),
    "STREET_ADDRESS": (ADDRESS, DOINGS),
}


def headless(text: str, finding: Finding) -> Finding:
    """The finding without such words; as it is where nothing but them would go."""
    start = finding.start
    for form in HEADS.get(finding.entity, ()):
        match = form.match(text, start, finding.end)
        if match and finding.end - match.end() > 3:
            start = match.end()
    match = BELONGING.match(text, start, finding.end) if finding.entity in HOUSED else None
    if match and aside(match.group(1).lower()):
        start = match.end()
    return finding if start == finding.start else replace(finding, start=start)


KIND_WORDS = frozenset(word for kind in plain_list("places/kinds") for word in kind.split())


ROLES_LISTED = "deacon usher cook pastor chef clerk teacher nurse aide volunteer member"
ROLES = frozenset(ROLES_LISTED.split())


def aside(word: str) -> bool:
    """A word of the language, no kind of house and nobody's name: `Choir at First Baptist`."""
    if word in SHORT_FORMS or word in ROLES:
        return True
    if word in KIND_WORDS or word in plain_list("places/common"):
        return False
    return word in common_words() and not gazetteers.surname(word)


# A preposition before a house, a place or a day; one in small letters begins no name of these.
LEADING = re.compile(r"(?:of|on|in|at|from|to|by|til|until|since|for|with|via|near|past|and) ")
# Not `of`, `for` and `and`, which are of the name as often: `Haven of` Rest.
TRAILING = re.compile(r"(?:,? (?:if|at|on|in|to|or|with|from|til|until|via|frm))+$")
GOES_ON = re.compile(r"[ \t]+\w")
# Of the sentence behind a house, which the network now and then takes with it. None ends a name.
SAID_LISTED = (
    "employee employees worker workers retiree staff crew driver chemist contractor staffer first "
    "again today tonight yesterday recently evenings mornings nights days weekends normal clear "
    "negative positive pending visits calls called sends says records reviewed results when while "
    "who where because after before during then now but is was has had"
)
YEAR = r",? (?:19|20)\d\d(?=$| ?(?:to|-|\u2013) ?(?:19|20)?\d\d)"
SAID = re.compile(rf"(?<=[A-Za-z'.])(?: (?:{'|'.join(SAID_LISTED.split())})|{YEAR})+$")
SERIAL = re.compile(rf"(?i)(?:{'|'.join(SERIAL_KINDS)}|no\.?|\#)[ ]?(?:19|20)\d\d$")
# Who somebody is, before the name: posts, ranks and kin in letters. Those that are initials as
# often (`RA`, `OB`, `ED`, `RB`) stay with the name, and so does what many bear (`ADA`).
POSTS_LISTED = (
    "CO HIM MA PA GAL ANES RD QA PI NOK NSGY ALJ CM SPC OPR MHT DIL FIL SSG NCM VSO PHN SFC ENT "
    "RIP MSW DME PCP LPN LVN CNA EMS EMT POA HCPOA LAR CRC CRA MAJ LTC SGT PFC CAPT CDR LCDR "
    "MAC Sub-I MSG HM1 HM2 HM3 MS3 MS4 RBVO TORB LSW LCSW AKA CTRL TTL TEE OTV VIR NIR WOCN QC FF "
    "BH Anes anes dau dtr gf bf cc msg sgd narne mz nbr wkr Elder Warden Do\u00f1a do\u00f1a "
    "Ayeeyo Mme w Neighbor Roommate Housemate Granddaughter Grandson Niece Nephew Stepson "
    "Stepdaughter"
)
POST = re.compile(rf"(?:{'|'.join(POSTS_LISTED.split())})[:.]? (?=[\"\u201c]?[A-Z][a-z])")
# In two letters they are initials where a field or a title begins the name: `Patient: CM Okafor`.
LETTERS = re.compile(r"[A-Za-z]{1,2} ")
NAMED_LEFT = re.compile(
    r"(?i)\b(?:(?:patient|pt|name|client|resident|member)(?: name)?[ ]?[:#]+"
    r"|(?:dr|mr|mrs|ms|miss)\.?)[ \t]*$"
)
# What announces a number. A payer's letters are of the number where they are printed with it.
LABELS_LISTED = (
    "PCR RVCT DL EMR MBI SN ID DBN UID HAR PIN IMEI AWB USDOT HRN TWIC SASID HMIS CDL inv "
    "Inv ser Ser sn seq conc PTAN FEIN NRCME CAOHC RQ ACC acc No tail Serial MSHO PMAP JID"
)
LABEL = re.compile(rf"(?:{'|'.join(LABELS_LISTED.split())})[ .:#]{{1,3}}(?=[A-Z]{{0,4}}[\d-]*\d)")
# The letters of a licence plate are as these: `plate ACC 4821`.
STRIPPED = {
    **dict.fromkeys(NUMBERED - {"VEHICLE_ID"}, LABEL),
    "DATE_TIME": LEADING,
    "FACILITY": LEADING,
    "EMPLOYER": LEADING,
    "STREET_ADDRESS": LEADING,
    "CITY": LEADING,
    "PERSON": POST,
}
ENDED = frozenset(["FACILITY", "EMPLOYER", "STREET_ADDRESS", "CITY", "PERSON"])


# A short form of the clinic that the network took with the name before it: `Pham-Castellaw egd`.
SHORT_LAST = re.compile(r"[A-Za-z]{2}[.,]? ((?:[A-Z]{3,6}|[a-z]{3,6}))$")


def stripped(
    text: str, finding: Finding, before: Container[int] = (), after: Container[int] = ()
) -> Finding:
    """The finding without what is of the sentence; as it is where less than two letters remain.

    `before`: where findings end, `after`: where houses and places begin. A word that joins two
    stays: of `Bethany on 42nd`, found in two, all is of the one house.
    """
    start, end = finding.start, finding.end
    form = STRIPPED.get(finding.entity)
    head = form.match(text, start, end) if form else None
    initials = form is POST and head and named(text, start, head.group())
    if head and not initials and (form is not LEADING or start - 1 not in before):
        start = head.end()
    if finding.entity in ENDED and end + 1 not in after:
        tail = TRAILING.search(text, start, end)
        # Where nothing follows it joins nothing: `patient: minh to`.
        joins = finding.entity != "PERSON" or GOES_ON.match(text, end)
        end = tail.start() if tail and joins else end
    if finding.entity == "PERSON":
        start = likened(text, start, end)
        end = shortened(text, start, end)
        start, end = unhemmed(text, start, unsided(text, start, end))
    if finding.entity in FLOWING:
        end = unflowed(text, start, end)
    if finding.entity in HOUSED and end + 1 not in after:
        end = unsaid(text, start, dangling(text, start, end))
    if (start, end) == (finding.start, finding.end) or end - start < 2:
        return finding
    return replace(finding, start=start, end=end)


def unsaid(text: str, start: int, end: int) -> int:
    """The end of a house or employer without words of the sentence and the year behind it."""
    said = SAID.search(text, start, end)
    if not said or SERIAL.search(text, start, end):
        return end
    return said.start() if said.start() - start > 2 else end


def named(text: str, start: int, post: str) -> bool:
    """Do two letters behind a field or a title begin the name as initials?"""
    return bool(LETTERS.fullmatch(post) and NAMED_LEFT.search(text, max(0, start - 24), start))


def shortened(text: str, start: int, end: int) -> int:
    """The end of a name without the short form of the clinic behind it, which nobody bears."""
    last = SHORT_LAST.search(text, start, end)
    if not last:
        return end
    low = last.group(1).lower()
    if low not in SHORT_FORMS or low.upper() in LETTERED:
        return end
    if gazetteers.surname(low) or gazetteers.first_name(low):
        return end
    return start + len(text[start : last.start(1)].rstrip(" .,"))
