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

from recognizers.edges_names import NAMES, Step, around
from recognizers.finding import Finding
from recognizers.gazetteers import plain_list
from recognizers.names_evidence import STOPS
from recognizers.places_zips import STATES
from recognizers.shapes import UNITS

KINDS = plain_list("places/kinds")
LETTERED_LISTED = "EMS ISD USD CSD DPW DOT DPS FCU PUD EMC MS VA FD PD HS SNF LTC ALF LTAC ASC CC RC CI MB MHP FHC CHC DME FQHC UMC AME CME COGIC SDA UCC VFD VFW HD TMC NF NH LLC LLP INC LTD PLLC PC LP USA"
LETTERED = frozenset(LETTERED_LISTED.split())
LETTERS_AFTER = re.compile(r",? ([A-Z]{2,5}|Inc|Ltd|Co|Corp)\b(?! ?\d)")
KIND_AFTER = tuple(re.compile(rf"(?: [A-Za-z]+){{{size}}}\b") for size in (3, 2, 1))
# In small letters these say what sort of place it is, and are seldom of its name.
COMMON_KINDS_LISTED = "clinic hospital lab labs prison shelter school camp pharmacy park station store hotel market church jail court mill"
COMMON_KINDS = frozenset(COMMON_KINDS_LISTED.split())
NUMBER_AFTER = re.compile(r" ?#\d{1,6}\b")
SERIAL_AFTER = re.compile(r" (?:No\. ?)?\d{1,5}\b(?![/.,:%]\d)")
SERIAL_KINDS_LISTED = "post lodge camp station deck lot local store pier gate building bldg chapter troop engine medic school"
SERIAL_KINDS = frozenset(SERIAL_KINDS_LISTED.split())
CAPITAL_BEFORE = re.compile(r"(?:[a-z]|[,;(\"]|\b[A-Z]{2,5}) ([A-Z][A-Za-z'&-]+) $")
KIND_BEFORE = re.compile(
    r"(?:^|[\s(\"/])((?:USS|USNS|USCGC|Camp|Fort|Ft\.?|FOB|Team|Hotel|Mount|Mt\.?|Lake|Club|Casa|Villa|Hospital|Local \d{1,4}(?: of(?: the)?)?) )$"
)
TITLES = frozenset(["dr", "mr", "mrs", "ms", "drs", "miss", "rev", "fr", "sr", "nurse", "coach"])


OWNED = re.compile(r"['\u2019]s\b")


def owner_after(text: str, finding: Finding) -> Finding:
    """`'s` of `St. Olaf's`, which is of the name of a house."""
    match = OWNED.match(text, finding.end)
    return replace(finding, end=match.end()) if match else finding


def kind_after(text: str, finding: Finding) -> Finding:
    """`substation` of `Wirtz substation`, `#41` of `Kinney Drugs #41`, `1606` of `Moose Lodge 1606`."""
    _, right = around(text, finding)
    for form in KIND_AFTER:
        match = form.match(right)
        if match and kind(match.group().strip()):
            return replace(finding, end=finding.end + match.end())
    match = LETTERS_AFTER.match(right)
    if match and (match.group(1) in LETTERED or match.group(1)[1].islower()):
        return replace(finding, end=finding.end + match.end())
    match = NUMBER_AFTER.match(right)
    last = text[finding.start : finding.end].rsplit(" ", 1)[-1].lower()
    if not match and last in SERIAL_KINDS:
        match = SERIAL_AFTER.match(right)
    return replace(finding, end=finding.end + match.end()) if match else finding


def kind(words: str) -> bool:
    return words.lower() in KINDS and (words[0].isupper() or words not in COMMON_KINDS)


def capital_before(text: str, finding: Finding) -> Finding:
    """`Transition` of `at Transition Projects`, `USS` of `USS Mesa Verde`."""
    left, _ = around(text, finding)
    match = KIND_BEFORE.search(left)
    if match is None and text[finding.start].isupper():
        match = CAPITAL_BEFORE.search(left)
        if match and not housed(match.group(1)):
            match = None
    return (
        replace(finding, start=finding.start - (len(left) - match.start(1))) if match else finding
    )


def housed(word: str) -> bool:
    """May a capitalised word stand before the found part of a house's name?"""
    low = word.lower()
    return low not in TITLES and low not in STOPS and low not in plain_list("places/common")


HOUSE_OF_CITY = re.compile(r" (?:clinic|office|campus|branch|hospital)\b")
CAMEL = re.compile(r"[A-Z][a-z]+")


def house_of_city(text: str, finding: Finding) -> Finding:
    """`clinic` of `our Dallas clinic`."""
    match = HOUSE_OF_CITY.match(text, finding.end)
    left, _ = around(text, finding)
    return replace(finding, end=match.end()) if match and left.endswith("our ") else finding


def camel_after(text: str, finding: Finding) -> Finding:
    """`Care` of `BronxCare`."""
    match = CAMEL.match(text, finding.end)
    glued = match and text[finding.end - 1].islower()
    return replace(finding, end=match.end()) if match and glued else finding


UNIT_AFTER = re.compile(
    r"(?:,? ?(?:[Aa]pt|APT|[Aa]partment|[Uu]nit|UNIT|[Ss]te|[Ss]uite|[Ll]ot|LOT|[Ss]p|[Ss]pace|[Bb]ldg|BLDG|[Tt]railer|[Tt]rlr|[Aa]pp|[Rr]oom|[Rr]m)\b\.? ?#?[A-Za-z0-9-]{1,5}\b|,? [Nn]o\.? ?\d{1,5}\b"
    r"|,? ?# ?[A-Za-z0-9-]{1,6}\b|,? (?:rear|upstairs|downstairs)\b)"
)
NUMBER_BEFORE = re.compile(
    r"(?:^|[\s(:,;])(\d{1,6}(?:-\d{1,4})?[A-Za-z]?(?: 1/2)? (?:[NSEWnsew]\.? )?)$"
)
CORNER_AFTER = re.compile(
    r"(?: ?& ?| / |(?<=[TDHtdh])/)(?:[NSEW]\.? )?(?:\d{1,3}(?:st|nd|rd|th|ST|ND|RD|TH)|[A-Z][A-Za-z]+)(?: (?:St|Ave|Rd|Blvd|Dr|Ln|Hwy)\b\.?)?"
    r"| (?:and|at|@) (?:[NSEW]\.? )?\d{1,3}(?:st|nd|rd|th)\b"
)
CORNER_BEFORE = re.compile(
    r"(?:^|[\s(:])((?:\d{1,3}(?:st|nd|rd|th)|[A-Z][A-Za-z]+|[A-Z]{2}-?\d{1,4}) ?(?:&|/) ?)$"
)
MILE_BEFORE = re.compile(
    r"(?i)(?:^|[\s(:])((?:mp|mm|mile(?: ?(?:post|marker))?|exit) ?\d{1,3}(?:\.\d)?,?(?: (?:on|of|at))? )$"
)


def unit_after(text: str, finding: Finding) -> Finding:
    """`no. 14` of `305 Western Ave no. 14`."""
    match = UNIT_AFTER.match(text, finding.end)
    return replace(finding, end=match.end()) if match else finding


UNIT_BEFORE = re.compile(
    r"(?i)(?:^|[\s(:,;])((?:apt|apartment|unit|lot|box|bldg|building|rm|room|space|spc|sp|suite|ste|trailer|trlr|barracks|floor|\d{1,2}(?:st|nd|rd|th) (?:floor|fl))\.? ?#?\d{0,4}[A-Za-z]?, )$"
    r"|(?:^|[\s(:,;])((?:rt|rr|rte|hc|no|co)\.? )$"
)


def unit_before(text: str, finding: Finding) -> Finding:
    """`Lot 12, ` of `Lot 12, Bahia Vista`."""
    left, _ = around(text, finding)
    match = UNIT_BEFORE.search(left)
    if not match or (match.group(2) and not text[finding.start].isdigit()):
        return finding
    place = match.start(1) if match.group(1) else match.start(2)
    return replace(finding, start=finding.start - (len(left) - place))


def number_before(text: str, finding: Finding) -> Finding:
    """`1940` of `1940 w cactus`, `exit 221 on` of `exit 221 on I-70`."""
    if text[finding.start].isdigit():
        return finding
    left, _ = around(text, finding)
    for form in (NUMBER_BEFORE, MILE_BEFORE):
        match = form.search(left)
        if match:
            return replace(finding, start=finding.start - (len(left) - match.start(1)))
    return finding


def corner(text: str, finding: Finding) -> Finding:
    """Both streets of `MLK & 14th`."""
    left, _ = around(text, finding)
    after, before = CORNER_AFTER.match(text, finding.end), CORNER_BEFORE.search(left)
    end = after.end() if after else finding.end
    start = finding.start - (len(left) - before.start(1)) if before else finding.start
    return replace(finding, start=start, end=end)


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


GLUED_BEFORE = re.compile(
    r"(?:^|[\s(#|,;])([A-Z]{1,5}[.-]|[A-Z]*\d[A-Z0-9]*:|[A-Z]+\d[A-Z0-9]*[.-])$"
)
LETTERS_BEFORE = re.compile(
    r"(?:[:#] ?|(?:no|lic|id|plate|tag|lot|sn|mrn|chart|member|claim|case)\.? )([A-Z]{1,4}[ ])$",
    re.IGNORECASE,
)
FIELDS_LISTED = "mrn mr ssn ss sn lot ref exp id no fin csn acct dob npi dea lic icd cpt ph tel fax dx rx hx rm bed age rn md np pa do lpn at to in of on the is ser card cert auth"
FIELDS = frozenset(FIELDS_LISTED.split())
STATE = re.compile(STATES)


def letters_before(text: str, finding: Finding) -> Finding:
    """`GIMC` of `GIMC 00771`, `MD.` of `MD.204417`."""
    left, _ = around(text, finding)
    match = GLUED_BEFORE.search(left) or LETTERS_BEFORE.search(left)
    if not match or match.group(1)[0].islower():
        return finding
    letters = match.group(1).rstrip(" .:-")
    if letters.lower() in FIELDS or STATE.fullmatch(letters) or len(letters) < 2:
        return finding
    if letters.isalpha() and not letters.isupper():
        return finding
    return replace(finding, start=finding.start - (len(left) - match.start(1)))


EXTENSION = re.compile(r",? ?(?:(?:ext|extension)\.? ?|x)\d{1,6}\b", re.IGNORECASE)
REST_BELOW = re.compile(r"-?[ ]*\n[ \t]*(\d{1,4})\b(?![/.-]?\d)")


def phone_rest(text: str, finding: Finding) -> Finding:
    """An extension, or the last digits on the next line where they make ten."""
    match = EXTENSION.match(text, finding.end)
    if match:
        return replace(finding, end=match.end())
    digits = sum(map(str.isdigit, text[finding.start : finding.end]))
    match = REST_BELOW.match(text, finding.end)
    begun = re.search(r"\d[)\s./-]{0,3}$", text[max(0, finding.start - 4) : finding.start])
    if match and not begun and digits + len(match.group(1)) in {10, 11} and digits < 10:
        return replace(finding, end=match.end())
    return finding


TAIL = re.compile(r" [A-Z](?=[,.;)\s]|$)(?! [a-z])")


def letter_after(text: str, finding: Finding) -> Finding:
    """`M` of `W0407 26 303427 00 M`."""
    match = TAIL.match(text, finding.end)
    if match and re.search(r"\d \d", text[finding.start : finding.end]):
        return replace(finding, end=match.end())
    return finding


HOUSES: Sequence[Step] = (camel_after, capital_before, owner_after, kind_after)
CITIES: Sequence[Step] = (camel_after, house_of_city)
STREETS: Sequence[Step] = (corner, number_before, unit_after, unit_before)
AGES: Sequence[Step] = (ones_after,)
NUMBERS: Sequence[Step] = (letters_before, letter_after)
STEPS: dict[str, Sequence[Step]] = {
    "PERSON": NAMES,
    "FACILITY": HOUSES,
    "EMPLOYER": HOUSES,
    "CITY": CITIES,
    "STREET_ADDRESS": STREETS,
    "AGE_OVER_89": AGES,
    "BIRTH_YEAR_OVER_89": AGES,
    "PHONE_NUMBER": (phone_rest,),
    "FAX_NUMBER": (phone_rest,),
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
    r"[ \t]+(?:(?:of|of the|at|at the|on|on the|and|&|for|the)[ \t]+)?|[ \t]*[,/-]?[ \t]*\r?\n[ \t]*",
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
    houses = first.entity in HOUSED and second.entity in HOUSED
    streets = first.entity == "STREET_ADDRESS" and second.entity in {"STREET_ADDRESS", "FACILITY"}
    if houses or streets:
        return bool(CONNECTOR.fullmatch(text, first.end, second.start))
    within = first.entity in HOUSED and second.entity in PLACED
    crossing = first.entity == "STREET_ADDRESS" and second.entity in {"CITY", "PERSON", "EMPLOYER"}
    if crossing:
        return bool(CROSSING.fullmatch(text, first.end, second.start))
    return within and bool(WITHIN.fullmatch(text, first.end, second.start))
