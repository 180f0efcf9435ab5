# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) Streets, cities, counties, coordinates' neighbours: what is smaller than a state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recognizers import gazetteers
from recognizers.context import Context
from recognizers.gazetteers import plain_list
from recognizers.names_cues import CREDENTIALS
from recognizers.names_evidence import SHORT_FORMS
from recognizers.page import Page
from recognizers.places_origins import origins
from recognizers.rules import Hit, Label, Pattern, Rules, matches
from recognizers.shapes import STATES

STREET, CITY, COUNTY = "STREET_ADDRESS", "CITY", "COUNTY"
SUFFIX = (
    r"(?i:street|st|str|avenue|ave?|av|road|rd|drive|dr|lane|ln|la|boulevard|blvd|blv|court|ct|place|pl|plz|plaza|way|wy|terrace|terr?|circle|cir|trail|trl|tr|"
    r"parkway|pkwy|pky|highway|hwy|pike|turnpike|tpke|square|sq|loop|alley|aly|row|run|path|crossing|xing|cove|cv|point|pt|ridge|rdg|hollow|holw|"
    r"bend|crescent|cres|close|commons|common|expressway|expy|freeway|fwy|extension|ext|walk|wlk|bypass|landing|lndg|heights|hts|grove|grv|creek|crk|"
    r"view|vista|park|mews|green|gardens|causeway|route|rte|spur|fork|branch|hill|knoll|manor|meadow|mill|springs|valley|village)"
)
SURE = r"(?i:street|st|avenue|ave|road|rd|drive|lane|ln|boulevard|blvd|court|terrace|terr|circle|cir|trail|trl|parkway|pkwy|highway|hwy|pike|turnpike|tpke|crescent|loop|alley|way|place|pl|dr|ct)"
UNIT = r"(?:,?[ ](?i:back house|rear house|front house|garden level|lower level|upper level|back unit|altos|bajos)\b|,?[ ](?i:bunk|cabin|bay)[ ]?\d{1,3}|,?[ ]*(?i:apt|apartment|unit|ste|suite|fl|floor|flr|rm|room|lot|bldg|building|trlr|trailer|space|spc|sp|no|box|#|rear|upper|lower|apto|int)\.?[ ]?#?[ ]?[A-Za-z0-9-]{0,6}|,? ?#[ ]?[A-Za-z0-9-]+|,? \d{1,3}(?:st|nd|rd|th) (?i:fl|floor|flr)|,[ ]?\d{1,2}[A-Z]\b)?"
NUMBER = r"\d{1,6}(?:-\d{1,4})?(?:[ ]?1/2)?[A-Za-z]?"
WORD = r"(?:[A-Z0-9][A-Za-z0-9'.-]*|de|la|del|los|las|the|of)"
# Where on a road: its mile, its exit, what it crosses.
WHERE = r"(?:,? (?i:near |at )?(?i:mile(?:post| marker)?|mp|mm|km|exit)[ ]?\d+(?:\.\d+)?[A-Z]?|[ ](?:at|@|x|&|near|nr|by)[ ](?:the )?[A-Z0-9][A-Za-z0-9'-]*(?:[ ][A-Z][A-Za-z'-]+){0,2})?"
NAME = rf"{WORD}(?:[ ]{WORD}){{0,4}}"
CAP = r"[A-Z][A-Za-z'.-]*"


LABELS = plain_list("places/fields")


def townish(value: str) -> float:
    """Evidence that the words before a state's code name a town and not a form's field."""
    words = value.lower().split()
    last = value.split()[-1]
    if re.fullmatch(CREDENTIALS, last) or (last.isupper() and words[-1] in SHORT_FORMS):
        return -0.9  # `GERD, LA grade B`, `Dispo PACU, CT head`
    first = value.split()[0]
    if first.isupper() and 1 < len(first) < 5 and words[0] in SHORT_FORMS and not value.isupper():
        return -0.9  # `PI Ludmila Hrabovsky, MD`
    if re.fullmatch(r"I{1,3}[abc]?|I?V[abc]?", last):
        return -0.9  # `Forrest IIa, LA grade B`
    if words[-1].strip(".") in LABELS or len(words[-1]) < 3:
        return -0.9
    known = gazetteers.city(value) or any(not gazetteers.common_word(w.strip(".")) for w in words)
    return 0.0 if known else -0.4


def interstate(value: str) -> float:
    """Evidence against `I-131`, which is iodine, and `I-1`, the first of a pedigree."""
    return (
        -2.0
        if value.split()[0] in {"I-1", "I-2", "I-3", "I-123", "I-124", "I-125", "I-131"}
        else 0.0
    )


def no_marker(value: str) -> float:
    """Evidence against `CA 125`: a tumour marker, not a road of California."""
    words = re.split(r"[ -]", value)
    return -0.5 if words[0] + " " + words[-1] in MARKERS else 0.0


MARKERS = frozenset({"CA 125", "CA 19", "CA 15", "CA 27", "CA 72", "CA 50"})


SENTENCE_END = re.compile(r"[A-Za-z]{3,}\.$|^[a-z]\.$")
MEASURES_LISTED = "lb lbs mg ml mcg cc kg cm mm min sec hr hrs wk wks mo am pm yo yr yrs"
MEASURES = frozenset(MEASURES_LISTED.split())
COLUMNED = re.compile(r"\d {2,}[A-Z]")
LOTTED = re.compile(r"(?i)\b(?:tdap|td|mmr|flu|ppd|hep ?[ab]|pcv\d*|hpv|covid|vax|vaccine) lot\b")
PREPOSITIONS = frozenset(["per", "by", "with", "from", "to", "and", "via", "for", "fr", "in"])
SELDOM_STREETS = frozenset(["PT", "CT", "DR"])


def scanned(value: str) -> float:
    """Evidence against `Dyna CT` and other scans and patients, no courts and points."""
    words = value.split()
    return -0.45 if words[-1] in SELDOM_STREETS and not words[0].isupper() else 0.0


def addressed(value: str) -> float:
    """Evidence against an hour, a measure, a sentence's end and `PT` the patient in an address."""
    words = value.split()
    # No house's number begins with a nought, as `0755 Dr` and `0018 CT` do.
    score = -0.6 if words[0][0] == "0" else 0.0
    if COLUMNED.search(value) or words[1].lower() in PREPOSITIONS:
        score -= 0.5  # `TLC 50  FRC pl 4.0`, `1826 Per Dr. Kaplowitz`
    # `6 LE tr`: capitals, then a short suffix in small letters.
    if len(words[-1]) < 3 and words[-1].islower() and words[-2].isupper():
        score -= 0.5 if words[-2].lower() in SHORT_FORMS else 0.2
    if LOTTED.search(value):
        score -= 0.5  # `1633 Tdap lot 5KL92`
    measured = words[1].strip(".").lower() in MEASURES
    if measured or any(SENTENCE_END.search(w) for w in words[1:-1]):
        score -= 0.5
    return score - 0.3 if words[-1].strip(".") in SELDOM_STREETS else score


BEFORE_SAINTS_LISTED = "attends attended works worked at to from seen lives visited admitted joined left serves near by dear patron mother father sister st saint"
BEFORE_SAINTS = frozenset(BEFORE_SAINTS_LISTED.split())


def of_saint(value: str) -> float:
    """Evidence against `Attends St` of `Attends St. Brendan's`."""
    words = value.lower().split()
    return -0.5 if words[-1] == "st" and words[0] in BEFORE_SAINTS else 0.0


# A car and its plate: `gray Tundra, Montana 8-44102B`.
PAINTED = r"(?:gray|grey|white|black|silver|blue|red|green|tan|maroon|beige) "
CLOCK = Context(not_left=r"\d{1,2}:")


class Places(Rules):
    word = "places"
    patterns = (
        Pattern(
            "number, name, suffix",
            rf"\b({NUMBER}[ ]+(?:(?i:[NSEW]|north|south|east|west|n\.?[ew]|s\.?[ew])\.?[ ]+)?{NAME}[ ]{SUFFIX}\b\.?(?:[ ](?:[NSEW]{{1,2}}|North|South|East|West)\b)?{UNIT})",
            STREET,
            0.9,
            before="0-9/.-",
            check=addressed,
            context=CLOCK,
        ),
        Pattern(
            "number, name, suffix, lower case",
            rf"\b(\d{{1,6}} (?:[nsew] )?[a-z0-9']+(?: [a-z0-9']+){{0,2}} (?:street|st|avenue|ave|road|rd|drive|lane|ln|boulevard|blvd|court|ct|terrace|circle|pkwy|hwy|highway|dr|pl){UNIT})\b",
            STREET,
            0.55,
            before="0-9/.-",
        ),
        Pattern(
            "number, name, suffix over a line",
            rf"\b({NUMBER} (?:[NSEW]\.? )?{CAP}(?: {CAP})?[ ]*\n[ \t]*(?:Street|St|Avenue|Ave|Road|Rd|Drive|Lane|Ln|Blvd|Court|Ct|Place|Way|Terrace|Circle)\b\.?)",
            STREET,
            0.75,
            before="0-9/.-",
        ),
        Pattern(
            "number, direction, ordinal",
            r"\b(\d{1,6} (?:[NSEW]\.?|North|South|East|West) \d{1,3}(?:st|nd|rd|th)(?: (?:St|Ave|Street|Avenue|Pl|Rd)\b\.?)?)",
            STREET,
            0.9,
            before="0-9/.-",
        ),
        Pattern(
            "number, direction, name",
            rf"\b(\d{{2,6}} (?:[NSEW]\.?|NE|NW|SE|SW) {CAP}(?: {CAP})?(?:,? (?:#|Apt|Unit|Ste) ?[A-Za-z0-9-]+)?)",
            STREET,
            0.85,
            before="0-9/.-",
        ),
        Pattern(
            "street by name",
            rf"\b((?:(?:[NSEW]\.?|North|South|East|West|Old|New|Upper|Lower) )?(?:{CAP} ){{1,3}}(?:Street|Avenue|Ave|Road|Rd|Drive|Lane|Ln|Boulevard|Blvd|Terrace|Parkway|Pkwy|Turnpike|Pike|Highway|Hwy|Trail|Circle|Court|Alley|St|Dr|Ct|Pl|Way))\b\.?",
            STREET,
            0.5,
            check=of_saint,
        ),
        Pattern(
            "on a street",
            rf"\b(?:on|at|off|near|along|down|up|from|of) ((?:(?:[NSEW]\.?|North|South|East|West|Old) )?(?:{CAP} ){{1,3}}{SURE})\b",
            STREET,
            0.9,
            check=scanned,
        ),
        Pattern(
            "numbered street",
            r"\b((?:[NSEW]\.? )?\d{1,3}(?:st|nd|rd|th) (?:Street|St|Avenue|Ave|Road|Rd|Place|Pl)\b\.?(?: [NSEW]{1,2}\b)?)",
            STREET,
            0.9,
        ),
        Pattern(
            "box",
            r"\b((?i:p\.? ?o\.? ?(?:box|bx)|pob|rfd|post office box|apartado(?: postal)?|apdo\.?(?: postal)?|hc ?\d* box|psc \d+,? box|unit \d+ box)[ #.]{0,3}[A-Z]?\d+-?\d*|(?i:gen(?:eral|\.)? delivery)(?:[ #.]{0,3}\d+)?)",
            STREET,
            0.93,
        ),
        Pattern(
            "rural route",
            r"\b((?i:r\.?r\.?|rural (?:route|rt)|rt\.?|rte|route|hc|star route|h\.?c\.?r\.?)[ .#]{0,2}\d{1,3}[ ,]{1,3}(?i:box|bx)[ #]{0,2}\d+[A-Z]?(?:-?[A-Z0-9]+)?)",
            STREET,
            0.93,
        ),
        Pattern(
            "highway",
            rf"\b((?i:(?:u\.?s\.?|state|county|interstate|farm|indian|forest|fs|blm|bia|old|east|west|north|south)[ ]+)?(?i:highway|hwy|route|rte|county road|county rd|cty rd|state road|interstate|farm road|farm to market)[ .#-]{{1,2}}(?:[A-Z]{{1,2}}|\d{{1,4}}[A-Z]?)(?:[ ](?:[NSEW]|North|South|East|West)\b|[ ](?:north|south|east|west) of [A-Z][a-z]+(?:[ ][A-Z][a-z]+)?)?{WHERE})\b",
            STREET,
            0.8,
            after="0-9.",
            context=Context(not_right=r" ?(?:min(?:utes)?|hrs?|hours?|days?|mins)\b"),
        ),
        Pattern(
            "route",
            r"\b((?:Rte|Rt|Route|Carr|County Rd|Co Rd|Cty Rd|Carretera)\.? ?#?\d{1,4}[A-Z]?(?:,? (?i:near |at )?(?i:mile(?:post| marker)?|mp|mm|km|exit)[ ]?\d+(?:\.\d+)?(?: Int\b)?)?)",
            STREET,
            0.9,
            after="0-9",
        ),
        Pattern(
            "number, name, floor",
            rf"\b(\d{{2,6}} {CAP}(?: {CAP})?,? (?i:upper|lower|rear|flat|basement|apt|apartment|unit|lot)\b(?:[ ]?#?(?i:flat|unit|[A-Z]?\d{{1,4}}[A-Z]?))?)",
            STREET,
            0.85,
            before="0-9/.-",
            check=addressed,
        ),
        Pattern(
            "interstate by its letter",
            rf"\b(I-\d{{1,3}}(?:[NSEW]\b)?{WHERE})",
            STREET,
            0.6,
            after="0-9.%-",
            check=interstate,
            context=Context(
                left=r"\b(?:on|off|near|at|along|down|up|via|of|vs|nb|sb|eb|wb|and|from|by|runs?|takes?|took|past|over|under|across|onto|to|exit)[ ]+$",
                right=r",? ?(?:near|at|mile|mp|mm|km|exit|&|and|to|north|south|east|west|overpass|ramp|mile)",
                not_left=r"(?:stage|grade|class|type|gag|cn)[ ]*$",
            ),
        ),
        Pattern(
            "road of the Bureau of Indian Affairs",
            r"\b(BIA[- ]\d{1,4}(?:,? (?:near |at )?(?i:mile(?:post| marker)?|mp|mm)[ ]?\d+)?)\b",
            STREET,
            0.9,
        ),
        Pattern(
            "mile of a road",
            r"\b((?i:old )?(?:[A-Z]{1,2}-?)?\d{1,4},?[ ](?:past |near |at )?(?i:milepost|mile marker|mile post|mile)[ ]\d+)\b",
            STREET,
            0.9,
            before="0-9A-Za-z.-",
        ),
        Pattern(
            "interstate",
            rf"\b((?:(?:I|US|SR|CR|FM|RM|SH|PR|Carr|Rt|Rte|RR|Co Rd|County Rd|KY)[-. ]{{1,2}}\d{{1,4}})(?:[NSEW]\b)?{WHERE})\b",
            STREET,
            0.3,
            after="0-9.%",
            context=Context(
                left=r"\b(?:on|off|near|at|along|down|up|via|of|by|mvc|mva|crash|vs|nb|sb|eb|wb|northbound|southbound|and|from|runs?|takes?|took|past|across|onto)[ ]+$",
                right=r",? ?(?:near|at|mile|mp|mm|km|exit|&|and|south|north|east|west|overpass|ramp|box)",
                width=16,
            ),
        ),
        Pattern(
            "numbered corner",
            rf"\b((?:[NSEW]\.? )?(?:\d{{1,3}}(?:st|nd|rd|th)|{CAP}) ?(?:&| and |/) ?(?:[NSEW]\.? )?\d{{1,3}}(?:st|nd|rd|th|ST|ND|RD|TH)|\d{{1,3}}(?:st|nd|rd|th|ST|ND|RD|TH) ?(?:&|and|/) ?{CAP})\b",
            STREET,
            0.3,
            context=Context(
                left=r"(?:\b(?:on|at|near|off|from|to|of|corner|loc(?:ation)?|scene|resp(?:onded)? to|between|walked)[: ]+)$",
                not_right=r" (?:floor|day|week|toe|toes|finger|digit|digits|rib|ribs|met|metatars|visit|grade|percentile|trimester|degree|generation|cranial|nerve|line)",
                width=16,
            ),
        ),
        Pattern(
            "unit alone",
            r"\b((?i:apt|apartment|unit|space|spc|trailer|apto) #?\d{1,4}[A-Z]?)\b",
            STREET,
            0.4,
            context=Context(
                not_right=r" ?(?:mg|ml|units|doses|#|number)",
                not_left=r"(?:blood|prbc|dose|per|care|icu|of|one|two|x|kit|vaccine|lidocaine) ?",
            ),
        ),
        Pattern(
            "road and its mile",
            r"\b((?:I|US|SR|CR|FM|RM|SH|PR|NM|LA|KY|BIA|Hwy|Rte|Rt|Route|Highway)[ -]\d{1,4}[NSEW]?,? (?:@ |at |near |nr )?(?i:mile(?: ?post| ?marker)?|mp|mm|exit) ?\d{1,3}(?:\.\d)?[A-Z]?)\b",
            STREET,
            0.93,
        ),
        Pattern(
            "room of a building",
            r"\b((?i:bldg|building|barracks)\.? [A-Z]{0,3}-?\d{1,5}[A-Z]?,? (?i:rm|room|apt|unit)\.? ?#?\d{1,4}[A-Z]?)\b",
            STREET,
            0.92,
        ),
        Pattern(
            "house of a camp",
            r"\b(?i:home|house|address|addr|loc|lives|lives at|lives in|stays at|stays in)[:;,]? ((?i:cabin|house|lot|space|trailer|slip|bunkhouse|hogan) #?\d{1,4}[A-Z]?)\b",
            STREET,
            0.92,
        ),
        Pattern(
            "block of a street",
            rf"\b(\d{{2,5}}[- ]block of (?:[NSEW]\.? )?{CAP}(?: {SURE})?)\b",
            STREET,
            0.9,
        ),
        Pattern(
            "state road",
            rf"\b((?:FM|RM|NM|LA|KY|BIA|SR|CR|TR|US|SH|PR|CTH|STH|VT|NH|ME|MT|WY|TX|UT|CO|NC|SC|GA|AL|MS|TN|VA|WV|OH|IN|IL|MI|WI|MN|IA|MO|KS|NE|ND|SD|OK|AR|AZ|NV|ID|OR|WA|CA|NY|NJ|FL)[ -]\d{{1,4}}{WHERE})\b",
            STREET,
            0.5,
            after="0-9.%/-",
            check=no_marker,
            context=Context(
                left=r"(?:\b(?:on|off|along|down|up|via|nb|sb|eb|wb|northbound|southbound|eastbound|westbound|take|crash on|between|near|mm \d{1,3}|mp \d{1,3},?)[ ]+)$",
                right=r"(?:,? ?(?:near|at mile|mile|mp|mm|exit|&|south of|north of|east of|west of|overpass|ramp|washed))",
                width=16,
            ),
        ),
        Pattern(
            "spanish street",
            rf"\b((?i:calle|avenida|av|carr(?:etera)?|callejon|camino|paseo)\.? {CAP}(?: (?:{CAP}|de|la|del|\d+)){{0,4}}(?:,? (?:#|lot|km|num\.?) ?[0-9.]+)?(?: {CAP}\.?)?)",
            STREET,
            0.7,
        ),
        Pattern(
            "corner",
            rf"\b((?:\d{{1,3}}(?:st|nd|rd|th)|{CAP})(?: (?:St|Ave|Rd|Blvd))?\.? (?:&|and|at) (?:\d{{1,3}}(?:st|nd|rd|th)|{CAP}) (?:St|Ave|Rd|Streets|Avenues|Blvd|streets)\b\.?)",
            STREET,
            0.6,
        ),
        Pattern(
            "mile marker",
            r"(?i)\b((?:mile ?(?:post|marker)|mm|mp) \d{1,3}(?:\.\d)?(?: (?:on|of) [A-Z]{1,2}-?\d+)?)",
            STREET,
            0.6,
            # `TST 12 mm 4/1`: a length and a day.
            after="/",
            context=Context(not_left=r"\d{1,3} ?"),
        ),
        Pattern(
            "grid address",
            r"\b([NSEW]\d{2,5}(?:[NSEW]\d+)? (?:[NSEW] )?[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]*){0,2}(?: (?:Rd|Road|Dr|St|Ave|Ln|Ct|K))?)\b",
            STREET,
            0.7,
        ),
        Pattern(
            "city before a state",
            rf"((?:(?:St|Ft|Mt|Pt|Ste)\.? )?{CAP}(?:[ -](?:{CAP}|of|de|la|del|on|the)){{0,3}})(?:,[ ]*|[ ]+)(?:{STATES})[ ,.]*\d{{5}}(?:[^0-9]|\z)",
            CITY,
            0.93,
            check=townish,
        ),
        Pattern(
            "city after its street, before a code",
            r"\b(?i:st|street|ave|avenue|rd|road|drive|ln|lane|blvd|court|terrace|pkwy|hwy)\b\.?(?:[ ][NSEW]{1,2}\b)?(?:,? (?i:apt|unit|ste|suite|lot|#|rm|no)\.? ?#?[A-Z0-9-]{1,6})?, ([A-Z][A-Za-z.'-]+(?: [A-Z][A-Za-z'-]+){0,2}),? \d{5}\b",
            CITY,
            0.92,
            check=townish,
        ),
        Pattern(
            "city, state code",
            r"\b((?:(?:St|Ft|Mt|Pt|Ste)\.? )?[A-Z][A-Za-z'-]+(?: [A-Z][A-Za-z'-]+){0,2}), ?(?:A[KLRZ]|C[AOT]|D\.?C|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])(?:[^A-Za-z0-9'-]|\z)",
            CITY,
            0.9,
            check=townish,
            # The PR interval, prior authorisation and the like have a number that is no ZIP code.
            context=Context(
                not_right=r", ?[A-Z.]{2,4} (?:\d{1,3}(?:[^0-9]|$)|plate|tmp|temp|tag|lic|dl\b)|, ?ID (?:[A-Z]{1,4} ?\d|\d{6}|none\b|no\b|#)",
                not_left=PAINTED,
            ),
        ),
        Pattern(
            "city, state in words",
            r"\b((?:(?:St|Ft|Mt)\.? )?[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}), (?i:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawai'?i|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|puerto rico)\b",
            CITY,
            0.85,
            context=Context(not_left=PAINTED),
        ),
        Pattern(
            "town of",
            r"\b(?:(?i:city|town|township|village|borough|hamlet|pueblo) of )([A-Z][a-z]+(?: [A-Z][a-z]+)?)",
            CITY,
            0.85,
        ),
        Pattern(
            "county",
            rf"\b((?:(?:St|Ste|San|Santa|El|La|Los|Las|De|Du|Mc|Prince|King|New|Santa) ?\.? ?)?{CAP}(?: {CAP})?) (?:County|Parish|COUNTY|PARISH|Borough|Cty|CTY|county|parish)\b",
            COUNTY,
            0.85,
        ),
        Pattern("county of", r"\b(?i:county of) ([A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?)", COUNTY, 0.9),
        Pattern("county, damaged", r"\b(?:C[O0]UNTY [O0]F) +([A-Z][A-Za-z0-9]+)", COUNTY, 0.9),
        Pattern(
            "tract of the census",
            r"(?i)\b(?:census )?tract(?: (?:no\.?|number))?[ #.:]{1,6}(\d{3,4}\.\d\d)\b",
            COUNTY,
            0.92,
            after="0-9%",
        ),
        Pattern(
            "precinct",
            r"(?i)\bprecinct(?: (?:no\.?|number))?[ #.:]{1,6}(\d{1,4}(?:-?[A-Za-z])?)\b",
            COUNTY,
            0.92,
        ),
        Pattern(
            "precinct by its ordinal",
            r"(?i)\b(\d{1,3}(?:st|nd|rd|th)) (?:voting |police )?precinct\b",
            COUNTY,
            0.92,
        ),
        Pattern(
            "ward or tract",
            r"(?i)\b((?:ward|census tract|tract|census block)[ #.]*\d[\d.]*)\b",
            COUNTY,
            0.45,
        ),
    )
    labels = (
        Label(
            "city",
            r"city(?:/town)?|town|city/state|ciudad|pueblo|birth ?place|place of birth|born in",
            CITY,
            0.75,
            value=r"[A-Z][A-Za-z.'-]+(?: [A-Z][A-Za-z'-]+){0,2}",
            keep=lambda v: v.lower().split()[0] not in {"state", "zip", "the", "of"},
        ),
        Label(
            "county",
            r"county|parish|co\. of residence",
            COUNTY,
            0.8,
            value=r"[A-Z][A-Za-z.'-]+(?: [A-Z][A-Za-z'-]+)?",
            keep=lambda v: bool(gazetteers.county(v)),
        ),
    )

    def entities(self) -> Sequence[str]:
        return ("LOCATION",)

    def more(self, page: Page) -> Iterator[Hit]:
        yield from counties(page)
        yield from cities(page)
        yield from addresses(page)
        yield from origins(page)


MOVING = (
    r"\b(?:in|from|to|near|nr|above|below|outside|around|lives in|born in|moved to|resides in|travel(?:ed|ing)? to|drove to|flight to|flew to|visiting|via|toward|back to|raised in|grew up in|"
    r"drives? in from|resident of|native of|north of|south of|east of|west of|outside of|hospital in|clinic in|facility in|went to|shelter in|church in) ((?:(?:St|Ft|Mt|San|Santa|Los|Las|El|La|New|North|South|East|West|Fort|Port|Lake|Mount|Saint|Palm|Del|Grand|Little|Big|Cape|Old|Green|Great)\.? )?[A-Z][a-z]+(?:[ -][A-Z][a-z]+){0,2})"
)


def cities(page: Page) -> Iterator[Hit]:
    """A name of a US place after a word of place; a common word or a clinical one is not enough."""
    from recognizers.names_evidence import clinical

    for start, end in matches(MOVING, page):
        words = page.text[start:end].split()
        for size in range(len(words), 0, -1):
            name = " ".join(words[:size])
            low = name.lower()
            if (
                gazetteers.city(low)
                and not clinical(low)
                and (size > 1 or gazetteers.common_word(low) < 23)
            ):
                yield Hit(start, start + len(name), CITY, 0.7, "place after its preposition")
                break


ADDRESS = (
    r"(?i:\b(?:(?:home |mailing |street |residence )?addr(?:ess)?|residence|street|direccion|domicilio|lives at|resides at|moved to|staying at|lives on))\b[ \t]{0,3}[:=#>~*_\"|.-]{0,3}[ \t_]{0,12}"
    r"(\d{1,6}[A-Za-z]?(?:[ -]{1,2}(?:(?:St|Ave|Rd|Dr|Ln|Ct|Blvd|Apt|Ft|Mt|[NSEW])\.|[A-Za-z0-9'#-]+)){1,7})"
)
ENDS_LISTED = "with and primary who has is in since for from until but he she they his her their phone ph tel cell city state zip x rx"
ENDS = re.compile(rf"[ ](?:{'|'.join(ENDS_LISTED.split())})\b.*", re.IGNORECASE)
NOT_STREETS = re.compile(
    r"\d+ ?(?:mg|ml|hours?|hrs?|days?|weeks?|wks?|months?|years?|yrs?|miles?|people|children|kids|steps?|of)\b",
    re.IGNORECASE,
)


def addresses(page: Page) -> Iterator[Hit]:
    """A number and words after `lives at`, `Address:` up to a word that goes on with the story."""
    for start, end in matches(ADDRESS, page):
        value = ENDS.sub("", page.text[start:end])
        if re.search(r"[A-Za-z]{2}", value) and not NOT_STREETS.match(value):
            yield Hit(start, start + len(value), STREET, 0.9, "address")


def counties(page: Page) -> Iterator[Hit]:
    """`Union Co`, `NAVAJO Co.`: the abbreviation counts where the Census has such a county."""
    regex = r"\b([A-Za-z.]+(?: [A-Z][A-Za-z]+)?) (?i:co|cty|county|parish)\b"
    for start, end in matches(regex, page):
        name = re.sub(r"[.]", "", page.text[start:end]).lower()
        last = name.split()[-1] if name else ""
        if gazetteers.county(name):
            score = 0.9 if page.text[start].isupper() else 0.8
            yield Hit(start, end, COUNTY, score, "county and abbreviation")
        elif gazetteers.county(last):
            yield Hit(end - len(last), end, COUNTY, 0.8, "county and abbreviation")
