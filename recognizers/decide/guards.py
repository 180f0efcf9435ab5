# ruff: noqa: E501 -- a guard reads best on one line
"""What stays unless the evidence is strong: the shapes of the figures and words of medicine.

Each guard is a shape of value, the entities it concerns and the score the model needs for such a
value. `NEVER` is out of reach: no model takes a year alone or an age under ninety.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from recognizers.entities import NUMBERED
from recognizers.evidence.prefilter import Shapes
from recognizers.text.shapes import CLOCK, MONTH, SPOKEN_NUMBER, SPOKEN_ORDINAL, STATES, WEEKDAY
from recognizers.words.memory import kept

NEVER = 1.01
# As characters: re2 does not know them by their numbers.
DASH, APOSTROPHE = "\u2013", "\u2019"
ANY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Guard:
    """Applies where the whole value matches `shape` and, if given, its left or right side too.

    A value that begins as `unlike` is let pass. The shape looks neither ahead nor back.
    """

    name: str
    needed: float
    shape: str
    entities: frozenset[str] = field(default=ANY)
    left: str = ""
    right: str = ""
    unlike: str = ""


# Whose initials stand in brackets behind them: `the patient (R.T.)`.
BORNE = (
    "patient|pt|client|resident|member|subject|participant|inmate|student|man|woman|male|female|boy|girl|baby|infant|child|minor|"
    "son|daughter|dtr|mother|mom|father|dad|wife|husband|spouse|partner|sister|brother|sibling|twin|aunt|uncle|niece|nephew|"
    "cousin|friend|roommate|neighbor|fianc[a-z]+|boyfriend|girlfriend|caregiver|guardian|he|she|they|him|her|old"
)

# Whom a sentence goes on about: `Mark the patient's brother`, `Lance a 45 year old`.
NO_BEARER = (
    rf"(?! (?:{BORNE}|\d+|only|nurse|doctor|provider|therapist|aide|driver|surrogate|proxy|hcp|"
    r"feels|looks|has|is|was|reports|denies|wants|called|lives|works)\b)"
)
# Who stands behind a maker's name was born with it: `port by Bard RN`.
NO_CLINICIAN = (
    r"(?!,? (?:rn|lpn|lvn|cna|md|do|pa|pa-c|np|aprn|crna|pt|ot|rt|rrt|slp|pharmd|phd|dds|dpm|"
    r"tolerated)\b)"
)


def of(*entities: str) -> frozenset[str]:
    """The entities that a guard concerns."""
    return frozenset(entities)


# Of no name alone; what no person stands behind, and what no car does.
UNTITLED = r"\A(?!.*\b(?:patient|mrs?|ms|miss|mister|dr|doctor|nurse|named?(?: is)?)[.,:]? $).*"
NOT_BORNE = rf"\A(?!.*\b(?:{BORNE}|mr|mrs|ms|miss|dr|nurse)(?: says| said| reports)?[.,:]? $).*"
NO_SPEAKER = rf"(?! (?:has had|(?:is|was) (?:an? )?\d|(?:is|was) (?:(?:his|her|their|my|our|the|an?) )?(?:{BORNE})\b|called|said|says|states|reports|denies))"
CAR_MODELS = (
    r"(?:honda (?:odyssey|civic|accord|cr-?v|pilot|fit|ridgeline)|toyota (?:camry|corolla|tacoma|tundra|rav-?4|sienna|prius|highlander|4runner|avalon)|"
    r"ford (?:f-?\d{3}|focus|fusion|escape|explorer|taurus|ranger|mustang|bronco|expedition|fiesta|edge|transit)|"
    r"(?:chevy|chevrolet) (?:silverado|tahoe|malibu|impala|equinox|cruze|suburban|blazer|colorado|traverse)|nissan (?:altima|sentra|rogue|versa|maxima|frontier|pathfinder)|"
    r"hyundai (?:elantra|sonata|tucson|accent|santa fe|kona)|kia (?:soul|forte|optima|sorento|rio|sportage|telluride)|subaru (?:outback|forester|impreza|legacy|crosstrek)|"
    r"dodge (?:ram|caravan|charger|durango|dakota|challenger|journey)|jeep (?:wrangler|cherokee|grand cherokee|liberty|gladiator|compass)|gmc (?:sierra|yukon|acadia|canyon|terrain)|"
    r"(?:vw|volkswagen) (?:jetta|passat|golf|beetle|tiguan)|buick (?:lesabre|century|enclave|regal|encore)|mazda ?(?:3|6|cx-?\d)|ram (?:1500|2500|3500))"
)
DATE = of("DATE_TIME")
NUMBERS = NUMBERED | of("STREET_ADDRESS", "PERSON", "FACILITY", "CITY", "EMPLOYER")
DAY_WORDS = rf"(?i:.*(?:\d|\b{MONTH}|\b{WEEKDAY}|\b{SPOKEN_ORDINAL}\b|\b{SPOKEN_NUMBER}\b|day|eve|mas\b|easter|ramadan|eid|hanuk|passover|diwali|season|spring|summer|fall|autumn|winter|weekend|night|quarter|week|month|new year|tet|lunar|solstice|equinox).*)"
DAYISH = rf"(?i:.*\b(?:{WEEKDAY}|[mtwrfs]|th|tu|su|sa|wk|week\w*|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lendi|madi|mekredi|jedi|vandredi|samdi|dimanch|segunda|terca|quarta|quinta|sexta|domingo)\b.*)"
GUARDS: tuple[Guard, ...] = (
    Guard("a year alone", NEVER, r"(?:18|19|20)\d\d(?:'?s)?", DATE | NUMBERS | of("AGE_OVER_89")),
    Guard("one or two digits", 0.97, r"\D?\d{1,2}\D?", DATE | NUMBERS),
    Guard("doses, not a day", NEVER, r"[\d.,/-]+", DATE, right=r"[ -]?(?:mg|mcg|ug|gm|kg|ml|cc|units?|meq|mmol|mmhg|cm|mm|french|gauge|%|percent|bpm|tab(?:let)?s?|cap(?:sule)?s?|puffs?|hrs?|hours?|min|minutes?|days?|wks?|weeks?|months?|mos|yrs?|years?|lbs?|pounds|oz|degrees?|joules|packs?|ppd|doses?|times|points?|bid|tid|qid|po|iv|strength)(?![A-Za-z/])"),
    Guard("fraction", 0.985, r"\d{1,3} ?/ ?\d{1,3}", DATE | NUMBERS),
    Guard("range", 0.97, r"(?:[1-9]\d{0,2}|0)(?:\.\d)? ?- ?(?:[1-9]\d{0,2}|0)(?:\.\d)?|0?\d ?- ?0?\d", DATE | NUMBERS),
    Guard("clock at the head of a line", NEVER, rf"{CLOCK}", NUMBERS, left=r"\A[ \t*#>-]*"),
    Guard("clocks of a log", NEVER, rf"(?:(?:[01]\d|2[1-3])[0-5]|20[03-5])\d(?: ?(?:-|{DASH}|to|,|/|&|and) ?{CLOCK})+", NUMBERS),
    Guard("clock after its word", NEVER, rf"{CLOCK}", NUMBERS, left=rf"(?:at|@|time|til|till|until|by|from|since|called|paged|faxed|arrived?|depart\w*|left|rcvd|start|stop|in|out|up|crossclamp|lkw|lkn|arr|later[.:]?|onset|tele|noted|dictated|\d{{1,2}}[/.-]\d{{1,2}}(?:[/.-]\d{{2,4}})?|{CLOCK}[ ]?[-,/]) ?"),
    Guard("clock, no telephone", 0.995, rf"{CLOCK}", of("PHONE_NUMBER", "FAX_NUMBER"), left=r"\A(?!.*(?:\b(?:ext\w*|x|call\w*|dial\w*|pager?|paged|p|phone|line|desk|vm|voicemail|mailbox|beeper|reach|cell|spectra\w*|vocera|contact|direct|number|nos?|tel|ph|operator|or|is|one|office|home|work|mobile|fax)\b|#|\d{3}-)[ .:#(-]*$).*"),
    Guard("days, no years of age", NEVER, r"(?i)(?:9\d|1\d\d|ninety.*|.*hundred.*)", of("AGE_OVER_89"), right=r"[- ](?:days?|minutes?|degrees?|percent|mg|miles?|seconds?|hours?|weeks?|dollars|feet)\b"),
    Guard("scan of the retina", NEVER, r"OCT", DATE, right=r" {1,4}(?:today|compared|mac\w*|rnfl|o[dsu]\b|shows?|with|w/|angio|acc\b|ou\b|scan)"),
    Guard("place of a day in a form", NEVER, r"(?:MM|DD|YY|YYYY)(?:[/-](?:MM|DD|YY|YYYY)){1,2}|YYYY", ANY),
    Guard("value that is missing", NEVER, r"nan", ANY, left=r"\A.*[.:;?!)]", right=r"\s*\Z"),
    Guard("words of a layman", NEVER, r"layman", of("PERSON"), right=r"['\u2019]?s? "),
    Guard("pictures by their numbers", NEVER, r"#?\d{1,3}(?: ?- ?\d{1,3})?", of("PHOTO")),
    Guard("the first of two parts", NEVER, r"(?i)(?:the )?[1-9](?:st|nd|rd|th)(?: and)?", DATE, right=r"(?: and| or| to| through| &)? (?:the )?[1-9](?:st|nd|rd|th) (?:digit|toe|fing|nerv|met|rib|ray|web|phal|cune|inter|cran|molar|mtp|mcp|pip)"),
    Guard("part of a hospital by its work", NEVER, r"(?i)(?:the )?(?:(?:pre|post|peri|intra)-?operative |operative |same day ){1,2}(?:holding(?: area| room)?|area|suite|unit|room|surgery)|(?:the )?department of (?:an)?a?esthesi(?:a|ology)|(?:the )?department of (?:pathology|surgery|radiology|medicine|pediatrics|psychiatry|neurology)", of("FACILITY", "EMPLOYER", "CITY", "PERSON")),
    Guard("height in feet", NEVER, rf"[3-7]['{APOSTROPHE}] ?(?:\d|1[01])", DATE | NUMBERS),
    Guard("pressure of a balloon", NEVER, r"(?i)aug(?: (?:3[2-9]|[4-9]\d|1\d\d))?", DATE, left=r"(?:1:[1-4]|iabp(?: at)?),? {1,4}"),
    Guard("pressure, no year of two figures", NEVER, r"(?i)aug 1\d\d", DATE),
    Guard("three small parts", NEVER, r"\D{0,4}\d{1,2} ?/ ?\d{1,2} ?/ ?-?\d", DATE),
    Guard("codes of procedures", NEVER, r"\d{5}(?:x\d+)?(?:[ ,/]{1,2}\d{5}(?:x\d+)?)+", NUMBERS, left=r"\A(?!.*(?:mrn|acct|account|zip|csn|fin|claim|member|auth|order|acc|chart|id|case)\b).*"),
    Guard("section of a law", NEVER, r"5[12]50|5585|5270|9\.39|9\.27", NUMBERS),
    Guard("march, no month", NEVER, r"(?i)(?:may|can|will|to|the|don't|not) march", DATE),
    Guard("order at the head of a sentence", 0.99, r"Mark|Pat|Lance|Skip|Trace|Pierce|Tuck|Chase|Hunt|Dash|Rip|Clip|Cap", of("PERSON"), left=r"\A(?:.*[.;:!?)] )?(?:[-*] ?)?", right=rf" (?:the|an?|your|all|both|each|sites?|dry)\b{NO_BEARER}"),
    Guard("what will be done", 0.99, r"Will", of("PERSON"), left=r"\A(?:.*[.;:!?)] )?(?:[-*] ?)?", right=r" (?:follow|continue|discuss|monitor)\b"),
    Guard("grant of a claim", 0.99, r"Grant|Bill", of("PERSON"), left=r"\A(?:.*[.;:!?)] )?(?:[-*] ?)?", right=r" (?:pending|unpaid)\b(?! (?:disch|transf|place|leave))"),
    Guard("maker", NEVER, r"Zoll|Bausch|Bard|Alcon|Stryker|Hologic|Res[Mm]ed|Respironics|Arthrex|Zimmer|Biomet|Ethicon|Covidien|Abiomed|Hill-?Rom|Invacare|Coloplast|Hollister|Convatec|Spectra", of("PERSON", "EMPLOYER"), left=r"(?:catheter|drops|lens|lenses|stent|pump|monitor|aed|device|mesh|valve|pacemaker|icd|implants?|plates?|screws?|iol|aids|bed|vent|scanner|port|drain|system|sutures?|stapler|cement|bag|pouch|pads) (?:by|from) ", right=NO_CLINICIAN),
    Guard("car", NEVER, r"(?i)chev(?:y|rolet)|camry|tahoe|silverado|kubota", of("PERSON"), left=NOT_BORNE, right=NO_SPEAKER),
    Guard("car in a crash", NEVER, r"(?i)kia|ford|dodge|lincoln|mercedes|bentley|porsche|chrysler|royce|austin|harley", of("PERSON"), right=r" (?:vs?\b|versus|sedan|truck|pickup|van\b|suv\b)"),
    Guard("car and its model", NEVER, rf"(?i){CAR_MODELS}", of("PERSON", "EMPLOYER", "FACILITY"), left=UNTITLED, right=NO_SPEAKER),
    Guard("line in an artery", NEVER, r"(?i)a-?line", of("PERSON"), left=r"(?:radial|rad|arterial|art|femoral|fem|brachial|rt|lt|r|l) "),
    Guard("said while thinking", 0.97, r"(?:ha|ha ha|um|uh|uh,? huh|huh|hmm|mm|mhm|mm-?hmm|uh-huh)(?: (?:yep|yeah|yes|no|okay|right))?", of("PERSON"), left=UNTITLED),
    Guard("contraction, split", NEVER, r"(?:gon na|wan na|got ta)(?: [a-z]+)?|(?:gim|lem) me", of("PERSON")),
    Guard("first of a contraction", NEVER, r"gon|wan|got|gim|lem", of("PERSON"), right=r" (?:na|ta|me)\b"),
    Guard("rest of a contraction", NEVER, r"(?:na|ta)(?: [a-z]+)?", of("PERSON"), left=r"(?:gon|wan|got) "),
    Guard("program that is spoken to", NEVER, r"dragon", of("PERSON")),
    Guard("program that answers", NEVER, r"(?i)siri|alexa|cortana", of("PERSON"), left=r"(?:hey|ok|okay),? "),
    Guard("program that listens", NEVER, r"dax(?: a(?: little)?)?", of("PERSON"), left=r"(?:using|use|hey|ok|okay|tell),? "),
    Guard("number for emergencies", NEVER, r"(?i)nine[ -]one[ -]one|9-1-1", of("PHONE_NUMBER")),
    Guard("a chart's medications", NEVER, r"MAR", DATE, right=r"(?!,? ?'?\d)"),
    Guard("no weekday", 0.97, r".+", of("WEEKDAY"), unlike=DAYISH),
    Guard("no day in it", 0.9, r".+", DATE, unlike=DAY_WORDS),
    Guard("code of a terminology", NEVER, r"[A-Z]{0,3}[\d.-]+[A-Z]?|[0-9A-Z]{10}", ANY, left=r"(?:cpt|icd-?(?:9|10)?(?:-?cm|-?pcs)?|snomed(?:[ -]?ct)?|loinc|hcpcs|ndc|rxnorm|rxcui|cvx|drg|ndf-?rt|unii|cdt)\b[ :#.()=|-]{0,6}"),
    Guard("picture of a study", NEVER, r"#?\d{1,3}(?: ?- ?\d{1,3})?", NUMBERS, left=r"(?:image|img|series|slice|ser|im|frame|view)s? ?#?[ ]?"),
    Guard("weeks of pregnancy", NEVER, r"(?:\d\d )?\d/7", DATE | NUMBERS, right=r" ?(?:wks?\b|weeks?\b|weeker|w(?![A-Za-z/])|gest)"),
    Guard("name of an instrument", NEVER, r"[A-Z][A-Za-z]+(?:[- ][A-Z][a-z]+)?", of("PERSON"), right=r" (?:retractors?|forceps|scissors|clamps?|specul(?:um|a)|curettes?|elevators?|rongeurs?|trocars?|cannulas?|osteotomes?|dilators?|bougies?|dissectors?|needle (?:driver|holder)s?)\b"),
    Guard("name of a part or a finding", NEVER, r"[A-Z][a-z]+", of("PERSON"), right=r"(?:'s)? (?:cysts?|bodies|spots|fossa|pouch|hernias?|sarcomas?|triad|tubercles?|ganglion)\b"),
    Guard("registered technologist", NEVER, r"R\.? ?T\.?", of("PERSON"), left=rf"(?!(?:{BORNE})\b)[A-Za-z]{{1,16}}[,.]? ?\(", right=r"\.?(?:\)|\()"),
    Guard("awaited call", NEVER, r"(?i)cb", of("PERSON"), left=r"(?:no|awaiting|await|(?:wait\w*|paged|asked|message|msg) for|needs?|w/o|without|pending|\d,|x\d,?) "),
    Guard("part of a hospital", NEVER, r"(?i)(?:the )?(?:(?:post-?)?(?:an)?a?esthesia |postanesthesia |intensive |cardiac |coronary |neonatal |pediatric |medical |surgical |critical |transitional |long-term |acute |subacute |progressive |burn |telemetry |hospital |main |outpatient |inpatient |general |skilled |neuro |stroke |trauma |same day |tobacco |use |smoking |exercise |group |prev |med |encounter |nutrition |other |ophthalmological |services |pain |wound ){0,5}(?:care unit|operating room|operating suite|emergency (?:room|department)|labor (?:and|&) delivery(?: room)?|delivery room|recovery room|recovery area|step-?down|(?:catheterization|endoscopy|surgery|operative|procedure|cath) (?:suite|lab|laboratory|room)|acute care facility|nursing home|nursing facility|medical floor|surgical floor|transfer center|counseling|cessation|services)", of("FACILITY", "EMPLOYER", "CITY", "PERSON")),
    Guard("spinal level", NEVER, r"(?:[CLS][1-8]|T(?:[1-9]|1[0-2]))(?:[-/](?:[CLS]?[1-8]|T?(?:[1-9]|1[0-2])))?", ANY),
    Guard("age under ninety", NEVER, r".+", of("AGE_OVER_89"), unlike=r".*(?:9\d|1[0-2]\d|[Nn][Ii][Nn]|[Hh][Uu][Nn][Dd]|[Cc][Ee][Nn][Tt]|[Nn][Oo][Vv][Ee]|[Cc][Ii][Ee][Nn]|1[Oo0]\d|9[OolI])"),
    Guard("state", NEVER, rf"(?:{STATES})", of("CITY", "FACILITY", "STREET_ADDRESS", "COUNTY", "EMPLOYER")),
    Guard("saturation before its figure", NEVER, r"(?i)sats?", ANY, right=r"[ :]*(?:\d{2,3}|>|<)"),
    Guard("name of a terminology", NEVER, r"(?i)NDF(?:-RT)?|LOINC|SNOMED(?:[ -]?CT)?|RxNorm|ICD-?(?:9|10)(?:-?CM|-?PCS)?|HCPCS|CPT(?:-?4)?|CVX|UCUM|UMLS", ANY),
    Guard("marker of a tumour", NEVER, r"(?i)ca[- ]?(?:125|19-?9|15-?3|27\.?29|72-?4)(?:[ :=]+[<>]?\d[\d,.]*)?", ANY),
    Guard("year without a birth", 0.995, r"(?:18|19|20)?\d\d", of("BIRTH_YEAR_OVER_89"), left=r"\A(?!.*(?:born|birth|\bb\.|dob|yob|n[eé]e|nac|since|from|census|bible|paper|says|reads|roll|model)).*"),
    Guard("one letter of a person", 0.7, r"[A-Za-z]\.?", of("PERSON")),
    Guard("two letters", 0.8, r"[A-Za-z]\.?[A-Za-z]\.?", NUMBERS - {"PERSON"}),
    Guard("two letters of a person", 0.58, r"[A-Za-z]\.?[A-Za-z]\.?", of("PERSON")),
)  # fmt: skip


@cache
def program(expression: str, *, end: bool = False) -> re.Pattern[str]:
    """A shape, compiled; with `end`, what has to stand before a value, up to its beginning."""
    return re.compile(
        rf"(?<![A-Za-z0-9])(?:{expression})$" if end else expression, re.IGNORECASE if end else 0
    )


@cache
def shapes() -> Shapes:
    """The shapes of all guards, asked in one pass over a value."""
    return Shapes([guard.shape for guard in GUARDS])


@kept
def shaped(value: str) -> Sequence[int]:
    """The numbers of the guards whose shape a value has; a note says its values more than once."""
    return shapes().of(value)


# What not even a rule takes unless it is sure by itself.
VETOED = frozenset(
    [
        "the first of two parts",
        "code of a terminology",
        "picture of a study",
        "weeks of pregnancy",
        "spinal level",
        "clock at the head of a line",
        "clocks of a log",
        "section of a law",
    ]
)


def vetoed(value: str, entity: str, left: str, right: str) -> bool:
    """Does a guard that no doubt may pass stand before this value?"""
    return any(g.name in VETOED for g in applying(value, entity, left, right))


@cache
def righted(expression: str) -> re.Pattern[str]:
    """What has to follow a value, compiled."""
    return re.compile(expression, re.IGNORECASE)


def applying(value: str, entity: str, left: str, right: str) -> Iterable[Guard]:
    """The guards that stand before such a value in such a place: most often there is none."""
    for number in shaped(value):
        guard = GUARDS[number]
        if guard.entities and entity not in guard.entities:
            continue
        if guard.right and not righted(guard.right).match(right):
            continue
        if guard.unlike and program(guard.unlike).match(value):
            continue
        if guard.left and not program(guard.left, end=True).search(left):
            continue
        yield guard
