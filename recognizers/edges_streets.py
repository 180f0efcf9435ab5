# ruff: noqa: E501 -- a pattern reads best on one line
"""The edges of addresses: their numbers and units, the other street of a corner, the landmark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recognizers.edges_names import Step, left_of
from recognizers.finding import Finding
from recognizers.gazetteers import plain_list

UNIT_AFTER = re.compile(
    r"(?:,? ?(?:[Aa]pt|APT|[Aa]partment|[Uu]nit|UNIT|[Ss]te|[Ss]uite|[Ll]ot|LOT|[Ss]p|[Ss]pace|[Bb]ldg|BLDG|[Tt]railer|[Tt]rlr|[Aa]pp|[Rr]oom|[Rr]m)\b\.? ?#?[A-Za-z0-9-]{1,5}\b|,? (?:[Ff]ire |lock ?box )?[Nn]o\.? ?\d{1,5}\b|,? (?i:first|second|third|top|ground) (?i:floor|fl)\b|,? (?:bsmt|BSMT)\b|,? \d{1,2}/F\b"
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
    r"(?:^|[\s(:])((?:\d{1,3}(?:st|nd|rd|th)|(?:US|SR|CR|FM|Hwy|Rte) \d{1,4}|[A-Z][A-Za-z]+|[A-Z]{2}-?\d{1,4}) ?(?:&|/) ?)$"
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
    left = left_of(text, finding)
    match = UNIT_BEFORE.search(left)
    if not match or (match.group(2) and not text[finding.start].isdigit()):
        return finding
    place = match.start(1) if match.group(1) else match.start(2)
    return replace(finding, start=finding.start - (len(left) - place))


# A letter may be a digit read badly: `l200 BLK`.
MISREAD_BEFORE = re.compile(r"(?:^|[\s(:,;])([lIO][\dlO]{2,4} (?:(?i:blk|block) )?)$")
NUMBER_ABOVE = re.compile(
    r"(?i)(?:\b(?:at|address:?|addr:?|home:?|residence:?|to|near)|,) (\d{1,5}[ ]*\n[ \t>|]*)$"
)
LINE_ABOVE = 40


def number_before(text: str, finding: Finding) -> Finding:
    """`1940` of `1940 w cactus`, `exit 221 on` of `exit 221 on I-70`, `61` on the line above."""
    if text[finding.start].isdigit():
        return finding
    left = left_of(text, finding)
    for form in (NUMBER_BEFORE, MILE_BEFORE, MISREAD_BEFORE):
        match = form.search(left)
        if match:
            return replace(finding, start=finding.start - (len(left) - match.start(1)))
    above = text[max(0, finding.start - LINE_ABOVE) : finding.start]
    match = NUMBER_ABOVE.search(above)
    return replace(finding, start=finding.start - len(match.group(1))) if match else finding


def corner(text: str, finding: Finding) -> Finding:
    """Both streets of `MLK & 14th`."""
    left = left_of(text, finding)
    after, before = CORNER_AFTER.match(text, finding.end), CORNER_BEFORE.search(left)
    end = after.end() if after else finding.end
    start = finding.start - (len(left) - before.start(1)) if before else finding.start
    return replace(finding, start=start, end=end)


LANDMARKS = plain_list("places/landmarks")
THING = "|".join(sorted(LANDMARKS, key=len, reverse=True))
ORDER = r"(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|last|next)"
LOOK = r"(?:blue|green|red|white|yellow|brown|black|gr[ae]y|tan|pink|orange|purple|tin|brick|stone|log|wooden|old|new|big|little|burnt|burned|metal)"
WHITHER = r"(?:just |right |\d+ (?:house|door|trailer|farm|lot|drive)s? )?(?:past|across from|across the (?:road|street|highway) from|behind|above|below|beyond|next to|next door to|opposite|beside|by|before|after|in front of|makai of|mauka of|at|down from|up from|on top of|back of|in back of|under|between)"
# How the words begin that say where on a road it is: after a comma any, without one only the sure.
PARTED = re.compile(
    rf"(?i), ?[\"'\u201c]?(?:(?:the |an? )?(?:{ORDER}|{LOOK})\b|{WHITHER}\b|near\b|no number\b|the [a-z]+ (?:w/|with|behind|past|by)(?= )"
    rf"|(?:{THING}) (?:behind|past|at|by|from|across|w/|above|below|beside|#?\d{{1,3}}\b)|casa\b|(?:despues|después|frente|al lado|detr[aá]s|cerca)\b)"
)
JOINED = re.compile(
    rf"(?i) (?:past|by|at|@|&|behind|across from|next to|beyond|above|below|before) (?:the|a|an)\b| (?={ORDER} (?:{THING})\b)| (?:{WHITHER}) (?:low|old|big|main)\b"
)
FAR = re.compile(
    r"(?i),? (?:about )?\d{1,3}(?:[./]\d{1,2})?(?: \d/\d)? ?(?:mi|miles?|km|blocks?|yds?)\b\.? (?:(?:[nsew]{1,2}|north|south|east|west)\b\.?(?: of)?|past|from|beyond|off|up|down|before|after)(?: the| of)?"
    rf"(?: (?:[a-z-]+ )?(?:{THING})\b|(?-i: [A-Z0-9][\w'-]*(?: [A-Z][\w'-]*){{0,2}}))"
)
CHUNK = re.compile(r"(?:[Ww]/|[^,.;:()\n\"\u201d|/]){1,64}")
STORY = re.compile(
    r"(?i)(?<=[a-z]) (?:and|when|where|while|who|whom|that|which|he|she|they|his|her|my|is|was|were|has|had|have|fell|found|until|till|til|since|for|but|then|if|because|so|will|can)\b.*|  .*",
    re.S,
)
PLACE_WORD = re.compile(
    rf"(?i)(?<![\w'-])(?:{THING})(?![\w'-])(?! (?:visit|call|health|phone|number|code|key|nurse|care|aide|time|night|day|week)s?\b)"
)
# After the landmark: on which hand, by what else, its number, what it has.
BESIDE = re.compile(
    r" (?:on (?:the |your )?(?:right|left|[LR]\b)|#?\d{1,3}\b(?!['/:%]|\.\d)|(?:past|behind|from|above|below|by|off|at|of) (?:the )?(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,2}|\d{1,4}\b)"
    rf"|(?i:w/|with) (?:no|(?:an? )?{LOOK}) [a-z]+)"
)
THINGS_WAY = re.compile(rf"(?i)(?<![\w'-])(?:{THING})$")
OF_THING = re.compile(rf"(?i) (?:{WHITHER}|on|off)\b")
NO_NUMBER = re.compile(r"(?i), no (?:number|house number|street number)(?=,)")


def landmark_after(text: str, finding: Finding) -> Finding:
    """`, 2nd trailer past the gin` of `88 Cane Rd, 2nd trailer past the gin`: which house it is."""
    end = finding.end
    if THINGS_WAY.search(text, finding.start, end):
        end = thing_after(text, end)
    for _ in range(3):
        stop = further(text, end)
        if stop == end:
            break
        end = stop
    return replace(finding, end=end) if end > finding.end else finding


def thing_after(text: str, at: int) -> int:
    """What follows a landmark that is the end of what was found: its number, what it is by."""
    more = BESIDE.match(text, at)
    return more.end() if more else landmark(text, at, OF_THING.match(text, at))


def further(text: str, at: int) -> int:
    """The end of one more part that says where on the road: a distance or a landmark."""
    far = FAR.match(text, at)
    if far:
        return far.end()
    bare = NO_NUMBER.match(text, at)
    start = bare.end() if bare else at
    begun = PARTED.match(text, start) or JOINED.match(text, start)
    if begun and text[at - 1].isdigit() and begun.group() == " past the":
        return at  # `on Hwy 7 past the mill` tells the way, not the place
    stop = landmark(text, start, begun)
    return at if stop == start else stop


def landmark(text: str, at: int, begun: re.Match[str] | None) -> int:
    """Where the words that begin here and end in a landmark end; `at` itself where none do."""
    chunk = CHUNK.match(text, at + 1 + (text[at : at + 1] == ",")) if begun else None
    if not chunk:
        return at
    stop = chunk.start() + len(STORY.sub("", chunk.group()))
    places = [m.end() for m in PLACE_WORD.finditer(text, at + 1, stop)]
    if not places:
        return at
    more = BESIDE.match(text, places[-1])
    return more.end() if more else places[-1]


STREETS: Sequence[Step] = (corner, number_before, unit_after, unit_before, landmark_after)
