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
from recognizers.shapes import CLOCK, MONTH, SPOKEN_NUMBER, SPOKEN_ORDINAL, STATES, WEEKDAY
from recognizers.sieve import Shapes
from recognizers.words_kept import kept

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

# Magnesium and its figure are a result of that day: `On 10/12 MG was 1.8`. `Mg` is nothing else.
NO_RESULT = r"(?! ?(?:was|is|level|low|high|repleted|(?:[:=<>] ?)?\d\.\d))"
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
# Of a germ's two names, the first.
GERMS = (
    r"[a-z]+(?:bacter|bacillus|bacterium|coccus|monas|spirillum|vibrio)|candida|aspergillus|klebsiella|salmonella|shigella|legionella|moraxella|bartonella|brucella|"
    r"pasteurella|prevotella|escherichia|listeria|neisseria|borrelia|clostridium|clostridioides|bacteroides|haemophilus|serratia|proteus|vibrio|yersinia|nocardia|"
    r"mycoplasma|toxoplasma|cryptosporidium|giardia|trichomonas|strongyloides|schistosoma|taenia|cutibacterium|treponema|chlamydia|rickettsia|ureaplasma"
)
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
    Guard("two strengths of a drug", NEVER, r"\d{1,3}(?:\.\d+)?/\d{1,3}(?:\.\d+)?", DATE, right=rf"[ -]?(?-i:mg|mcg|ug|meq|mEq|MG|MCG|UG|MEQ)(?![A-Za-z/]){NO_RESULT}"),
    Guard("doses, not a day", NEVER, r"[\d.,/-]+", DATE, right=r"[ -]?(?:mg|mcg|ug|gm|kg|ml|cc|units?|meq|mmol|mmhg|cm|mm|french|gauge|%|percent|bpm|tab(?:let)?s?|cap(?:sule)?s?|puffs?|hrs?|hours?|min|minutes?|days?|wks?|weeks?|months?|mos|yrs?|years?|lbs?|pounds|oz|degrees?|joules|packs?|ppd|doses?|times|points?|bid|tid|qid|po|iv|strength)(?![A-Za-z/])"),
    Guard("fraction", 0.985, r"\d{1,3} ?/ ?\d{1,3}", DATE | NUMBERS),
    Guard("range", 0.97, r"(?:[1-9]\d{0,2}|0)(?:\.\d)? ?- ?(?:[1-9]\d{0,2}|0)(?:\.\d)?|0?\d ?- ?0?\d", DATE | NUMBERS),
    Guard("score", NEVER, r"\d{1,2}/(?:5|10|15|28|30|56|100)", DATE, left=r"(?:strength|pain|score|scale|gcs|apgars?|moca|mmse|slums|tinetti|berg|motor|power|rated?|cravings?|mmt|phq|gad|ef)\b[^\n]{0,12}"),
    Guard("time of day", 0.97, r"(?:[01]?\d|2[0-3])[:.]?[0-5]\d(?:h|hrs?)?", DATE | NUMBERS, left=r"(?:at|@|time|lkw|~|\d) ?"),
    Guard("clock at the head of a line", NEVER, rf"{CLOCK}", NUMBERS, left=r"\A[ \t*#>-]*"),
    Guard("clocks of a log", NEVER, rf"(?:(?:[01]\d|2[1-3])[0-5]|20[03-5])\d(?: ?(?:-|{DASH}|to|,|/|&|and) ?{CLOCK})+", NUMBERS),
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
    Guard("height in feet", NEVER, rf"[3-7]['{APOSTROPHE}] ?(?:\d|1[01])", DATE | NUMBERS),
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
    Guard("ninety meetings", NEVER, r"(?:90|ninety)(?: (?:meetings )?in (?:90|ninety))?", of("AGE_OVER_89"), right=r" (?:meetings )?in (?:90|ninety)\b"),
    Guard("in ninety days", NEVER, r"90|ninety", of("AGE_OVER_89"), left=r"(?:90|ninety) (?:meetings )?in "),
    Guard("program that listens", NEVER, r"dax(?: a(?: little)?)?", of("PERSON"), left=r"(?:using|use|hey|ok|okay|tell),? "),
    Guard("number for emergencies", NEVER, r"(?i)nine[ -]one[ -]one|9-1-1", of("PHONE_NUMBER")),
    Guard("kind of a germ", NEVER, r"[a-z]{4,}", of("PERSON"), left=rf"(?:{GERMS}) "),
    Guard("a chart's medications", NEVER, r"MAR", DATE, right=r"(?!,? ?'?\d)"),
    Guard("no weekday", 0.97, r".+", of("WEEKDAY"), unlike=DAYISH),
    Guard("sat down", 0.99, r"sat|SAT", of("WEEKDAY"), left=r"\A(?!.*(?:\b(?:on|next|last|this|by|til|till|until|since|every|each|fri|sun|thru|through|am|pm|and|or|noc|nite|night|recheck|back|again|due|appt|visit|clinic|see|seen|come|coming|home|here)|&|/|\d) $).*", right=r"(?! (?:nite|night|noc|am|pm|morning|eve|the \d|\d{1,2}(?:/|st|nd|rd|th)))"),
    Guard("saturation on a line", NEVER, r"(?i)sat", of("WEEKDAY"), right=r" ?(?:(?:3[2-9]|[4-9]\d|100)\b(?![:/])|phone\b)"),
    Guard("syndrome of the left vein", NEVER, r"(?i)may-thurner", ANY),
    Guard("no day in it", 0.9, r".+", DATE, unlike=DAY_WORDS),
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
    Guard("age under ninety", NEVER, r".+", of("AGE_OVER_89"), unlike=r".*(?:9\d|1[0-2]\d|[Nn][Ii][Nn]|[Hh][Uu][Nn][Dd]|[Cc][Ee][Nn][Tt]|[Nn][Oo][Vv][Ee]|[Cc][Ii][Ee][Nn]|1[Oo0]\d|9[OolI])"),
    Guard("pressure or count in the nineties", 0.9, r"9\d'?s?", of("AGE_OVER_89"), left=r"(?:bp|sbp|dbp|sats?|spo2|hr|pulse|o2|temp|wt|weight|rr|low|high|upper|mid|in the) ?(?:in the )?"),
    Guard("state", NEVER, rf"(?:{STATES})", of("CITY", "FACILITY", "STREET_ADDRESS", "COUNTY", "EMPLOYER")),
    Guard("state's code", NEVER, rf"(?:{STATES})", of("PERSON"), left=r"(?:in|from|,) "),
    Guard("state as a person", 0.97, rf"(?:{STATES})", of("PERSON")),
    Guard("saturation before its figure", NEVER, r"(?i)sats?", ANY, right=r"[ :]*(?:\d{2,3}|>|<)"),
    Guard("name of a terminology", NEVER, r"(?i)NDF(?:-RT)?|LOINC|SNOMED(?:[ -]?CT)?|RxNorm|ICD-?(?:9|10)(?:-?CM|-?PCS)?|HCPCS|CPT(?:-?4)?|CVX|UCUM|UMLS", ANY),
    Guard("millimetres of mercury", NEVER, r"mm ?\[?Hg\]?", ANY),
    Guard("state of a result", NEVER, r"Finding|Active|Inactive|Completed|Performed|Ordered|Resolved|Pending", NUMBERS),
    Guard("ambulance by its letters", NEVER, r"(?:the )?EMS", of("EMPLOYER", "FACILITY", "PERSON")),
    Guard("marker of a tumour", NEVER, r"(?i)ca[- ]?(?:125|19-?9|15-?3|27\.?29|72-?4)(?:[ :=]+[<>]?\d[\d,.]*)?", ANY),
    Guard("public registry", NEVER, r"NCT\d{8}", ANY),
    Guard("year without a birth", 0.995, r"(?:18|19|20)?\d\d", of("BIRTH_YEAR_OVER_89"), left=r"\A(?!.*(?:born|birth|\bb\.|dob|yob|n[eé]e|nac|since|from|census|bible|paper|says|reads|roll|model)).*"),
    Guard("saturation", NEVER, r"(?i)sat(?:s)?[ .:]*\d{2,3}%?", ANY),
    Guard("one letter", 0.9, r"[A-Za-z]\.?", NUMBERS - {"PERSON"}),
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
