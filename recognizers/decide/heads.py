"""What stands at the head or the end of a found value and is of the sentence, not of the value.

`of Sept 8`, `Tripler if`, `HIM Gail`, `CDL K04-77`, `terri um`.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

from recognizers.decide.edges import HOUSED, LETTERED, SERIAL_KINDS
from recognizers.entities import NUMBERED
from recognizers.evidence.names.word_evidence import SHORT_FORMS
from recognizers.finding import Finding
from recognizers.words import gazetteers

# A disease before the name of one who has it: `COPD, Jane D.`, `MS like Jane D.`
LIKENED = re.compile(r"([A-Z]{2,5})(?:, | like )(?=[A-Z][a-z]+ [A-Z])")


def likened(text: str, start: int, end: int) -> int:
    """The start of a name without the short form of the clinic before it."""
    head = LIKENED.match(text, start, end)
    if not head or head.group(1).lower() not in SHORT_FORMS:
        return start
    listed = head.group().endswith("e ") or not gazetteers.surname(head.group(1))
    return head.end() if listed else start


# What is said in between, before and behind a name of a transcript, which has no capitals.
HEMS = (
    "um|uh|uhm|er|ah|oh|okay|ok|hey|hi|so|well|yeah|yes|right|alright|great|huh|hmm|dragon|listen"
)
HEM_BEFORE = re.compile(rf"(?:(?:{HEMS}),? )+(?=[a-z]{{2}})")
HEM_AFTER = re.compile(rf"(?:,? (?:{HEMS}))+$")


# Oh, So, Huh are families, too: `patient is oh sung min`.
CALLED = re.compile(r"\b(?:patient|mrs?|ms|miss|mister|dr|doctor|nurse|named?)[.,]?(?: is)? $")
PRONOUN = re.compile(r" (?:he|she|they|who|it)$")


def unhemmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A name in small letters without such words at its edges: `terri um`, `malik he`'s."""
    if not text[start:end].islower():
        return start, end
    own = PRONOUN.search(text, start, end) if text[end : end + 1] in {"'", "\u2019"} else None
    end = own.start() if own else end
    before = None if called(text, start) else HEM_BEFORE.match(text, start, end)
    first = before.end() if before else start
    after = HEM_AFTER.search(text, first, end)
    return first, after.start() if after and not called(text, after.start() + 1) else end


def called(text: str, start: int) -> bool:
    """Does a title or a word of the clinic say that a name begins here?"""
    return CALLED.search(text, max(0, start - 24), start) is not None


DANGLING = re.compile(r" (?:for|of|and)$")
SAID_ON = re.compile(r"[ \t]+[^A-Z\s]")
TITLED = re.compile(r" (?:Drs?|Mrs?|Ms|Prof|Rev)\.?$")
NAMED = re.compile(r"\.? [A-Z]")


def dangling(text: str, start: int, end: int) -> int:
    """The end of a house before `for` of the sentence, before `Dr` of the next name.

    Of `Home for` Aged Women it is the name's own.
    """
    for last, right in ((DANGLING, SAID_ON), (TITLED, NAMED)):
        match = last.search(text, start, end)
        if match and right.match(text, end):
            return match.start()
    return end


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
        start, end = unhemmed(text, start, end)
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
