# ruff: noqa: E501 -- a pattern reads best on one line
"""What belongs to a value beside the part of it that was found.

A source that finds `Odum Memorial` in `. Tolland Odum Memorial` has seen that a value is there; its
bounds follow from what stands directly beside it. Each step takes a text and a finding
and gives a finding that is never shorter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recognizers.decide.owners import (
    Step,
    house_of_person,
    housed,
    left_of,
    letters_of_town,
    name_before,
)
from recognizers.finding import Finding
from recognizers.text.normalized_text import in_row

LETTERED_LISTED = "EMS ISD USD CSD DPW DOT DPS FCU PUD EMC MS VA FD PD HS SNF LTC ALF LTAC ASC CC RC CI MB MHP FHC CHC DME FQHC UMC AME CME COGIC SDA UCC VFD VFW HD TMC NF NH LLC LLP INC LTD PLLC PC LP USA VNA"
LETTERED = frozenset(LETTERED_LISTED.split())
SERIAL_KINDS_LISTED = "post lodge camp station deck lot local store pier gate building bldg chapter troop engine medic school plant evac air-evac lifeflight careflight medevac division"
SERIAL_KINDS = frozenset(SERIAL_KINDS_LISTED.split())
CAPITAL_BEFORE = re.compile(r"(?:[a-z]|[A-Za-z][:=]|[,;(\"]|\b[A-Z]{2,5}) ([A-Z][A-Za-z'&-]+) $")
KIND_BEFORE = re.compile(
    r"(?:^|[\s(\"/])((?:USS|USNS|USCGC|Camp|Fort|Ft\.?|FOB|Team|Hotel|Mount|Mt\.?|Lake|Club|Casa|Villa|Hospital|Local \d{1,4}(?: of(?: the)?)?) )$"
)


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


HOUSE_OF_CITY = re.compile(r" (?:clinic|office|campus|branch|hospital)\b")


def house_of_city(text: str, finding: Finding) -> Finding:
    """`clinic` of `our Dallas clinic`."""
    match = HOUSE_OF_CITY.match(text, finding.end)
    left = left_of(text, finding)
    return replace(finding, end=match.end()) if match and left.endswith("our ") else finding


EXTENSION = re.compile(r",? ?(?:(?:ext|extension)\.? ?|x)\d{1,6}\b", re.IGNORECASE)
TIMES = re.compile(r",? ?x\d", re.IGNORECASE)
REST_BELOW = re.compile(r"-?[ ]*\n[ \t]*(\d{1,4})\b(?![/.-]?\d)")


def phone_rest(text: str, finding: Finding) -> Finding:
    """An extension, or the last digits on the next line where they make ten."""
    match = EXTENSION.match(text, finding.end)
    digits = sum(map(str.isdigit, text[finding.start : finding.end]))
    # `paged 3312 x2`: a number of the house has no extension, it was called twice.
    if match and (digits > 5 or not TIMES.fullmatch(match.group())):
        return replace(finding, end=match.end())
    match = REST_BELOW.match(text, finding.end)
    begun = re.search(r"\d[)\s./-]{0,3}$", text[max(0, finding.start - 4) : finding.start])
    if match and not begun and digits + len(match.group(1)) in {10, 11} and digits < 10:
        return replace(finding, end=match.end())
    return finding


UNIT_AFTER = re.compile(
    r"(?:,? ?(?:[Aa]pt|APT|[Aa]partment|[Uu]nit|UNIT|[Ss]te|[Ss]uite|[Ll]ot|LOT|[Ss]p|[Ss]pace|[Bb]ldg|BLDG|[Tt]railer|[Tt]rlr|[Aa]pp|[Rr]oom|[Rr]m)\b\.? ?#?[A-Za-z0-9-]{1,5}\b|,? (?:[Ff]ire |lock ?box )?[Nn]o\.? ?\d{1,5}\b|,? (?i:first|second|third|top|ground) (?i:floor|fl)\b|,? (?:bsmt|BSMT)\b|,? \d{1,2}/F\b"
    r"|,? ?# ?[A-Za-z0-9-]{1,6}\b|,? (?:rear|upstairs|downstairs)\b)"
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
    left = left_of(text, finding)
    match = UNIT_BEFORE.search(left)
    if not match or (match.group(2) and not text[finding.start].isdigit()):
        return finding
    place = match.start(1) if match.group(1) else match.start(2)
    return replace(finding, start=finding.start - (len(left) - place))


HOUSES: Sequence[Step] = (capital_before, name_before)
STEPS: dict[str, Sequence[Step]] = {
    "PERSON": (house_of_person, letters_of_town),
    "FACILITY": HOUSES,
    "EMPLOYER": HOUSES,
    "CITY": (house_of_city, letters_of_town),
    "COUNTY": (letters_of_town,),
    "STREET_ADDRESS": (unit_after, unit_before),
    "PHONE_NUMBER": (phone_rest,),
    "FAX_NUMBER": (phone_rest,),
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
