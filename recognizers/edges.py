# ruff: noqa: E501 -- a pattern reads best on one line
"""What belongs to a value beside the part of it that was found.

A source that finds `Loftis` in `Kit Loftis` or `27th` in `Sistrunk & 27th` has seen that a value is
there; its bounds follow from what stands directly beside it. Each step takes a text and a finding
and gives a finding that is never shorter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from recognizers import gazetteers
from recognizers.finding import Finding
from recognizers.gazetteers import plain_list
from recognizers.names_evidence import STOPS, clinical, namely, ordinary
from recognizers.places_zips import STATES
from recognizers.shapes import UNITS

Step = Callable[[str, Finding], Finding]
WINDOW = 40

GIVEN_BEFORE = re.compile(r"(?:^|[\s\"(/|,;:])([A-Z][a-z]+|[A-Z]{3,}) $")
INITIAL_BEFORE = re.compile(r"(?:^|[\s\"(/|,;:])((?:[A-Z]\. ?){1,2})$")
INITIAL_AFTER = re.compile(
    r" [A-Z]\.(?=[\s,;:)\]'\u2019-]|$)|(?: (?!I\b)[A-Z])(?=[,;:)\]|]|  |[ ]?\n|$| \d| (?:MD|RN|NP|PA|DO|MA)\b)"
)
COMMA_INITIAL = re.compile(
    r",(?:[A-Z](?=\d\d[MF]\b|/)| ?(?!(?:M\.? ?D|D\.? ?[OC]|R\.? ?N|P\.? ?A|N\.? ?P|O\.? ?D)\b)(?:[A-Z]\.(?: ?[A-Z]\.)?|[A-Z])(?![\w.'\u2019/-])(?! [a-z]|(?<=[AI]) [A-Z]))"
)
LOW_INITIAL = re.compile(r" [b-hj-z](?=[,;.)]|[ ]?\n|$| \d| (?i:md|rn|np|pa|do|ma)\b)")
SURNAME_AFTER = re.compile(r" ([A-Z][a-z]{2,}|[A-Z]{3,})(?![\w-])")
CALLED = frozenset(["junior", "mama", "papa", "mami", "papi", "tata"])
# Borne by some, but said of others.
SAID_LISTED = "baby aide mister don crew ame lou case lady prince princess king queen major deacon judge dean page son love dear sir madam miss honey patient early young long little white black brown green gray may june april august mon sunday client male female"
SAID = frozenset(SAID_LISTED.split())


def around(text: str, finding: Finding) -> tuple[str, str]:
    """What stands before and after a finding, on its line."""
    left = text[max(0, finding.start - WINDOW) : finding.start].rsplit("\n", 1)[-1]
    return left, text[finding.end : finding.end + WINDOW]


def given_name(text: str, finding: Finding) -> Finding:
    """`Kit` of `Kit Loftis`, `R.` of `R. Ocampo`."""
    left, _ = around(text, finding)
    if not text[finding.start].isupper():
        return finding
    match = GIVEN_BEFORE.search(left)
    if match and named_so(match.group(1)):
        return replace(finding, start=finding.start - (len(left) - match.start(1)))
    match = INITIAL_BEFORE.search(left)
    if match and text[finding.start : finding.end].isalpha() and finding.end - finding.start > 2:
        return replace(finding, start=finding.start - (len(left) - match.start(1)))
    return finding


def named_so(word: str) -> bool:
    low = word.lower()
    known = gazetteers.first_name(low)
    return low in CALLED or (
        low not in STOPS | SAID
        and ((known > 6 and namely(low) and not clinical(low)) or known > 10)
    )


def initial_after(text: str, finding: Finding) -> Finding:
    """`A.` of `Ximena A.`, `,D` of `Abdi,D`, `m` of `lety m`."""
    _, right = around(text, finding)
    value = text[finding.start : finding.end]
    if not value[-1:].isalpha() or len(value) < 2:
        return finding
    lone = not re.search(r"[\s,]", value)
    forms = [INITIAL_AFTER] if lone else []
    if value[0].isupper() and "," not in value and len(value) > 2:
        forms.append(COMMA_INITIAL)
    if lone and value.islower():
        forms.append(LOW_INITIAL)
    for form in forms:
        match = form.match(right)
        if match:
            return replace(finding, end=finding.end + match.end())
    return finding


def surname_after(text: str, finding: Finding) -> Finding:
    """`Faleafa` of `Junior Faleafa`, where only the given name was found."""
    value = text[finding.start : finding.end]
    match = SURNAME_AFTER.match(text, finding.end)
    if not match or not value.isalpha() or not gazetteers.first_name(value):
        return finding
    word = match.group(1)
    if not gazetteers.surname(word) or ordinary(word) or word.isupper() != value.isupper():
        return finding
    return replace(finding, end=match.end())


MIDDLE_AFTER = re.compile(r" ([A-Z][a-z]+|[A-Z]{2,})(?: [A-Z]\.?(?![\w'-]))?(?![\w'-])")
LETTER_AFTER = re.compile(r" [A-Z]\.?(?=[ ]{2}|[ ]*[\n,;|)\]]|[ ]*$|[ ]\d)")
AFTER_LAST = re.compile(r"[A-Z][A-Za-z'-]+, ?$")
GIVEN_AFTER = re.compile(r", ?([A-Z][a-z]{2,}|[A-Z]{3,})(?![\w'-])(?: [A-Z]\b\.?)?")


def rest_of_last_first(text: str, finding: Finding) -> Finding:
    """`Ann B` of `Moreno, Lucia Ann B`; `, OTTO` of `MORENO, OTTO` where the surname alone was found."""
    value = text[finding.start : finding.end]
    if "," in value or AFTER_LAST.search(around(text, finding)[0]):
        match = MIDDLE_AFTER.match(text, finding.end)
        if match and not middle(match):
            match = None
        match = match or LETTER_AFTER.match(text, finding.end)
        return replace(finding, end=match.end()) if match else finding
    match = GIVEN_AFTER.match(text, finding.end)
    if not match or not value.isalpha() or value.isupper() != match.group(1).isupper():
        return finding
    given = match.group(1)
    if gazetteers.first_name(given) > 8 and gazetteers.surname(value) and plainly(given):
        return replace(finding, end=match.end())
    return finding


def middle(match: re.Match[str]) -> bool:
    """A given name, or any capitalised word that an initial follows."""
    word = match.group(1)
    if word.lower() in STOPS or clinical(word):
        return False
    return match.group().rstrip(".")[-2] == " " or (
        gazetteers.first_name(word) > 0 and plainly(word)
    )


def plainly(word: str) -> bool:
    """A name and no word of the language or the clinic."""
    return not ordinary(word) and not clinical(word) and word.lower() not in STOPS


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
    if match and digits + len(match.group(1)) in {10, 11} and digits < 10:
        return replace(finding, end=match.end())
    return finding


TAIL = re.compile(r" [A-Z](?=[,.;)\s]|$)(?! [a-z])")


def letter_after(text: str, finding: Finding) -> Finding:
    """`M` of `W0407 26 303427 00 M`."""
    match = TAIL.match(text, finding.end)
    if match and re.search(r"\d \d", text[finding.start : finding.end]):
        return replace(finding, end=match.end())
    return finding


NAMES: Sequence[Step] = (given_name, surname_after, rest_of_last_first, initial_after)
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
