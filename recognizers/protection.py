# ruff: noqa: E501 -- a guard reads best on one line
"""What stays unless the evidence is strong: the words and figures of medicine.

Each guard is a shape of value, the entities it concerns and the score the model needs for such a
value. `NEVER` is out of reach: no model takes a year alone or an age under ninety.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from recognizers import gazetteers
from recognizers.entities import NUMBERED
from recognizers.gazetteers import plain_list
from recognizers.names_evidence import DOTTED_FORMS, NOBODY, SHORT_FORMS, STOPS, clinical, ordinary
from recognizers.places_facilities import named
from recognizers.places_zips import STATES
from recognizers.shapes import CLOCK, MONTH, SPOKEN_NUMBER, SPOKEN_ORDINAL, WEEKDAY

NEVER = 1.01
ANY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Guard:
    """Applies where the whole value matches `shape` and, if given, its left or right side too."""

    name: str
    needed: float
    shape: str
    entities: frozenset[str] = field(default=ANY)
    left: str = ""
    right: str = ""


# Whose initials stand in brackets behind them: `the patient (R.T.)`.
BORNE = (
    "patient|pt|client|resident|member|subject|participant|inmate|student|man|woman|male|female|boy|girl|baby|infant|child|minor|"
    "son|daughter|dtr|mother|mom|father|dad|wife|husband|spouse|partner|sister|brother|sibling|twin|aunt|uncle|niece|nephew|"
    "cousin|friend|roommate|neighbor|fianc[a-z]+|boyfriend|girlfriend|caregiver|guardian|he|she|they|him|her|old"
)


def of(*entities: str) -> frozenset[str]:
    return frozenset(entities)


UNITS = (
    r"mg|mcg|ug|g|gm|kg|ml|cc|dl|l|units?|u|iu|meq|mmol|mmhg|cm|mm|m|fr|french|ga|gauge|hz|khz|db|%|percent|bpm|tabs?|tablets?|caps?|pills?|puffs?|drops?|"
    r"hrs?|hours?|h|min|mins|minutes?|sec|secs|days?|d|wks?|weeks?|mos?|months?|yrs?|years?|y/?o|lbs?|pounds|oz|ft|in|inches|degrees?|deg|joules|j|watts|packs?|ppd|"
    r"doses?|times?|sessions?|visits?|points?|cells|copies|k|bid|tid|qid|daily|po|iv|im|sl|prn|strength"
)
DATE = of("DATE_TIME")
NUMBERS = NUMBERED | of("STREET_ADDRESS", "PERSON", "FACILITY", "CITY", "EMPLOYER")
DAY_WORDS = rf"(?i:.*(?:\d|\b{MONTH}|\b{WEEKDAY}|\b{SPOKEN_ORDINAL}\b|\b{SPOKEN_NUMBER}\b|day|eve|mas\b|easter|ramadan|eid|hanuk|passover|diwali|season|spring|summer|fall|autumn|winter|weekend|night|quarter|week|month|new year|tet|lunar|solstice|equinox).*)"
DAYISH = rf"(?i:.*\b(?:{WEEKDAY}|[mtwrfs]|th|tu|su|sa|wk|week\w*|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lendi|madi|mekredi|jedi|vandredi|samdi|dimanch|segunda|terca|quarta|quinta|sexta|domingo)\b.*)"
GUARDS: tuple[Guard, ...] = (
    Guard("a year alone", NEVER, r"(?:18|19|20)\d\d(?:'?s)?", DATE | NUMBERS | of("AGE_OVER_89")),
    Guard("years alone", NEVER, r"(?:19|20)\d\d ?(?:-|to|/|and|&|through) ?(?:(?:19|20)?\d\d|present)", DATE),
    Guard("one or two digits", 0.97, r"\D?\d{1,2}\D?", DATE | NUMBERS),
    Guard("decimal", 0.97, r"\d{1,3}\.\d{1,3}", NUMBERS),
    Guard("decimal beside its unit", NEVER, r"[\d.,/-]+", NUMBERS, right=rf"[ -]?(?:{UNITS})(?![A-Za-z])"),
    Guard("two strengths of a drug", NEVER, r"\d{1,3}(?:\.\d+)?/\d{1,3}(?:\.\d+)?", DATE, right=r"[ -]?(?:mg|mcg|ug|meq)(?![A-Za-z/])"),
    Guard("doses, not a day", NEVER, r"[\d.,/-]+", DATE, right=r"[ -]?(?:mg|mcg|ug|gm|kg|ml|cc|units?|meq|mmol|mmhg|cm|mm|french|gauge|%|percent|bpm|tab(?:let)?s?|cap(?:sule)?s?|puffs?|hrs?|hours?|min|minutes?|days?|wks?|weeks?|months?|mos|yrs?|years?|lbs?|pounds|oz|degrees?|joules|packs?|ppd|doses?|times|points?|bid|tid|qid|po|iv|strength)(?![A-Za-z/])"),
    Guard("fraction", 0.985, r"\d{1,3} ?/ ?\d{1,3}", DATE | NUMBERS),
    Guard("range", 0.97, r"(?:[1-9]\d{0,2}|0(?=[. -]))(?:\.\d)? ?- ?(?:[1-9]\d{0,2}|0)(?:\.\d)?|0?\d ?- ?0?\d", DATE | NUMBERS),
    Guard("score", NEVER, r"\d{1,2}/(?:5|10|15|28|30|56|100)", DATE, left=r"(?:strength|pain|score|scale|gcs|apgars?|moca|mmse|slums|tinetti|berg|motor|power|rated?|cravings?|mmt|phq|gad|ef)\b[^\n]{0,12}"),
    Guard("time of day", 0.97, r"(?:[01]?\d|2[0-3])[:.]?[0-5]\d(?:h|hrs?)?", DATE | NUMBERS, left=r"(?:at|@|time|lkw|~|\d) ?"),
    Guard("clock at the head of a line", NEVER, rf"{CLOCK}", NUMBERS, left=r"\A[ \t*#>-]*"),
    Guard("clocks of a log", NEVER, rf"(?:[01]\d|20(?![12])|2[1-3])[0-5]\d(?: ?(?:-|\u2013|to|,|/|&|and) ?{CLOCK})+", NUMBERS),
    Guard("clock after its word", NEVER, rf"{CLOCK}", NUMBERS, left=rf"(?:at|@|time|til|till|until|by|from|since|called|paged|faxed|arrived?|depart\w*|left|rcvd|start|stop|in|out|up|crossclamp|lkw|lkn|arr|later[.:]?|onset|tele|noted|dictated|\d{{1,2}}[/.-]\d{{1,2}}(?:[/.-]\d{{2,4}})?|{CLOCK}[ ]?[-,/]) ?"),
    Guard("clock, no telephone", 0.995, rf"{CLOCK}", of("PHONE_NUMBER", "FAX_NUMBER"), left=r"\A(?!.*(?:\b(?:ext\w*|x|call\w*|dial\w*|pager?|paged|p|phone|line|desk|vm|voicemail|mailbox|beeper|reach|cell|spectra\w*|vocera|contact|direct|number|nos?|tel|ph|operator|or|is|one|office|home|work|mobile|fax)\b|#|\d{3}-)[ .:#(-]*$).*"),
    Guard("days, no years of age", NEVER, r"(?i)(?:9\d|1\d\d|ninety.*|.*hundred.*)", of("AGE_OVER_89"), right=r"[- ](?:days?|minutes?|degrees?|percent|mg|miles?|seconds?|hours?|weeks?|dollars|feet)\b"),
    Guard("pressure to call for", NEVER, r"[<>]?\d{2,3}/\d{2,3}", of("PHONE_NUMBER", "FAX_NUMBER")),
    Guard("code of a document's part", NEVER, r"\d{1,6}(?:-\d)?|[A-Z]+\d*[:*][A-Z0-9]+", ANY, left=r"(?:code=[\"']?|\b(?:hc|hi|abk|abf|bk|bf|sv[12])[:*]{1,2})"),
    Guard("scan of the retina", NEVER, r"OCT", DATE, right=r" {1,4}(?:today|compared|mac\w*|rnfl|o[dsu]\b|shows?|with|w/|angio|acc\b|ou\b|scan)"),
    Guard("place of a day in a form", NEVER, r"(?:MM|DD|YY|YYYY)(?:[/-](?:MM|DD|YY|YYYY)){1,2}|YYYY", ANY),
    Guard("value that is missing", NEVER, r"nan", ANY, left=r"\A.*[.:;?!)]", right=r"\s*\Z"),
    Guard("words of a layman", NEVER, r"layman", of("PERSON"), right=r"['\u2019]?s? "),
    Guard("pictures by their numbers", NEVER, r"#?\d{1,3}(?: ?- ?\d{1,3})?", of("PHOTO")),
    Guard("part of the hand or foot", NEVER, r"(?i)(?:the )?[1-5](?:st|nd|rd|th)(?: (?:and|or|to|through) [1-5](?:st|nd|rd|th))?(?: (?:digits?|toes?|fingers?|rays?))?", DATE, right=r"(?:[;,. ]|\Z)(?: ?(?:digits?|toes?|fingers?|nerves?|metatarsals?|metacarpals?|ribs?|rays?|web)\b)"),
    Guard("the first of two parts", NEVER, r"(?i)(?:the )?[1-9](?:st|nd|rd|th)(?: and)?", DATE, right=r"(?: and| or| to| through| &)? (?:the )?[1-9](?:st|nd|rd|th) (?:digit|toe|fing|nerv|met|rib|ray|web|phal|cune|inter|cran|molar|mtp|mcp|pip)"),
    Guard("digits of the hand", NEVER, r"(?i)(?:the )?[1-5](?:st|nd|rd|th).* (?:digits?|toes?|fingers?|rays?)", DATE),
    Guard("part of a hospital by its work", NEVER, r"(?i)(?:the )?(?:(?:pre|post|peri|intra)-?operative |operative |same day ){1,2}(?:holding(?: area| room)?|area|suite|unit|room|surgery)|(?:the )?department of (?:an)?a?esthesi(?:a|ology)|(?:the )?department of (?:pathology|surgery|radiology|medicine|pediatrics|psychiatry|neurology)", of("FACILITY", "EMPLOYER", "CITY", "PERSON")),
    Guard("at all hours", NEVER, r"24 ?/ ?7(?: ?/ ?365)?", DATE | NUMBERS),
    Guard("height in feet", NEVER, r"[3-7]['\u2019] ?(?:\d|1[01])", DATE | NUMBERS),
    Guard("pressure of a balloon", NEVER, r"(?i)aug(?: (?:3[2-9]|[4-9]\d|1\d\d))?", DATE, left=r"(?:1:[1-4]|iabp(?: at)?),? {1,4}"),
    Guard("pressure, no year of two figures", NEVER, r"(?i)aug 1\d\d", DATE),
    Guard("three small parts", NEVER, r"\D{0,4}\d{1,2} ?/ ?\d{1,2} ?/ ?-?\d", DATE),
    Guard("depths of gums, halved", NEVER, r"(?:#?\d{1,2} )?[1-9]{3}", NUMBERS, right=r" ?/ ?[1-9]{3}\b"),
    Guard("depths of gums, other half", NEVER, r"[1-9]{3}", NUMBERS, left=r"[1-9]{3} ?/ ?"),
    Guard("visit's code", NEVER, r"99[2-4]\d\d(?: ?x ?\d)?", NUMBERS - of("US_ZIP_CODE")),
    Guard("code of dentistry", NEVER, r"D\d{4}", NUMBERS),
    Guard("no ZIP code", NEVER, r"(?:\d{1,4}|\d{6,8})", of("US_ZIP_CODE")),
    Guard("no age", NEVER, r"(?:[02-9]\d\d|1[3-9]\d|\d{4,})|(?i:one|two|three|four|five|six|seven|eight|nine)", of("AGE_OVER_89")),
    Guard("depths of gums", NEVER, r"(?:#?\d{1,2} )?[1-9]{3}(?: ?/ ?[1-9]{3})+", NUMBERS),
    Guard("codes of procedures", NEVER, r"\d{5}(?:x\d+)?(?:[ ,/]{1,2}\d{5}(?:x\d+)?)+", NUMBERS, left=r"\A(?!.*(?:mrn|acct|account|zip|csn|fin|claim|member|auth|order|acc|chart|id|case)\b).*"),
    Guard("section of a law", NEVER, r"5[12]50|5585|5270|9\.39|9\.27", NUMBERS),
    Guard("march, no month", NEVER, r"(?i)(?:may|can|will|to|the|don't|not) march", DATE),
    Guard("march of the feet", NEVER, r"(?i)march", DATE, left=r"(?:may|can|will|to|don't|not|could|should|would|must|'ll|as well|they|we|you) "),
    Guard("march of a kind", NEVER, r"(?i)(?:the )?march", DATE, right=r"(?:-style| (?:hares?|gait|of dimes|madness|band|fracture|h[a]?emoglobin\w*|down|around|test|in place|past|step)\b)"),
    Guard("a chart's medications", NEVER, r"MAR", DATE, right=r"(?!,? ?'?\d)"),
    Guard("no weekday", 0.97, rf"(?!{DAYISH}).+", of("WEEKDAY")),
    Guard("sat down", 0.99, r"sat|SAT", of("WEEKDAY"), left=r"\A(?!.*(?:\b(?:on|next|last|this|by|til|till|until|since|every|each|fri|sun|thru|through|am|pm|and|or|noc|nite|night|recheck|back|again|due|appt|visit|clinic|see|seen|come|coming|home|here)|&|/|\d) $).*", right=r"(?! (?:nite|night|noc|am|pm|morning|eve|the \d|\d{1,2}(?:/|st|nd|rd|th)))"),
    Guard("saturation on a line", NEVER, r"(?i)sat", of("WEEKDAY"), right=r" ?(?:(?:3[2-9]|[4-9]\d|100)\b(?![:/])|phone\b)"),
    Guard("syndrome of the left vein", NEVER, r"(?i)may-thurner", ANY),
    Guard("no day in it", 0.9, rf"(?!{DAY_WORDS}).+", DATE),
    Guard("code of a terminology", NEVER, r"[A-Z]{0,3}[\d.-]+[A-Z]?|[0-9A-Z]{10}", ANY, left=r"(?:cpt|icd-?(?:9|10)?(?:-?cm|-?pcs)?|snomed(?:[ -]?ct)?|loinc|hcpcs|ndc|rxnorm|rxcui|cvx|drg|ndf-?rt|unii|cdt)\b[ :#.()=|-]{0,6}"),
    Guard("code", 0.995, r"[A-Z]?[\d.-]+[A-Z]?", NUMBERS, left=r"(?:dx|codes?|ref|form|rev|model)\b[^\n]{0,6}"),
    Guard("picture of a study", NEVER, r"#?\d{1,3}(?: ?- ?\d{1,3})?", NUMBERS, left=r"(?:image|img|series|slice|ser|im|frame|view)s? ?#?[ ]?"),
    Guard("combined strength", NEVER, r"(?:24/26|49/51|97/103|(?:2\.5|5|7\.5|10)/32[05]|10/300|20/12\.5|25/100|10/100|25/250|250/50|100/50|500/50|160/4\.5|80/4\.5|400/80|800/160|875/125|500/125|5/160|10/160|10/320|70/30|75/25|50/50)", DATE | NUMBERS),
    Guard("review board or protocol", 0.995, r"[A-Z]{0,5}-?\d[\d-]{2,12}", NUMBERS, left=r"(?:irb|ind|protocol)\b ?(?:no\.?|number|#|:)*[ :#]*"),
    Guard("pregnancies", NEVER, r"(?i)g\d{1,2} ?p\d{1,5}(?:[ -]?\d{1,4})?", NUMBERS),
    Guard("weeks of pregnancy", NEVER, r"(?:\d\d )?\d/7", DATE | NUMBERS, right=r" ?(?:wks?\b|weeks?\b|weeker|w(?![A-Za-z/])|gest)"),
    Guard("named after somebody", NEVER, r".*[A-Z].*[ -](?:retractors?|forceps|scissors|clamps?|catheters?|drains?|stents?|needles?|sutures?|specul(?:um|a)|curettes?|elevators?|rongeurs?|trocars?|cannulas?|foram(?:en|ina)|fields|plates|cells|bodies|glands?|ducts?|ligaments?|fascia|fossa|plexus|ganglion|nodes?|nerves?|canal|loop|tubercles?|membrane|sphincter|valves?|syndrome|disease|phenomenon|reflex|maneuver|stain|agar)", of("PERSON")),
    Guard("name of an instrument", NEVER, r"[A-Z][A-Za-z]+(?:[- ][A-Z][a-z]+)?", of("PERSON"), right=r" (?:retractors?|forceps|scissors|clamps?|specul(?:um|a)|curettes?|elevators?|rongeurs?|trocars?|cannulas?|osteotomes?|dilators?|bougies?|dissectors?|needle (?:driver|holder)s?)\b"),
    Guard("name of a part or a finding", NEVER, r"[A-Z][a-z]+", of("PERSON"), right=r"(?:'s)? (?:cysts?|bodies|spots|fossa|pouch|hernias?|sarcomas?|triad|tubercles?|ganglion)\b"),
    Guard("registered technologist", NEVER, r"R\.? ?T\.?", of("PERSON"), left=rf"(?!(?:{BORNE})\b)[A-Za-z]{{1,16}}[,.]? ?\(", right=r"\.?(?:\)|\()"),
    Guard("awaited call", NEVER, r"(?i)cb", of("PERSON"), left=r"(?:no|awaiting|await|(?:wait\w*|paged|asked|message|msg) for|needs?|w/o|without|pending|\d,|x\d,?) "),
    Guard("kin by fostering", NEVER, r"(?i)(?:s )?foster", of("PERSON"), right=r" (?:mom|mother|dad|father|parents?|brother|sister|son|daughter|child|kids?)\b"),
    Guard("prescribed", NEVER, r"(?i)(?:refill|dispens|prescrib|e-?prescrib)\w* .*", of("FACILITY", "EMPLOYER", "PERSON", "CITY")),
    Guard("part of a hospital", NEVER, r"(?i)(?:the )?(?:(?:post-?)?(?:an)?a?esthesia |postanesthesia |intensive |cardiac |coronary |neonatal |pediatric |medical |surgical |critical |transitional |long-term |acute |subacute |progressive |burn |telemetry |hospital |main |outpatient |inpatient |general |skilled |neuro |stroke |trauma |same day |tobacco |use |smoking |exercise |group |prev |med |encounter |nutrition |other |ophthalmological |services |pain |wound ){0,5}(?:care unit|operating room|operating suite|emergency (?:room|department)|labor (?:and|&) delivery(?: room)?|delivery room|recovery room|recovery area|step-?down|(?:catheterization|endoscopy|surgery|operative|procedure|cath) (?:suite|lab|laboratory|room)|acute care facility|nursing home|nursing facility|medical floor|surgical floor|transfer center|counseling|cessation|services)", of("FACILITY", "EMPLOYER", "CITY", "PERSON")),
    Guard("icd-10", 0.99, r"[A-TV-Z]\d[0-9AB](?:\.[0-9A-Z]{1,4})?", NUMBERS),
    Guard("gene or protein", 0.99, r"(?:[cp]\.)?\d*[A-Za-z]*>?[A-Za-z]*\d*(?:del|dup|ins|fs)[A-Z]*|[A-Z]{2,5}\d{1,3}(?:[A-Z]\d?)?(?:/[A-Z0-9]+)?", NUMBERS),
    Guard("spinal level", NEVER, r"(?:[CLS][1-8]|T(?:[1-9]|1[0-2]))(?:[-/](?:[CLS]?[1-8]|T?(?:[1-9]|1[0-2])))?", ANY),
    Guard("age under ninety", NEVER, r"(?!.*(?:9\d|1[0-2]\d|[Nn][Ii][Nn]|[Hh][Uu][Nn][Dd]|[Cc][Ee][Nn][Tt]|[Nn][Oo][Vv][Ee]|[Cc][Ii][Ee][Nn]|1[Oo0]\d|9[OolI])).+", of("AGE_OVER_89")),
    Guard("pressure or count in the nineties", 0.9, r"9\d'?s?", of("AGE_OVER_89"), left=r"(?:bp|sbp|dbp|sats?|spo2|hr|pulse|o2|temp|wt|weight|rr|low|high|upper|mid|in the) ?(?:in the )?"),
    Guard("state", NEVER, rf"(?:{STATES})", of("CITY", "FACILITY", "STREET_ADDRESS", "COUNTY", "EMPLOYER")),
    Guard("state's code", NEVER, rf"(?:{STATES})", of("PERSON"), left=r"(?:in|from|,) "),
    Guard("state as a person", 0.97, rf"(?:{STATES})", of("PERSON")),
    Guard("saturation before its figure", NEVER, r"(?i)sats?", ANY, right=r"[ :]*(?:\d{2,3}|>|<)"),
    Guard("name of a terminology", NEVER, r"(?i)NDF(?:-RT)?|LOINC|SNOMED(?:[ -]?CT)?|RxNorm|ICD-?(?:9|10)(?:-?CM|-?PCS)?|HCPCS|CPT(?:-?4)?|CVX|UCUM|UMLS", ANY),
    Guard("millimetres of mercury", NEVER, r"mm ?\[?Hg\]?", ANY),
    Guard("state of a result", NEVER, r"Finding|Active|Inactive|Completed|Performed|Ordered|Resolved|Pending", NUMBERS),
    Guard("ambulance by its letters", NEVER, r"(?:the )?EMS", of("EMPLOYER", "FACILITY", "PERSON")),
    Guard("marker of a tumour", NEVER, r"(?i)ca[- ]?(?:125|19-?9|15-?3|27\.?29|72-?4)", ANY),
    Guard("public registry", NEVER, r"NCT\d{8}", ANY),
    Guard("year without a birth", 0.995, r"(?:18|19|20)?\d\d", of("BIRTH_YEAR_OVER_89"), left=r"\A(?!.*(?:born|birth|\bb\.|dob|yob|n[eé]e|nac|since|from|census|bible|paper|says|reads|roll|model)).*"),
    Guard("saturation", NEVER, r"(?i)sat(?:s)?[ .:]*\d{2,3}%?", ANY),
    Guard("one letter", 0.9, r"[A-Za-z]\.?", NUMBERS - {"PERSON"}),
    Guard("one letter of a person", 0.7, r"[A-Za-z]\.?", of("PERSON")),
    Guard("two letters", 0.8, r"[A-Za-z]\.?[A-Za-z]\.?", NUMBERS - {"PERSON"}),
    Guard("two letters of a person", 0.58, r"[A-Za-z]\.?[A-Za-z]\.?", of("PERSON")),
)  # fmt: skip
PEOPLE = of("PERSON", "FACILITY", "EMPLOYER", "CITY", "STREET_ADDRESS", "COUNTY")
PEOPLES = plain_list("names/peoples")
# Bare, but the proper name of many a house.
HOUSE = re.compile(
    r"(?:General|Children's|University|Central|County|Community|Regional|Memorial|Veterans|City|State|Women's)"
    r"(?: Health| Medical| Care)? (?:Hospitals?|Clinics?|Health|Center|Pediatrics|Pharmacy|Health and Hospitals)"
)
WORD = re.compile(r"[A-Za-z][A-Za-z']*")
INITIAL_SURNAME = re.compile(r"(?:[A-Z]\. ?){1,2}[A-Z][A-Za-z'-]{2,}")
# What the vocabulary of the clinic needs to be taken for a person.
SHORTHAND = 0.97


@cache
def program(expression: str, *, end: bool = False) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![A-Za-z0-9])(?:{expression})$" if end else expression, re.IGNORECASE if end else 0
    )


def needed(value: str, entity: str, left: str, right: str) -> float:
    """The score the model needs for this value here, 0..1, or `NEVER`."""
    if entity in PEOPLE and SCORED.match(right) and eponymous(value) and not owned(value, right):
        return NEVER
    if entity == "PERSON" and (unnamed(value) or dotted_form(value)):
        return NEVER
    least = base(value, entity, left)
    if entity == "PERSON" and 0.9 < least < 0.98:
        least = eased(value, least, left, right)
    found = [least]
    found += [g.needed for g in applying(value, entity, left, right)]
    return max(found)


def eased(value: str, least: float, left: str, right: str) -> float:
    """What a person's name needs that the clinic or the language uses for something else, too."""
    if spoken_of(value, left, right):
        return 0.5
    if given(value):
        return 0.7 if value.isupper() else 0.55
    if least == SHORTHAND and not peoples(value):
        return min(least, written_need(value))
    return least


def written_need(value: str) -> float:
    """By how it is written: short forms stand in capitals, things of the clinic with one."""
    if re.fullmatch(r"[A-Za-z]{2}", value):
        return 0.6 if value.isupper() else 0.5
    if INITIAL_SURNAME.fullmatch(value) and gazetteers.surname(WORD.findall(value)[-1]) > 8:
        return 0.6
    return 0.8 if value.islower() or " " in value else SHORTHAND


# What follows the name of a score, a sign or a part: its kind or its figure.
SCORED = re.compile(
    r"(?:['\u2019]s)?(?:[ :=]{1,3}[<>~]?\d{1,3}(?![\dMFmfy/.-])(?! ?(?:[MFmf]\b|y))|[ -](?:score|scale|index|criteria|class|classification|grade|stage|type [IV\d]|sign|test|reflex|maneuver|procedure|repair|disease|syndrome|fracture|clamps?|forceps|scissors|retractor|catheter|drain|tube|protocol|rules?|stain|nodes?|cyst|hernia|lesion|fissures?|foram(?:en|ina)|fossa|ligaments?|ducts?|glands?|canal|nerves?|fascia|lines?|sulcus|tubercles?|ganglion|plexus|sphincter|valves?|membrane|space|pouch|triangle|ring|rings|patch(?:es)?|crypts?|islets?|bodies|I{1,3} fracture|I{1,3}\b)\b)"
)


# What a patient has, too: `Wilson's ring` is of somebody of that name.
OWNED = re.compile(
    r"['\u2019]s (?:lines?|rings?|patch(?:es)?|valves?|drain|tube|catheter|space|nerves?|clamps?)\b"
)
COMMON_SURNAME = 14


def owned(value: str, right: str) -> bool:
    """Is it a surname that many bear, and a thing of its bearer?"""
    return bool(OWNED.match(right)) and gazetteers.surname(value) >= COMMON_SURNAME


QUOTES = frozenset('"\u201c\u201d')


def eponymous(value: str) -> bool:
    return gazetteers.eponym(value) or all(gazetteers.eponym(w) for w in WORD.findall(value))


ACTS = re.compile(
    r"(?:,? (?:who|he|she|his|her|my|their)\b|['\u2019]s\b| (?:says?|said|states?|stated|reports|never|left|called|calls|came|will|was|is|has|had|lives|works|took|gave|wants|asked|drove|brought|agrees|can|cannot|looks|looked|feels|felt|denies)\b)"
)
PERSON_LEFT = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Miss|Mister|named|wife|husband|son|daughter|sister|brother|mother|father|friend|partner|roommate|neighbor|nurse|aide|cousin|aunt|uncle|niece|nephew)\.?,? ?[(\"]?)$"
)


MARKS = str.maketrans("", "", ".,:;'\u2019\" ")


def unnamed(value: str) -> bool:
    """Is it a word of kin, a head of a form, or short forms alone, and no name?"""
    low = value.strip(" .,:;'\"\u2019").lower()
    if low in NOBODY:
        return True
    words = [w.strip(",.") for w in value.split()]
    if len(words) > 1 and len(set(words)) == 1 and len(words[0]) < 4:
        return True  # `ND, ND`
    short = all(not w.istitle() and w.lower() in SHORT_FORMS for w in words)
    return short and any(len(w) > 2 for w in words)


DOTTED = re.compile(r"(?:[A-Za-z]\. ?){1,5}[A-Za-z]?\.?")


def dotted_form(value: str) -> bool:
    """`B.R.B.P.R`, `e.g`, `P.M.H. C`: a short form written with full stops, not initials."""
    if not DOTTED.fullmatch(value):
        return False
    groups = [g.translate(MARKS).lower() for g in value.split(" ")]
    return any(g in DOTTED_FORMS or (len(g) > 2 and g in SHORT_FORMS) for g in groups)


TITLE_LEFT = re.compile(r"(?i)\b(?:drs?|mrs?|ms|doctor|miss)\.? $")
TOLD_LEFT = re.compile(r"(?i)\b(?:told|asked|texted|thanked) $")
ROLE_LEFT = re.compile(
    r"\b(?:PA(?:-C)?|RN|NP|MD|DO|CRNA|OT|RT|PT|SW|CM|LPN|CNA|PharmD|RPh|DON|ADON|EMT|LCSW|CNM|[Ss]upv?|[Ff]loat|[Mm]edic|[Ss]urg|[Tt]ech|[Aa]ide|[Ff]ellow|[Rr]esident|[Ii]ntern|[Aa]tt(?:ending|g)|[Cc]haplain|[Dd]eputy|[Oo]ff?c|[Tt]old|[Aa]sked|[Tt]exted|[Pp]aged|[Pp]er)\.? $"
)


def titled(word: str, left: str) -> bool:
    """Does a title or a role stand before a word that many bear as a surname?"""
    if word.lower() in STOPS:
        return False
    if TOLD_LEFT.search(left) and gazetteers.first_name(word) > 12:
        return True
    if gazetteers.surname(word) < 9:
        return False
    return bool(TITLE_LEFT.search(left) or (word[0].isupper() and ROLE_LEFT.search(left)))


def given(value: str) -> bool:
    """Does it begin with a given name that many bear?"""
    word = WORD.match(value)
    return word is not None and value[0].isupper() and gazetteers.first_name(word.group()) > 8


def spoken_of(value: str, left: str, right: str) -> bool:
    """Is a name that is a word of the clinic, too, used of a person here?"""
    words = WORD.findall(value)
    if words and len(words) < 3 and titled(words[-1], left):
        return True
    if not value[0].isupper() or not words:
        return False
    if len(words) == 1 and left[-1:] in QUOTES and right[:1] in QUOTES and value[1:].islower():
        return True
    if gazetteers.first_name(words[0]) <= (12 if gazetteers.eponym(words[0]) else 6):
        return False
    if len(words) > 1 and words[0][1:].islower():
        return len(words[-1]) == 1 or bool(gazetteers.surname(words[-1]))
    return bool(ACTS.match(right) or PERSON_LEFT.search(left))


@cache
def guards_of(entity: str) -> tuple[tuple[Guard, re.Pattern[str]], ...]:
    """The guards that concern an entity, each with its shape compiled."""
    mine = (guard for guard in GUARDS if not guard.entities or entity in guard.entities)
    return tuple((guard, program(guard.shape)) for guard in mine)


# What not even a rule takes unless it is sure by itself.
VETOED = frozenset(
    [
        "the first of two parts",
        "code of a terminology",
        "picture of a study",
        "combined strength",
        "two strengths of a drug",
        "weeks of pregnancy",
        "pregnancies",
        "spinal level",
        "clock at the head of a line",
        "clocks of a log",
        "depths of gums",
        "code of a document's part",
        "depths of gums, halved",
        "visit's code",
        "code of dentistry",
        "section of a law",
        "march of the feet",
        "march of a kind",
    ]
)


def vetoed(value: str, entity: str, left: str, right: str) -> bool:
    """Does a guard that no doubt may pass stand before this value?"""
    return any(g.name in VETOED for g in applying(value, entity, left, right))


def followed(guard: Guard) -> bool:
    """Does it apply only where something follows?"""
    return bool(guard.right) and not righted(guard.right).match("")


@cache
def righted(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


@cache
def guarded(entity: str) -> re.Pattern[str]:
    """Whether any guard of an entity that asks for nothing to follow has the shape of a value."""
    shapes = [guard.shape for guard, _ in guards_of(entity) if not followed(guard)]
    scoped = [f"(?i:{s[4:]})" if s.startswith("(?i)") else f"(?:{s})" for s in shapes]
    return re.compile("|".join(scoped) or "(?!)")


@cache
def following(entity: str) -> re.Pattern[str]:
    """Whether what follows a value is what any other guard of an entity asks for."""
    rights = [guard.right for guard, _ in guards_of(entity) if followed(guard)]
    return righted("|".join(f"(?:{right})" for right in rights) or "(?!)")


def applying(value: str, entity: str, left: str, right: str) -> Iterable[Guard]:
    """The guards that stand before such a value in such a place: most often there is none."""
    if not guarded(entity).fullmatch(value) and not following(entity).match(right):
        return
    for guard, shape in guards_of(entity):
        if guard.right and not righted(guard.right).match(right):
            continue
        if not shape.fullmatch(value):
            continue
        if guard.left and not program(guard.left, end=True).search(left):
            continue
        yield guard


def peoples(value: str) -> bool:
    """Are all its words names of peoples and tongues?"""
    return all(w.lower() in PEOPLES for w in WORD.findall(value) if len(w) > 1)


def shorthand(word: str) -> bool:
    """A word of the clinic, or three letters and more that charts use for one."""
    return clinical(word) or (len(word) > 2 and word.lower() in SHORT_FORMS)


IN_SENTENCE = re.compile(r"(?<!\bthe)(?<!\ba)(?<!\ban)(?<!\bour)(?<=[a-z,;(]) $")


def housed_in(words: Sequence[str], left: str) -> bool:
    """Two words and more, or one with its owner's ending, written as a name within a sentence."""
    if not IN_SENTENCE.search(left):
        return False
    owned = len(words) == 1 and words[0].endswith("'s")
    return (owned or len(words) > 1) and all(w[0].isupper() and w[1:].islower() for w in words)


def base(value: str, entity: str, left: str = "") -> float:
    """By the kind of words: figures and the vocabulary of the clinic need more than names."""
    if entity in {"EMAIL_ADDRESS", "URL", "IP_ADDRESS", "PHONE_NUMBER", "FAX_NUMBER"}:
        return 0.4
    words = [w for w in WORD.findall(value) if len(w) > 1]
    if entity == "FACILITY" and not named(value) and not HOUSE.fullmatch(value):
        return 0.9 if housed_in(words, left) else 0.999
    if entity == "FACILITY" and len(words) > 1 and value[0].isupper():
        return 0.5
    if entity in PEOPLE and words:
        if all(w.lower() in STOPS for w in words):
            return 0.95
        if any(w.lower() in gazetteers.plain_list("clinical/more_drugs") for w in words):
            return 0.99
        if peoples(value) and entity not in {"STREET_ADDRESS", "COUNTY"}:
            return SHORTHAND if entity == "PERSON" else 0.9
        if all(shorthand(w) for w in words):
            if entity in {"STREET_ADDRESS", "EMPLOYER"}:
                return 0.6
            return 0.9 if entity in {"FACILITY", "CITY"} and housed_in(words, left) else SHORTHAND
        return 0.45 if all(ordinary(w) for w in words) else 0.25
    return 0.55 if any(c.isdigit() for c in value) else 0.45
