# ruff: noqa: E501 -- a pattern reads best on one line
"""What belongs to a value beside the part of it that was found.

A source that finds `Loftis` in `Kit Loftis` or `27th` in `Sistrunk & 27th` has seen that a value is
there; its bounds follow from what stands directly beside it. Each step takes a text and a finding
and gives a finding that is never shorter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recognizers.edges_names import NAMES, WINDOW, Step, left_of
from recognizers.edges_numbers import NUMBERS, PHONES
from recognizers.edges_owners import (
    OWNED,
    house_of_person,
    housed,
    letters_of_town,
    name_before,
    works_at,
)
from recognizers.edges_streets import STREETS
from recognizers.entities import ENTITIES
from recognizers.finding import Finding
from recognizers.gazetteers import plain_list
from recognizers.page import in_row
from recognizers.shapes import UNITS

KINDS = plain_list("places/kinds")
LETTERED_LISTED = "EMS ISD USD CSD DPW DOT DPS FCU PUD EMC MS VA FD PD HS SNF LTC ALF LTAC ASC CC RC CI MB MHP FHC CHC DME FQHC UMC AME CME COGIC SDA UCC VFD VFW HD TMC NF NH LLC LLP INC LTD PLLC PC LP USA VNA"
LETTERED = frozenset(LETTERED_LISTED.split())
# Of a company, a district or an office, and short forms of the clinic behind a house.
FIRM_LETTERS_LISTED = "DC HQ HVAC RV BBQ DOC DHS DSS DPH BOE BOCES SD PSD HSD UHSD CUSD ESD RTA RTD MTA CPA CPAS DDS DMD AFB JV AG PLC LU TV FM HOA KOA ANG SO VFC RR GC REC RECC ITC LU USA PBC IT"
FIRM_LETTERS = frozenset(FIRM_LETTERS_LISTED.split())
LETTERS_AFTER = re.compile(r",? ([A-Z]{2,5}|Inc|Ltd|Co|Corp)\b(?! ?\d)")
KIND_AFTER = tuple(re.compile(rf"(?: [A-Za-z]+){{{size}}}\b") for size in (3, 2, 1))
# In small letters these say what sort of place it is, and are seldom of its name.
COMMON_KINDS_LISTED = "clinic hospital lab labs prison shelter school camp pharmacy park station store hotel market church jail court mill"
COMMON_KINDS = frozenset(COMMON_KINDS_LISTED.split())
NUMBER_AFTER = re.compile(r" ?#\d{1,6}\b")
SERIAL_AFTER = re.compile(r" (?:No\. ?)?\d{1,5}\b(?![/.,:%]\d)")
SERIAL_KINDS_LISTED = "post lodge camp station deck lot local store pier gate building bldg chapter troop engine medic school plant evac air-evac lifeflight careflight medevac division"
SERIAL_KINDS = frozenset(SERIAL_KINDS_LISTED.split())
CAPITAL_BEFORE = re.compile(r"(?:[a-z]|[A-Za-z][:=]|[,;(\"]|\b[A-Z]{2,5}) ([A-Z][A-Za-z'&-]+) $")
KIND_BEFORE = re.compile(
    r"(?:^|[\s(\"/])((?:USS|USNS|USCGC|Camp|Fort|Ft\.?|FOB|Team|Hotel|Mount|Mt\.?|Lake|Club|Casa|Villa|Hospital|Local \d{1,4}(?: of(?: the)?)?) )$"
)


def owner_after(text: str, finding: Finding) -> Finding:
    """`'s` of `St. Olaf's`, which is of the name of a house."""
    match = OWNED.match(text, finding.end)
    return replace(finding, end=match.end()) if match else finding


def kind_after(text: str, finding: Finding) -> Finding:
    """`substation` of `Wirtz substation`, `#41` of `Kinney Drugs #41`, `1606` of `Moose Lodge 1606`."""
    right = text[finding.end : finding.end + WINDOW]
    for form in KIND_AFTER:
        match = form.match(right)
        if match and kind(match.group().strip()):
            return replace(finding, end=finding.end + match.end())
    match = LETTERS_AFTER.match(right)
    if match and (match.group(1) in LETTERED or match.group(1)[1].islower()):
        return replace(finding, end=finding.end + match.end())
    if match and finding.entity == "EMPLOYER" and match.group(1) in FIRM_LETTERS:
        return replace(finding, end=finding.end + match.end())
    match = NUMBER_AFTER.match(right)
    last = text[finding.start : finding.end].rsplit(" ", 1)[-1].lower()
    if not match and last in SERIAL_KINDS:
        match = SERIAL_AFTER.match(right)
    return replace(finding, end=finding.end + match.end()) if match else finding


SHOP_LISTED = "bakery store shop schoolhouse pharmacy diner cafe market hardware garage tavern bar grill salon barbershop deli dairy orchard greenhouse nursery lumberyard mill tack feed motel grocery clinic school drugstore restaurant"
SHOP_OF = re.compile(rf"['\u2019]s (?:{'|'.join(SHOP_LISTED.split())})\b")
DISPENSED = re.compile(
    r"(?i)\b(?:rx|refills?|refilled|bottle|filled|pharmacy|e-?sent|e?scripts?|funeral|mortuary)\b[^.;\n]{0,24}[ ,]$"
)
OWNER_ENDS = re.compile(r"['\u2019]s(?=[;.,)]|\n|$| \(| (?:says|on|in)\b)")


def shop_of(text: str, finding: Finding) -> Finding:
    """`Okar's bakery`, `refill to Okar's;`: a house that is called by its owner."""
    match = SHOP_OF.match(text, finding.end)
    ends = None if match else OWNER_ENDS.match(text, finding.end)
    if ends and DISPENSED.search(left_of(text, finding)):
        match = ends
    if not match:
        return finding
    return replace(finding, end=match.end(), entity="FACILITY", identifier=ENTITIES["FACILITY"])


HOME_ENDS = re.compile(r"(?:Home|Homes|House|Residence|Shelter|School|Hospital|Retreat)$")
FOUNDED_AFTER = re.compile(
    r" (?:for (?:the )?(?:Aged|Aging|Elderly|Blind|Deaf|Women|Men|Girls|Boys|Children|Veterans)|of the (?:Good Shepherd|Innocents|Sacred Heart))\b"
)
CAMPUS_AFTER = re.compile(
    r",? (?:- )?(?:(?!Main\b)[A-Z][A-Za-z.'-]+ ){1,3}(?:Campus|campus)\b|, Campus [A-Z]\b"
)


def founded_after(text: str, finding: Finding) -> Finding:
    """`for the Aged` of `Maple Crest Home for the Aged`, `, Cactus Wren Campus` of an institute."""
    match = FOUNDED_AFTER.match(text, finding.end)
    if match and HOME_ENDS.search(text, finding.start, finding.end):
        finding = replace(finding, end=match.end())
    match = CAMPUS_AFTER.match(text, finding.end)
    return replace(finding, end=match.end()) if match else finding


def kind(words: str) -> bool:
    return words.lower() in KINDS and (words[0].isupper() or words not in COMMON_KINDS)


def capital_before(text: str, finding: Finding) -> Finding:
    """`Transition` of `at Transition Projects`, `USS` of `USS Mesa Verde`."""
    left = left_of(text, finding)
    match = KIND_BEFORE.search(left)
    if match is None and text[finding.start].isupper():
        match = CAPITAL_BEFORE.search(left)
        if match and not housed(match.group(1)):
            match = None
    return (
        replace(finding, start=finding.start - (len(left) - match.start(1))) if match else finding
    )


TOWNS_OWN = re.compile(
    r" (?:post office|annex|schoolhouse|fish hatchery|county jail|jail|courthouse|fire hall|fire dept|substation|senior center|truck stop|airstrip|wic)\b"
)


def house_of_town(text: str, finding: Finding) -> Finding:
    """`post office` of `Bean Station post office`, where the town alone was found."""
    match = TOWNS_OWN.match(text, finding.end)
    return replace(finding, end=match.end()) if match else finding


HOUSE_OF_CITY = re.compile(r" (?:clinic|office|campus|branch|hospital)\b")
CAMEL = re.compile(r"[A-Z][a-z]+")


def house_of_city(text: str, finding: Finding) -> Finding:
    """`clinic` of `our Dallas clinic`."""
    match = HOUSE_OF_CITY.match(text, finding.end)
    left = left_of(text, finding)
    return replace(finding, end=match.end()) if match and left.endswith("our ") else finding


def camel_after(text: str, finding: Finding) -> Finding:
    """`Care` of `BronxCare`."""
    match = CAMEL.match(text, finding.end)
    glued = match and text[finding.end - 1].islower()
    return replace(finding, end=match.end()) if match and glued else finding


SPOKEN_TENS = re.compile(r"(?i)(?:ninety|hundred|twenty|thirty|noventa)$")
SPOKEN_ONES = re.compile(
    rf"(?i)[- ](?:(?:{UNITS})\b|y (?:uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)\b)"
)


def ones_after(text: str, finding: Finding) -> Finding:
    """`-two` of `nineteen thirty-two`."""
    match = SPOKEN_ONES.match(text, finding.end)
    if match and SPOKEN_TENS.search(text, finding.start, finding.end):
        return replace(finding, end=match.end())
    return finding


HOUSES: Sequence[Step] = (
    camel_after,
    capital_before,
    name_before,
    owner_after,
    kind_after,
    founded_after,
)
CITIES: Sequence[Step] = (camel_after, house_of_city, house_of_town, letters_of_town)
AGES: Sequence[Step] = (ones_after,)
STEPS: dict[str, Sequence[Step]] = {
    "PERSON": (*NAMES, shop_of, works_at, house_of_person, letters_of_town),
    "FACILITY": HOUSES,
    "EMPLOYER": HOUSES,
    "CITY": CITIES,
    "COUNTY": (letters_of_town,),
    "STREET_ADDRESS": STREETS,
    "AGE_OVER_89": AGES,
    "BIRTH_YEAR_OVER_89": AGES,
    "PHONE_NUMBER": PHONES,
    "FAX_NUMBER": PHONES,
    **dict.fromkeys(
        ("MEDICAL_RECORD_NUMBER", "OTHER_ID", "DEVICE_ID", "LICENSE_NUMBER", "ACCOUNT_NUMBER", "HEALTH_PLAN_NUMBER", "VEHICLE_ID"),
        NUMBERS,
    ),
}  # fmt: skip


def completed(text: str, finding: Finding) -> Finding:
    """The finding with what belongs to it on either side."""
    for step in STEPS.get(finding.entity, ()):
        finding = step(text, finding)
    return finding


CONNECTOR = re.compile(
    r"(?:['\u2019]s)?[ \t]+(?:(?:(?:of|at|on)(?: the)?|(?:by|in|under) the|and|&|n|for|the|del?|de l[ao]s?)[ \t]+)?"
    r"|[ \t]*[,/-]?[ \t]*\r?\n[ \t]*",
    re.IGNORECASE,
)
HOUSED = frozenset(["FACILITY", "EMPLOYER"])
PLACED = HOUSED | {"CITY", "COUNTY", "STREET_ADDRESS"}
WITHIN = re.compile(r" (?:of|of the|at|at the|on|on the|and|&|for the|del|de) ", re.IGNORECASE)
CROSSING = re.compile(r" (?:and|&|/) ", re.IGNORECASE)
REACH = 24


def bridged(text: str, ordered: Iterable[Finding]) -> list[Finding]:
    """Parts of one house's name with a small word or a line's end between as one finding.

    `Avalon at the Square`: neither part may tell what the whole does.
    """
    found: list[Finding] = []
    for finding in ordered:
        last = found[-1] if found else None
        if last and last.end < finding.start <= last.end + REACH and one(text, last, finding):
            found[-1] = replace(last, end=finding.end, score=max(last.score, finding.score))
        else:
            found.append(finding)
    return found


def one(text: str, first: Finding, second: Finding) -> bool:
    """Are two neighbours the parts of one name or of one address?"""
    if "\n" in text[first.end : second.start] and in_row(text, first.end):
        return False
    houses = first.entity in HOUSED and second.entity in HOUSED
    streets = first.entity == "STREET_ADDRESS" and second.entity in {"STREET_ADDRESS", "FACILITY"}
    if houses or streets:
        return bool(CONNECTOR.fullmatch(text, first.end, second.start))
    within = first.entity in HOUSED and second.entity in PLACED
    crossing = first.entity == "STREET_ADDRESS" and second.entity in {"CITY", "PERSON", "EMPLOYER"}
    if crossing:
        return bool(CROSSING.fullmatch(text, first.end, second.start))
    return within and bool(WITHIN.fullmatch(text, first.end, second.start))
