# ruff: noqa: E501 -- a pattern reads best on one line
"""(A) Employers of the individual or of relatives, by what is said of work and by company forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.entities import EMPLOYER
from recognizers.evidence.matching import Hit, matches, present
from recognizers.evidence.names.staff import clipped
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.gazetteers import listed, plain_list

EMPLOYER_CAPITAL = r"[A-Z](?:[A-Za-z0-9'-]|\.[A-Z])*"
EMPLOYER_WORD = r"[A-Z][A-Za-z]*[a-z][A-Za-z'-]*"
EMPLOYER_NAME = rf"{EMPLOYER_CAPITAL}(?:[ ](?:{EMPLOYER_CAPITAL}|&|and|of|the|de)){{0,5}}"
JOBS = (
    r"driver|driv(?:es|ing)|works?|worked|working|employ(?:ed|ee)|job|cook|line cook|cashier|clerk|welder|mechanic|electrician|plumber|carpenter|foreman|manager|supervisor|teacher|teaches|aide|"
    r"custodian|janitor|housekeeper|server|waitress|waiter|bartender|barista|baker|butcher|operator|technician|tech|engineer|analyst|accountant|bookkeeper|secretary|receptionist|dispatcher|pilot|"
    r"deckhand|seaman|fisherman|rancher|farmhand|picker|packer|stocker|stocking|greeter|guard|security|deputy|officer|lineman|rigger|roustabout|miner|machinist|toolmaker|assembler|fitter|shipfitter|"
    r"painter|roofer|mason|laborer|landscaper|realtor|agent|broker|nurse|pharmacist|hygienist|dealer|dealing|seamstress|tailor|harvester|trucker|hauls?|delivers|nights|days|shift|part[- ]time|full[- ]time|laundry|truck|bus|"
    r"retired|laid off|fired|hired|contract|contractor|internship|intern|owns|owner|partner|coo|ceo|cfo|president|vp|director|attorney|paralegal|stenographer|librarian|counselor|coach|professor|instructor|worker|fabricator|inspector"
)
FORM = r"(?:Inc|LLC|L\.L\.C|Ltd|Corp(?:oration)?|Co|Company|Co-op|Cooperative|LLP|PLLC|LP|& Sons?|and Sons?|& Daughters?|Bros|Brothers|Industries|Enterprises|Holdings|Group|Partners|Associates|Local \d+)"
TRADE = (
    r"Trucking|Freight|Logistics|Transport(?:ation)?|Transit|Lines|Airlines|Airways|Railroad|Railway|Shipping|Marine|Towing|Construction|Builders|Contracting|Roofing|Plumbing|Electric|Heating|Masonry|Concrete|Steel|Foundry|"
    r"Machine|Manufacturing|Mfg|Fab(?:rication)?|Stamping|Tool|Works|Mill|Mills|Lumber|Timber|Paper|Pulp|Mining|Coal|Oil|Gas|Energy|Power|Drilling|Farms?|Growers|Dairy|Orchards?|Nursery|Ranch|Poultry|Packing|Packers|Meats?|"
    r"Seafood|Fisheries|Cannery|Foods?|Bakery|Cafe|Diner|Bistro|Grill|Restaurant|Pizza|Catering|Brewing|Bottling|Market|Grocery|Supply|Hardware|Outfitters|Motors|Auto|Tire|Salvage|Bank|Credit Union|Insurance|Realty|Title|Escrow|"
    r"Properties|Linen|Laundry|Cleaners|Janitorial|Security|Staffing|Services|Systems|Software|Technolog(?:y|ies)|Analytics|Solutions|Telecom|Cable|Press|Printing|Publishing|Media|Studios?|Salon|Spa|Nails|Casino|Equipment|Implement|Boats?|Aviation|Aerospace|Pharmaceuticals|Biotech|Landscaping|Warehouse|Distribution|Wholesale|Processing|Rendering|Harvesting|Hulls|Ambulance"
)
COMPANIES = (
    r"Amazon|FedEx|UPS|USPS|Walmart|Target|Costco|Kroger|Boeing|Lockheed(?: Martin)?|Raytheon|Tyson(?: Foods)?|Cargill|John Deere|Caterpillar|Ford Motor|General Motors|GM|Tesla|Uber|Lyft|DoorDash|Instacart|McDonald's|Starbucks|Home Depot|Lowe's|"
    r"Google|Microsoft|Apple|Facebook|Meta|Intel|IBM|Dell|Verizon|AT&T|Comcast|Wells Fargo|Chase|Bank of America|Union Pacific|BNSF|Amtrak|Delta|United Airlines|Southwest|TSA|Smithfield|Perdue|Hormel|Nabors|Halliburton|Schlumberger|Exxon|Chevron|Zillow|Matson"
)
SERVICE_NAMES = "|".join(re.escape(x) for x in listed("names/services"))
VAGUE_EMPLOYERS = plain_list("names/vague")
EMPLOYER_RULES: tuple[tuple[str, float], ...] = (
    (
        rf"(?i:\b(?:{JOBS}))[^\n.;:()]{{0,25}}? (?i:at|for|with|w/|@|from|of|through|by) (?:the )?({EMPLOYER_NAME})",
        0.6,
    ),
    (
        rf"(?i:\bemployer(?:/\w+)?(?: name)?|\bplace of (?:work|employment)|\bcompany|\bworkplace|\bworks? ?site|\bjob|\boccupation(?:/employer)?|\bemployed (?:by|at|with)|\bpatron)[ ]*[:.=|,(_]{{0,12}}[ \t_]*({EMPLOYER_NAME})",
        0.7,
    ),
    (rf"\b({EMPLOYER_CAPITAL}(?:[ ](?:{EMPLOYER_CAPITAL}|&|and|of)){{0,4}},?[ ]{FORM})\b\.?", 0.7),
    (rf"\b({EMPLOYER_CAPITAL}(?:[ ](?:{EMPLOYER_CAPITAL}|&|and|of)){{0,3}}[ ](?:{TRADE}))\b", 0.5),
    (rf"\b({COMPANIES})\b", 0.5),
    (
        rf"(?i:\b(?:{JOBS}),[ ])({EMPLOYER_CAPITAL}[ ]{EMPLOYER_CAPITAL}(?:[ ]{EMPLOYER_CAPITAL}){{0,2}})[,;.)]",
        0.4,
    ),
    (
        r"\b(?:works|drives|cooks|teaches|job|employed|worked|working|cashier|driver|clerk) (?:at|for) (?:the )?([a-z]+(?:'s)? (?:[a-z]+ )?(?:foods|farms|freight|trucking|diner|cafe|bakery|market|mill|packing|logistics|tortilleria|barn|construction|electric))\b",
        0.7,
    ),
    (
        rf"\b(?i:works?|worked|working|employed|job|hired|clerk|cashier|cook|driver|custodian|welder) (?i:at|for|with|by|@) (?:the )?({EMPLOYER_NAME})",
        0.8,
    ),
    (
        rf"\b(?:[Ww]orks|[Dd]rives for|[Oo]wns|[Rr]etired from|[Ll]aid off (?:by|from)|[Ff]ired (?:by|from)) ({EMPLOYER_CAPITAL}(?:[ ](?:{EMPLOYER_CAPITAL}|&)){{0,3}})[,.;)]",
        0.75,
    ),
    (
        r"\b((?:IBEW|UFCW|SEIU|AFSCME|UAW|Teamsters|Steelworkers|Ironworkers|Laborers|Pipefitters)(?:,? [Ll]ocal #?\d{1,4})?|[Ll]ocal #?\d{1,4} (?:of the )?[A-Z][A-Za-z]+(?: (?:&|and) [A-Z][A-Za-z]+)?(?: [A-Z][A-Za-z]+)?)\b",
        0.85,
    ),
    (
        rf"(?i:\battn|\bdear counsel|\bre: your client|\blaw (?:office|firm)|\battorneys?)[^\n]{{0,40}}?[,\n] ?({EMPLOYER_CAPITAL} (?:&|and) {EMPLOYER_CAPITAL})\b",
        0.6,
    ),
    # Who sends what a patient has at home.
    (
        rf"(?i:\b(?:afo|kafo|tlso|brace|prosthesis|prosthetist|orthotist|walker|wheelchair|w/c|hospital bed|bed|oxygen|o2|concentrator|cpap|bipap|vent|nebulizer|pump|wraps|shoes|garments|supplies|tube feeds?|formula|wound vac|holter|monitor|lift|commode)\b[^\n.;:()]{{0,14}}? (?:by|from|via|thru|through|per)) ({EMPLOYER_WORD}(?:[ ](?:{EMPLOYER_CAPITAL}|&|of|at|on)){{0,3}})",
        0.6,
    ),
    (
        rf"(?i:\b(?:dme|hme|vendor|supplier|home health|hh|home infusion|infusion|home care|agency|answering service|transport|ride|prosthetist|mortuary|funeral home|oxygen|organ|opo|eye bank))(?i:[ ]?[:=]| by| via| from| is| w/| with)? ({EMPLOYER_WORD}(?:[ ](?:{EMPLOYER_CAPITAL}|&|of|at)){{0,3}})",
        0.5,
    ),
)


OFFICERS = r"Ofc|Ofcr|ofcr|ofc|Officer|officer|Det|Detective|Dep|Deputy|deputies|Sgt|Cpl|Lt|Tpr|Trooper|Chief|Sheriff"
# `PPD Lt forearm`, `COPD Chief complaint`, `BPD det`: these are no other word of the clinic.
SWORN = r"Ofc|Ofcr|ofcr|ofc|Officers?|officers?|Deputy|deputy|deputies|Sgt|Cpl|Tpr|Trooper|Sheriff"
# `w/ COPD Officer Hardy`: no police is called so.
LUNGS_AND_KIDNEYS = frozenset(["COPD", "CAPD"])
POLICE = r"[A-Z]{1,4}(?:PD|SO|SP|HP)"
CREW_KINDS = (
    r"Medic|medic|Engine|Eng|Ladder|Truck|Rescue|Squad|Unit|unit|Sta|Station|Ambulance|M|E|R"
)
# Sure without a look at the words.
CERTAIN: tuple[tuple[str, float], ...] = (
    # The police, by who of them is spoken of: `PPD` alone is a skin test.
    (rf"\b({POLICE})(?:[ ][Uu]nit[ ]\d{{1,3}})?[ ](?:{SWORN})\b", 0.92),
    (rf"\b({POLICE})[ ](?:{OFFICERS}|case|dispatch|LiveScan|car|cruiser|report|inc)\b", 0.6),
    (
        rf"\b(?:{OFFICERS})\b\.?[ ](?:[A-Z]\.?[ ])?[A-Z][a-z'-]+(?:[ ]\#?\d{{1,5}})?[ ]?[,(][ ]?({POLICE})\b",
        0.6,
    ),
    # Crews and posts with their numbers.
    (rf"\b([A-Z]{{1,4}}(?:FD|VFD|EMS)[ ](?:{CREW_KINDS})[ ]\d{{1,3}})\b", 0.92),
    (
        rf"\b({EMPLOYER_CAPITAL}(?:[ ]{EMPLOYER_CAPITAL}){{0,2}}[ ](?:FD|VFD|EMS|Vol\.?[ ]FD|Fire[ ]Dist(?:rict)?|Rescue|RESCUE|Ambulance|FIRE[ ]DIST)(?:[ ](?:{CREW_KINDS}))?[ ]\d{{1,3}})\b",
        0.92,
    ),
    (
        rf"\b({EMPLOYER_CAPITAL}(?:[ ]{EMPLOYER_CAPITAL})?[ ](?:Co\.?|CO\.?|County|COUNTY|Parish)[ ](?:EMS|SO|Sheriff(?:'s Office|'s Dept)?|Fire|deputies|Ambulance|Rescue|DSS|DHS|CPS|APS))\b",
        0.92,
    ),
    (
        rf"\b({EMPLOYER_CAPITAL}(?:[ ]{EMPLOYER_CAPITAL}){{0,2}}[ ](?:Vol\.?|Volunteer|VOL\.?)[ ](?:Fire(?:[ ](?:Dept|Co|Company)\b\.?)?|FIRE|Ambulance(?:[ ]Corps)?|AMBULANCE|Rescue|FD|EMS))\b",
        0.92,
    ),
    # Who flies the sick.
    (
        r"\b((?:(?:Air|Aero|Life|Med|Eagle|Angel|Stat|Mercy|Survival|Heli|Guardian|Apollo)[ ]?(?:[Ff]light|[Ss]tar|[Ll]ink|[Ll]ife|Lift|[Mm]ed|[Tt]rans)|StarFlight|Air[ ]?Evac)(?:[ ](?:I{1,3}|IV|V|\d{1,2}))?)\b",
        0.92,
    ),
    # A union's local, not a local anaesthetic.
    (r"\b(Local \#?\d{2,4})(?:[,;:)\n]|\.[ \n]|[ ][abd-ln-tv-z(&]|\z)", 0.92),
    (
        r"\b((?:AFSCME|UFCW|SEIU|IBEW|USW|USWA|UMWA|IAM|ILA|ILWU|CWA|UAW|NALC)(?: Local| local)? \#?\d{1,5})\b",
        0.92,
    ),
    (rf"\b({SERVICE_NAMES})(?:[^A-Za-z0-9-]|\z)", 0.92),
)


def named_employers(page: NormalizedText) -> Iterator[Hit]:
    """Employers by what is said of work and by company forms, then services by their letters."""
    for regex, score in present(EMPLOYER_RULES, page):
        for start, whole in matches(regex, page):
            end = clipped(page.text, start, whole)
            words = [w.lower() for w in re.findall(r"[A-Za-z'&]+", page.text[start:end])]
            if words and words[0] not in VAGUE_EMPLOYERS and not VAGUE_EMPLOYERS.issuperset(words):
                yield Hit(start, end, EMPLOYER, score, "employer")
    for regex, score in present(CERTAIN, page):
        for start, end in matches(regex, page):
            if page.text[start:end] not in LUNGS_AND_KIDNEYS:
                yield Hit(start, end, EMPLOYER, score, "service")
