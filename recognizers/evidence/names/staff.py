# ruff: noqa: E501 -- a pattern reads best on one line
"""(A) Employers told by who works for them, how the work began or ended, and by crews on duty."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.entities import EMPLOYER
from recognizers.evidence.matching import Hit, matches, present
from recognizers.evidence.names.word_evidence import SHORT_FORMS, STOPS, coined
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.gazetteers import plain_list

SURE = 0.92
DOUBTED = 0.55
# No full stop but within letters: a name ends with its sentence.
STAFF_CAPITAL = r"[A-Z](?:[A-Za-z0-9'-]|\.[A-Z])*"
STAFF_EMPLOYER = rf"{STAFF_CAPITAL}(?:[ ](?:{STAFF_CAPITAL}|&|and|of|de)){{0,4}}"
BRAND = rf"{STAFF_CAPITAL}(?:[ ](?:{STAFF_CAPITAL}|&)){{0,3}}"
# Who is said to be of a company by its name alone.
HANDS = (
    r"employees?|retirees?|staffer|cashiers?|baristas?|tellers?|associate|stocker|merchandiser|contractor|franchisee|loader|unloader|picker|packer|packager|driver|trucker|courier|conductor|brakeman|trackman|"
    r"machinist|millwright|assembler|welder|mechanic|technician|tech|lineman|pipefitter|foreman|supervisor|shift lead|store manager|manager|greeter|dispatcher|deliveryman|salesman|sales rep|"
    r"chemist|engineer|programmer|executive|lobbyist|annuitant|pensioner|lifer|trader|steward|stewardess|mail carrier|letter carrier|sales clerk|clerk|deli|night crew|warehouseman|line worker|plant worker|worker|crew member"
)
# Of these nobody is but by a company's name or a sort of work.
HIRED = r"employees?|retirees?|cashiers?|baristas?|stocker|merchandiser|loader|franchisee|annuitant|staffer|shift lead"
# In capitals and no house's name: what workers are by their papers, posts and peoples.
SORTS_LISTED = (
    "certified registered licensed senior junior assistant associate chief head lead general federal state county city "
    "municipal postal union nonunion temp temporary contract contractual seasonal migrant amish former retired part full "
    "essential frontline health healthcare medical hospital clinical nursing dental home school office plant factory "
    "warehouse retail restaurant hotel bank store line field physician surgical faculty bakery deli grocery produce kitchen housekeeping dietary custodial executive dining food garden  oil gas steel auto truck bus taxi cab uber rail railroad "
    "construction electrical civil mechanical software industrial chemical nuclear maintenance sanitation utility security "
    "police fire army navy marine marines military veteran reserve reservist government public private social youth child "
    "research project product program account sales marketing human customer night day swing graveyard second third first "
    "new young old current disabled injured local foreign american southern northern eastern western texas "
    "medicare medicaid hispanic latino black white male female single married "
    "disability benefits payroll union's employee retiree worker the a an his her their my our this that patient pt"
)
EMPLOYER_SORTS = frozenset(SORTS_LISTED.split())
LEFT = r"\b(?:an?|[Ww]as|[Oo]ld|[Oo]nce|[Ll]ong-?time|[Ff]ormer|[Ee]x|[Rr]etired|[Ff]ellow|[Cc]urrent|year|yr)[ -]"
STAFF: tuple[tuple[str, float], ...] = (
    (rf"{LEFT}({BRAND}) (?:{HIRED})\b", 0.92),
    (rf"{LEFT}({BRAND}) (?:{HANDS})\b", 0.6),
    (rf"(?:\A|\n|[.;:] )({BRAND}) (?:{HANDS})\b", 0.6),
    (rf"\b(?:[Ee]x-|[Ff]ormer |[Ll]ong-?time |\d\d?-year |ret\. )({BRAND}) [a-z]{{3,}}", DOUBTED),
)
# How work began and ended, and where it is done; what follows is who gave it.
ENDED = (
    r"(?:laid off|let go|fired|furloughed|terminated|dismissed|downsized|bought out|pensioned off|suspended)(?: \w+)? (?:from|by|at)|"
    r"(?:on|medical|family|unpaid|maternity|military) leave from|(?:retired|resigned|severance|pension|layoffs?|buy-?out) from|(?:contract|job|position|internship|work) (?:ended )?with|"
    r"(?:interview\w*|contract(?:s|ed|ing)|subcontract(?:s|ed|ing)|temp(?:s|ed|ing)|intern(?:s|ed|ing)|apprentic(?:es|ed|ing)|sign(?:s|ed) on|still|employed|employment|career|years) (?:with|at|by)|"
    r"(?:hired|hired on|moonlight(?:s|ed|ing)|employed|recruited) (?:at|by|with)|(?:start(?:s|ed|ing)|began|begins) (?:work )?(?:at|with)|job (?:at|with)"
)
WORKS = (
    r"(?:works?|worked|working|(?:full|part)[- ]time|shifts?) (?:over at|up at|down at|out of|out at|at|for)|"
    r"(?:cooks?|cooking|bartend\w*|wait(?:s|ing|ed) tables|waitress\w*|caters?|stocks|bags|clean(?:s|ing)|drives?|driving|deliver(?:s|ing|ed)|hauls?|hauling|dispatch(?:es|ing)|flies|weld(?:s|ing)|temp(?:s|ing)|cashiers|sort(?:s|ing)|fish(?:es|ing)|log(?:s|ging)|drill(?:s|ing)|mines|teaches|coaches|dances|sings|guards|models|writes|reports) (?:at|for|with)"
)
STAFF_CUES: tuple[tuple[str, float], ...] = (
    (rf"\b(?i:{ENDED}) (?:the )?({STAFF_EMPLOYER})", 0.8),
    (rf"\b(?i:{WORKS}) (?:the )?({STAFF_EMPLOYER})", 0.8),
    (rf"\b(?:[Jj]oined|[Ll]eft [Hh]is job at|[Ll]eft [Hh]er job at) ({STAFF_EMPLOYER})", 0.6),
)
# Who works for somebody, said directly before for whom.
TRADES = (
    r"reporter|editor|columnist|photographer|announcer|anchor|writer|stagehand|usher|dj|dancer|musician|actor|curator|librarian|docent|groundskeeper|caretaker|custodian|janitor|housekeeper|maid|nanny|doorman|concierge|"
    r"bellhop|valet|hostess|host|waitress|waiter|server|busser|dishwasher|chef|(?:line |prep |short order |sous )?cook|baker|butcher|barista|bartender|cashier|clerk|teller|stocker|greeter|salesman|saleswoman|salesperson|sales rep|rep|buyer|"
    r"merchandiser|manager|supervisor|foreman|superintendent|dispatcher|driver|courier|(?:mail |letter )?carrier|trucker|hauler|conductor|brakeman|pilot|flight attendant|gate agent|baggage handler|mechanic|machinist|millwright|welder|fitter|"
    r"pipefitter|steamfitter|boilermaker|ironworker|electrician|plumber|carpenter|roofer|mason|painter|drywaller|glazier|laborer|lineman|rigger|roughneck|driller|logger|sawyer|faller|miner|longshoreman|stevedore|deckhand|assembler|"
    r"inspector|packer|picker|sorter|loader|operator|technician|engineer|architect|draftsman|surveyor|chemist|scientist|researcher|programmer|developer|analyst|actuary|accountant|auditor|bookkeeper|underwriter|adjuster|broker|"
    r"agent|realtor|attorney|lawyer|paralegal|secretary|receptionist|office manager|lobbyist|recruiter|consultant|contractor|executive|vp|ceo|cfo|teacher|tutor|instructor|professor|coach|trainer|lifeguard|groomer|vet tech|stylist|seamstress|"
    r"presser|tailor|upholsterer|jeweler|florist|landscaper|gardener|exterminator|apprentice|journeyman|shop steward|trooper|deputy|bailiff|security guard|guard|firefighter|paramedic|captain"
)
ROLES = (
    (rf"\b(?i:{TRADES}) (?:for|at|@|over at|out at) (?:the )?({STAFF_EMPLOYER})", 0.7, True),
    (rf"\b(?i:{TRADES}) (?:with|w/|from) (?:the )?({STAFF_EMPLOYER})", 0.7, False),
)
# All of a work history up to the end of its sentence.
HISTORY = r"(?i:\b(?:work|occupational|occ|employment|vocational|job|jobs|past jobs?|prior jobs?|past employers?|prior employers?|previous employers?|employers)(?: hx| history| exposures?)?:)[ ]*([^.\n;]{2,160})"
# A union's letters with full stops, its local behind them.
DOTTED = (
    r"\b((?:I\.B\.E\.W\.|U\.F\.C\.W\.|S\.E\.I\.U\.|U\.A\.W\.|U\.M\.W\.A?\.?|I\.L\.W\.U\.|I\.L\.A\.|U\.S\.W\.A?\.?|A\.F\.S\.C\.M\.E\.|A\.F\.G\.E\.|I\.A\.T\.S\.E\.|N\.A\.L\.C\.|A\.P\.W\.U\.|C\.W\.A\.|I\.A\.M\.)(?: ?[Ll]ocal)?(?: ?\#?\d{1,5})?)",
    r"\b((?:[A-Z]\.){3,6},? [Ll]ocal \#?\d{1,5})\b",
)
AGENTS = r"\b(USPS|UPS|TSA|CBP|FBI|DEA|IRS|FAA|NASA|Border Patrol|FedEx|Amtrak|CSX|BNSF|GM|IBM|GE) (?:carrier|officer|agent|inspector|screener|loader|driver|conductor|retirees?|employees?|clerk|worker|sorter|hub)\b"
CREW = r"(?:Engine|Ladder|Medic|Rescue|Squad|Truck Co(?:mpany)?|Battalion|Tower|Tanker|Brush|Ambulance|Station|ENGINE|LADDER|MEDIC|STATION|BATTALION)"
CREW_CUES: tuple[tuple[str, float], ...] = (
    # `Rescue 2 puffs`, `Engine 14`: who is on duty there, or what a crew does.
    (
        rf"\b(?i:firefighter|ff|captain|capt\.?|lieutenant|lt\.?|paramedics?|medics?|emts?|unit|crew|crews|ems|probie|battalion chief)(?:,| with| from| of| at| on|:)? ({CREW} \#?\d{{1,3}})\b",
        0.92,
    ),
    (
        rf"\b({CREW} \#?\d{{1,3}}) (?i:on scene|on-scene|arriv\w+|crew|respond\w+|transport\w+|en route|report\w*|extricat\w+|intubat\w+|gave|started)\b",
        0.92,
    ),
    (rf"\b({CREW} \#?\d{{1,3}}(?:,? (?:and|&) {CREW} \#?\d{{1,3}})+)\b", 0.92),
)


def employed(page: NormalizedText) -> Iterator[Hit]:
    """Employers that need no word of a company's form in their name."""
    yield from worked_for(page)
    yield from recorded(page)
    for regex, score in present(
        (*CREW_CUES, *((regex, SURE) for regex in (*DOTTED, AGENTS))), page
    ):
        for start, end in matches(regex, page):
            yield Hit(start, end, EMPLOYER, score, "crew")


def worked_for(page: NormalizedText) -> Iterator[Hit]:
    """By who works there, at what, and how that began or ended."""
    told = [(regex, score, score > DOUBTED) for regex, score in STAFF]
    told += [(regex, score, True) for regex, score in STAFF_CUES]
    for regex, score, lifted in present((*told, *ROLES), page):
        for start, whole in matches(regex, page):
            end = clipped(page.text, start, whole)
            value = page.text[start:end]
            if branded(value):
                sure = value in LETTERED_FIRMS or (lifted and is_known_firm(value))
                yield Hit(start, end, EMPLOYER, SURE if sure else score, "work")


def recorded(page: NormalizedText) -> Iterator[Hit]:
    """By a work history."""
    for start, end in matches(HISTORY, page):
        for name in NAMES.finditer(page.text, start, end):
            if branded(name.group()) and is_known_firm(name.group()):
                yield Hit(name.start(), name.end(), EMPLOYER, SURE, "work history")


# Where all is in capitals the sentence goes on in them: `EMPLOYED BY BOEING AS MACHINIST`.
SHOUT_ENDS = re.compile(r" (?:AS|SINCE|WHEN|WHERE|BUT|AND HAS) .*$")


def clipped(text: str, start: int, end: int) -> int:
    """The end of an employer in capitals before the sentence goes on."""
    return start + len(SHOUT_ENDS.sub("", text[start:end]))


NAMES = re.compile(rf"\b{STAFF_EMPLOYER}\b")
VAGUE_OR_SORT = plain_list("names/vague") | EMPLOYER_SORTS
STAFF_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")


def branded(value: str) -> bool:
    """May it be the name of a company, rather than a people, a post or a part of the house?"""
    words = [w.lower() for w in STAFF_WORD.findall(value)]
    if not words or words[0] in VAGUE_OR_SORT or words[0] in STOPS or words[0] in SHORT_FORMS:
        return False
    return not all(
        w in plain_list("names/peoples") or w in plain_list("places/common") for w in words
    )


LETTERED_LISTED = (
    "UPS USPS TSA GM GE IBM KFC CSX BNSF AT&T IKEA DHL JBS H&R FAA BJ's CVS IRS GEICO USAA NASA"
)
LETTERED_FIRMS = frozenset(LETTERED_LISTED.split())


def is_known_firm(value: str) -> bool:
    """Is it no word at all, or letters that all know a company by?"""
    return value in LETTERED_FIRMS or coined(value)
