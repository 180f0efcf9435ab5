# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) Named facilities: hospitals, clinics, homes, pharmacies, schools, churches, parks, stations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recognizers.evidence.matching import Hit, matches, present
from recognizers.evidence.names.word_evidence import SHORT_FORMS, STOPS, coined
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers
from recognizers.words.gazetteers import listed, plain_list

FACILITY = "FACILITY"
CARE = (
    r"Hospitals?|Hosp|Medical Cent(?:er|re)|Med(?:ical)? Ctr|Medical Group|Medical Associates|Health(?:care)? (?:System|Center|Ctr|Network|Clinic|Services|Partners|Plaza|Park|Department|Dept)|Clinics?|"
    r"Infirmary|Sanatorium|Hospice|Nursing (?:Home|Center|Facility)|Care Center|Rehab(?:ilitation)?(?: (?:Center|Hospital|Institute|Ctr))?|Institute|Surgery Center|Surgical Center|Surgicenter|Imaging|Radiology|"
    r"Pharmacy|Apothecary|Drugs?|Drug ?store|Dialysis|Kidney Center|Cancer Center|Heart (?:Center|Institute)|Eye (?:Center|Clinic|Institute)|Birth(?:ing)? Center|Women's Center|Children's(?: Hospital| Clinic)?|"
    r"Pediatrics|Family (?:Medicine|Practice|Health|Physicians|Doctors|Care)|Internal Medicine|Orthop(?:a)?edics|Ortho|Cardiology|Dermatology|Oncology|Urology|Neurology|Gastroenterology|Psychiatry|Counseling|Behavioral Health|Mental Health|Recovery|Treatment Center|"
    r"Home Health|Home Care|Hospice Care|Physical Therapy|Dental|Dentistry|Labs?|Laborator(?:y|ies)|Pathology|Diagnostics|Urgent Care|QuickCare|Health Cent(?:er|re)|Wellness(?: Center)?|Pavilion|VAMC|VA|Memorial|Regional|General|Rehab & Nursing|Medical|Healthcare|Health|Physicians|Midwifery|Oxygen|Mobility|Medical Supply|Home Medical|DME|Rx|LTC|Allergy(?: & Asthma)?|Asthma|Sleep Center|Pain Center|Wound Center|Spine Center|Vascular|Surgical|Therapy"
)
LIVING = r"Manor|Village|Lodge|Villa|Assisted Living|Senior Living|Retirement (?:Home|Community|Village)|Residence|House|Home|Homes|Shelter|Mission|Hostel|Inn|Motel|Hotel|Apartments|Apts|Towers?|Estates|Gardens|Commons|Court|Terrace|Place|Haven|Cottage|Dorm(?:itory)?|Hall|Barracks|Campground|Trailer Park|Mobile Home Park|RV Park|Ranch|Reservation|Colony|Casino|Resort|Annex|Motherhouse"
CIVIC = (
    r"Elementary(?: School)?|Middle School|High School|Junior High|High|Academy|College|University|School|Preschool|Daycare|Child Care|Head Start|Kindergarten|Church|Chapel|Cathedral|Parish|Temple|Synagogue|Mosque|Masjid|Abbey|Monastery|Convent|Ministries|Tabernacle|Assembly|Congregation|"
    r"Cemetery|Mortuary|Funeral Home|Crematory|Park|Zoo|Museum|Library|Stadium|Arena|Fairgrounds|Airport|Station|Depot|Bridge|Dam|Trail|Beach|Marina|Harbor|Courthouse|Court|Jail|Prison|Penitentiary|Correctional (?:Facility|Center|Institution)|Detention Center|Juvenile Hall|Corrections|"
    r"Police Department|Fire Department|Fire District|Community Center|Senior Center|Recreation Center|YMCA|YWCA|Gym|Mall|Plaza|Market|Mart|Grocery|Supermarket|Theat(?:er|re)|Club|Lanes|Winery|Brewery|Post Office|Outlet|Store|Program|Stables|Bowl|Sober Living|Kitchen|Transit|Island|Lake|Middle|Baptist|Lutheran|Methodist|AME"
)
SAINT = r"(?:St\.?|Saint|Ste\.?|SAINT|ST\.?|San|Santa|Our Lady of|Holy|Mount|Mt\.?|Sacred|Good|OUR LADY OF|HOLY|MOUNT|MT\.?)"
FACILITY_CAPITAL = r"(?:(?:St|Mt|Ft|Ste|Dr|Jr|U|Our|ST|MT|FT)\.|[A-Z](?:[A-Za-z'-]|\.[A-Z])*|I-\d+)"
DOTLESS = r"(?:(?:St|Mt|Ft|Ste|Dr|Jr|U|ST|MT|FT|[A-Z])\.|[A-Z](?:[A-Za-z'&-]|\.[A-Z])*)"
BODY = rf"{FACILITY_CAPITAL}(?:[ ](?:{FACILITY_CAPITAL}|of|the|de|del|la|for|at|and|&)){{0,5}}"
HOUSES = (
    r"Target|Quest|Kaiser|Sloan[- ]Kettering|Memorial Sloan[- ]Kettering|Cedars[- ]Sinai|Mount Sinai|NYU Langone|Christus|Providence|Kindred|Encompass|Genesis|"
    r"Aurora|Banner|Geisinger|Sanford|Sutter|Dignity Health|Baptist|Methodist|Presbyterian|Brigham(?: and Women's)?|Beth Israel|Stanford|Duke|Emory|Vanderbilt|Barnes[- ]Jewish|Northwestern|Tufts|Hopkins|Ascension|Renown|Intermountain|Cedars"
)
CHAINS = "|".join(re.escape(x) for x in listed("places/chains"))  # sure by themselves
FACILITY_ACRONYMS = "|".join(listed("places/acronyms"))
SENT = r"(?i:\b(?:at|from|to|via|osh|followed (?:at|by)|transfer(?:red)?|tx|txfr?|xfer|accepted (?:at|by)|records|eval|care at|osh:|prior admit|call(?:ed)?)|\()"
LETTERS_ALONE = "|".join(listed("places/acronyms_alone"))
LETTER_LIST = frozenset(listed("places/acronyms"))
CHAIN_LIST = frozenset(listed("places/chains"))
NOT_NAMES = plain_list("places/common")


def named_facilities(page: NormalizedText) -> Iterator[Hit]:
    """Houses by their kind, by a field's label, by their number, letters and founders."""
    yield from housed_by_kind(page)
    for start, end in matches(LABELLED, page):
        if coined(page.text[start:end]):
            yield Hit(start, end, FACILITY, 0.92, "field of a house")
    for regex, score in present(NUMBERED_FACILITIES, page):
        for start, end in matches(regex, page):
            yield Hit(start, end, FACILITY, score, "facility")
    yield from facility_abbreviations(page)
    yield from foundations(page)


def housed_by_kind(page: NormalizedText) -> Iterator[Hit]:
    """`Odum Ridge Hospital`: a name before a kind of house."""
    for regex, score in present(FACILITY_RULES, page):
        for start, end in matches(regex, page):
            capital = page.text[start].isupper()
            start = opened(page.text, start, end)
            if capital and not page.text[start : start + 1].isupper():
                continue
            if page.text.endswith(" VA", start, end) and ZIP_AFTER.match(page.text, end):
                continue  # Virginia, not the Veterans' Administration
            if is_no_facility(page, start, end):
                continue
            end = warded(page.text, start, end)
            if named(page.text[start:end]):
                yield Hit(start, end, FACILITY, score, "facility")


# `Kee's HCA is`, `dtr is HCA`: somebody who decides for another, not the chain.
AGENT = re.compile(r"(?i)\b(?:is|as|alt|alternate|primary|named|wife|husband|son|dtr|daughter) $")
# `CALLED DR CHURCH`: a doctor, whose surname is a kind of house.
DOCTOR = re.compile(r"\bD[Rr]\.? [A-Za-z]+$")


def is_no_facility(page: NormalizedText, start: int, end: int) -> bool:
    """Is it no house but a person, or what a person is for another?"""
    value = page.text[start:end]
    if value == "HCA" and AGENT.search(page.left(start, 12)):
        return True
    return DOCTOR.search(value) is not None and " " in value


def warded(text: str, start: int, end: int) -> int:
    """The end of a house without the service behind its dash: `Hospital - Interventional Radiology`."""
    dash = text.find(" - ", start, end)
    if dash < 0 or own(text[dash:end]) or not named(text[start:dash]):
        return end
    return dash


SUFFIXED = rf"\b({BODY}[ ](?:{CARE})(?:[ ](?:of|at|&|and|-)(?:[ ](?:the[ ])?{FACILITY_CAPITAL}){{1,3}})?)\b"
FACILITY_RULES: tuple[tuple[str, float], ...] = (
    (SUFFIXED, 0.8),
    (rf"\b({BODY}[ ](?:{CIVIC}))\b", 0.6),
    (
        rf"\b(?:at|from|to|in|of|into|near|behind|resident of|lives (?:at|in)|the|The) ({BODY}[ ](?:{LIVING}))\b",
        0.6,
    ),
    (
        r"\b((?:[A-Z][a-z]+ ){1,3}(?:urgent care|hospital|clinic|nursing home|pharmacy|lockup|jail|hospice|rehab|high school|elementary|church|school|library|shelter))\b",
        0.75,
    ),
    (r"\b((?:St|Saint|ST|SAINT)\.? [A-Z][A-Za-z]+'[sS])\b", 0.85),
    (rf"\b({SAINT}[ ](?:[A-Z][A-Za-z]+'?s?)(?:[ ](?:[A-Z][A-Za-z]+|of|the|&)){{0,4}})\b", 0.45),
    (
        rf"\b((?:University|Univ\.?|College|Hospital|Institute|Church|Temple|Cathedral|School|Sisters|Academy) (?:of|for) (?:the )?{FACILITY_CAPITAL}(?:[ -]{FACILITY_CAPITAL}){{0,4}})\b",
        0.75,
    ),
    (
        rf"\b((?:{HOUSES})(?:[ ](?:Pharmacy|Clinic|Hospital|Medical Center|Center|Health|Healthcare|Dialysis|Labs?|Rehab|\#\d+))?)\b",
        0.6,
    ),
    (
        rf"\b((?:{CHAINS})(?:[ ](?:Pharmacy|Clinic|Hospital|Center|Health|Labs?|Rehab|\#?\d{{2,5}}))?(?:[ ](?:on|@)[ ](?:\d{{1,3}}(?:st|nd|rd|th)|{FACILITY_CAPITAL}[ ](?:St|Ave|Rd|Blvd|Dr|Way|Pkwy|Hwy|Pike)))?)(?:[^A-Za-z0-9]|\z)",
        0.9,
    ),
    (rf"{SENT}[ ]?(?:the )?({FACILITY_ACRONYMS})(?:[^A-Za-z0-9/]|\z)", 0.85),
    (
        r"\b([A-Z][A-Za-z.'-]+(?: [A-Z][A-Za-z.'-]+){0,3} (?:HOSPITAL|MEDICAL CENTER|MED CTR|CLINIC|HEALTH CENTER|REGIONAL|MEMORIAL|NURSING HOME|PHARMACY|REHAB|HOSPICE|HEALTH SYSTEM))\b",
        0.8,
    ),
    (
        r"\b([A-Z][A-Z.'&-]+(?: (?:[A-Z][A-Z.'&-]+|OF|THE|&)){0,4} (?:HOSPITAL|MEDICAL CENTER|MED CTR|CLINIC|HEALTH CENTER|HEALTH|REGIONAL|MEMORIAL|GENERAL|NURSING HOME|PHARMACY|REHAB|HOSPICE|HEALTH SYSTEM|CHURCH|SCHOOL|PARISH|MANOR|LODGE|INSTITUTE|CENTER))\b",
        0.75,
    ),
    (
        r"\b((?:[a-z']+ ){1,3}(?:general hospital|memorial hospital|regional medical center|community hospital|medical center|memorial|elementary school|high school|nursing home|urgent care))\b",
        0.3,
    ),
    (
        rf"(?i)\b(?:pharm|vendor|dme|supplier|facility|hospital|clinic|pharmacy|snf|ltac|ltach|irf|alf|afh|group home|shelter|placement|agency|location|site|school|lab|hospice|referring facility|sending|receiving|transferred (?:from|to)|dispo(?:sition)?)[ ]*[:.=]+[ ]*((?-i:{DOTLESS}(?: (?:{DOTLESS}|of|the|&)){{0,5}}))",
        0.6,
    ),
    (
        rf"\b(?i:seen at|transferred (?:from|to)|admitted to|discharged to|presented to|hospitalized at|followed at|treated at|tx'd at|tx from|went to|sent to|resident (?:of|at)|lives at|pt at|OSH \()[ ]?(?:the )?({DOTLESS}(?: (?:{DOTLESS}|of|the|&)){{0,4}})",
        0.4,
    ),
    (
        r"\b((?:[A-Z][A-Za-z.'-]+ ){1,3}(?i:drug court|treatment court|mental health court|family court|field office|chapter house|laundromat|fire dept|food bank|food pantry|bus station|train station|truck stop|draw station|preschool|daycare|diner|tunnel|open mri|surgicenter|ambulatory surgery|maternal-fetal medicine))\b",
        0.7,
    ),
    (rf"\b({BODY}[ ](?:OTP|ENT|HS|MS|ES|ED|EMS|H\.S\.|Reg'l|Med|VA))\b", 0.6),
    (
        r"\b([A-Z]\w+(?:'s)? (?:[A-Z]\w+ )?Indian (?:Hospital|Med(?:ical)? (?:Center|Ctr)|Health Service))\b",
        0.85,
    ),
)

# A field of a form, in which a word that is none is the name of a house.
LABELLED = rf"(?i)\b(?:pharmacy|vendor|dme|supplier|facility|hospital|snf|ltach?|irf|alf|afh|group home|shelter|agency|hospice|home health|hh|school)[ ]?[:=][ ]*((?-i:{DOTLESS}(?: (?:{DOTLESS}|of|the|&)){{0,4}}))"

# Sure without a word that is a name.
NUMBERED_FACILITIES: tuple[tuple[str, float], ...] = (
    # Public schools of New York; `PS 10` alone may be the pressure support of a ventilator.
    (r"\b(P\.S\. ?\d{1,3}|(?:PS|IS|JHS) ?[1-4]\d\d)\b", 0.92),
    (r"\b(?i:at|of|to|from|attends|school:?) ((?:PS|IS) ?\d{1,3})\b", 0.8),
    (rf"\b({LETTERS_ALONE})\b", 0.92),
    # A health system's brand where patients are seen; elsewhere it may be a payer's: `TennCare`.
    (
        r"\b(?:[Ss]een|[Tt]reated|[Aa]dmitted|[Ee]valuated|[Hh]ospitali[sz]ed|[Tt]ransferred|[Pp]resented|[Dd]ischarged|[Rr]ehabbed) (?:at|in|to|from) ([A-Z][a-z]{2,}(?:Care|Health|Med|Medica|Point))\b",
        0.92,
    ),
    (r"\b(?:at|to|from|of|in|near|by) (the Y)(?:[ ,.;)]|$|\z)", 0.85),
    # Ships, surer than that their names are of persons, and posts of the state police.
    (
        r"\b((?:USS|USNS|USCGC|USAT|F/V|M/V|S/V|f/v|m/v) (?:[A-Z][^\s,.;()]+(?: [A-Z][^\s,.;()]+){0,2}|[a-z]+ [a-z]+))",
        0.97,
    ),
    (
        r"\b(?i:boat|skiff|vessel|trawler|lobster boat|tug|barge|sailboat|scalloper|dragger)[ ]?[(,]{0,2}[ ]?(\"[A-Z][^\"\n]{2,24}\")",
        0.97,
    ),
    # What a county or the courts keep.
    (
        rf"\b({FACILITY_CAPITAL}(?:[ ]{FACILITY_CAPITAL})?[ ](?:Co\.?|CO\.?|County|COUNTY|Parish)[ ](?:(?:Adult|ADULT|Juvenile|JUVENILE)[ ])?(?i:detention|jail|lec|holding|lockup|courthouse|health (?:dept|department)|wic|circuit|morgue|infirmary)(?:[ ](?i:center|ctr|facility|office|clinic|court|ct))?)\b",
        0.92,
    ),
    (
        rf"\b({FACILITY_CAPITAL}(?:[ ]{FACILITY_CAPITAL}){{0,2}}[ ](?:Circuit|District|Superior|Probate|Family|Juvenile|Municipal|Chancery|Magistrate|Tribal|Drug)[ ](?:Court|Ct)\b\.?(?:[ ]No\.?[ ]?\d{{1,3}})?)",
        0.92,
    ),
    (
        rf"\b((?:(?:Cir|Dist|Super|Sup|Prob|Fam|Mun)\.[ ]Ct\.?|(?:Circuit|District|Superior|Probate|Family)[ ](?:Court|Ct\.?))[ ](?:for|of)[ ]{FACILITY_CAPITAL}(?:[ ]{FACILITY_CAPITAL})?(?:[ ](?:County|Co\.?))?)",
        0.92,
    ),
    # Clinics of the Veterans' and of the Indian Health Service.
    (rf"\b({FACILITY_CAPITAL}(?:[ ]{FACILITY_CAPITAL})?[ ](?:CBOC|IHS|VAMC))\b", 0.92),
    (r"\b((?:Troop|Barracks|Precinct|Engine|Ladder|Post) [A-Z])(?:[ ,.;)]|$|\z)", 0.6),
)

ABBREVIATED = rf"\b({FACILITY_CAPITAL}(?:[ ](?:{FACILITY_CAPITAL}|of|the|and|for|&)){{1,6}} ?\([A-Z]{{3,6}}\))"


def facility_abbreviations(page: NormalizedText) -> Iterator[Hit]:
    """The letters of `Odum Ridge Hospital (ORH)`, which then stand for it."""
    for start, end in matches(ABBREVIATED, page):
        name, letters = page.text[start : end - 1].rsplit("(", 1)
        words = [w for w in name.split() if w.lower() not in SMALL and w != "&"][-len(letters) :]
        initials = "".join(w[0] for w in words)
        if initials == letters and letters.lower() not in SHORT_FORMS and is_organization(words):
            yield Hit(end - 1 - len(letters), end - 1, FACILITY, 0.92, "letters of a house")


def is_organization(words: Sequence[str]) -> bool:
    """Is the last word a kind of house, and one before it the name of one?"""
    return bool(FACILITY_KINDS.fullmatch(words[-1])) and own(" ".join(words[:-1]))


# Homes and schools for those whom they were founded for, parishes, centres for what they do.
FOUNDED = r"for (?:the )?(?:Aged|Aging|Elderly|Blind|Deaf|Women|Men|Girls|Boys|Children|Veterans|Incurables|Friendless|Little Wanderers|Seamen|Sailors|Disabled)|of (?:the )?(?:Good Shepherd|Good Samaritan|Innocents|Sacred Heart|Holy [A-Z][a-z]+|Divine [A-Z][a-z]+|Little Flower|Angels|Visitation|Merciful Saviou?r)"
HALLOWED = r"(?:St\.?|Saint|Our Lady of|Holy|Sacred|Immaculate|Blessed|Queen of|Christ|Mary|Star of|Corpus|Divine|Precious|Most)(?:[ ](?:[A-Z][A-Za-z']+|of|the|and)){1,4}|Nativity|Assumption|Resurrection|Transfiguration|Ascension|Epiphany|Annunciation|Visitation|Incarnation"
# `Return to Clinic for Wound Check` is no house's name, `Hospital for Special Care` is one.
SPECIAL = r"(?:Special (?:Care|Surgery|Children|Needs)|Sick Children|Joint Diseases|Women & Children|Women and Children|Creative|Performing|Exceptional)"
PURPOSE = rf"(?:(?:Center|Centre|Institute) for (?:the )?{FACILITY_CAPITAL}|(?:Hospital|Clinic|School|Academy|College) for (?:the )?{SPECIAL})(?:(?:,|,? and|,? &)?(?: of| of the)?[ ]{FACILITY_CAPITAL}){{0,4}}"
FOUNDATIONS: tuple[tuple[str, float], ...] = (
    (
        rf"\b((?:{FACILITY_CAPITAL}[ ]){{1,4}}(?:Home|Homes|House|Residence|Retreat|Shelter|School|Hospital|Refuge) (?:{FOUNDED}))\b",
        0.92,
    ),
    (
        rf"\b(?i:at|from|to|the|in|of|via)(?: the)? ((?:Home|House|Residence|Retreat|School|Hospital|Refuge) (?:{FOUNDED}))\b",
        0.92,
    ),
    (rf"\b((?:{HALLOWED})[ ](?:parish|PARISH))\b", 0.92),
    (rf"\b(?i:at|in|of|from|to|through|via|by|with)(?: the)? ({PURPOSE})", 0.92),
    (
        rf"\b((?:[A-Z][a-z]+ ){{0,2}}(?:Hospital|Clinic|School|Academy|College) for (?:the )?{SPECIAL}(?: and {FACILITY_CAPITAL}| {FACILITY_CAPITAL})?)\b",
        0.92,
    ),
    (
        rf"\b((?:Center|Centre|Institute|Hospital|Clinic|School|Academy|College) for (?:the )?{FACILITY_CAPITAL}(?:(?: and| &| of)?[ ]{FACILITY_CAPITAL}){{0,4}}, (?:{FACILITY_CAPITAL}[ ]){{1,3}}Campus)\b",
        0.92,
    ),
)
# Authorities, of whom papers and scores come.
AUTHORITY = re.compile(
    r"(?:Disease|Medicare|Medicaid|Health(?:care)? (?:Improvement|Statistics|Research)|Safe Medication|Drug Evaluation|Epidemiologic|Devices|Biologics|Science)\b"
    r"|for (?:Further|Continued|Elective|Evaluation|Observation|Admission|Management|Surgery|Testing|Treatment|Acute|Hospice|Additional|Ongoing|Possible|Urgent|Emergent|IV|Labs?|Placement)\b"
)


def foundations(page: NormalizedText) -> Iterator[Hit]:
    """Houses called by whom or what they are for: `Maple Crest Home for the Aged`."""
    for regex, score in present(FOUNDATIONS, page):
        for start, end in matches(regex, page):
            words = page.text[start:end].split()
            # `Discharged Home for Children's play`
            first = words[0].lower()
            lone = len(words) < 4 and words[-2:-1] == ["for"]  # `Center for Surgery`
            led = (
                lone
                or first.endswith("ed")
                or (first in STOPS and not FACILITY_KINDS.fullmatch(first))
            )
            if not led and not AUTHORITY.search(page.text, start, end):
                yield Hit(start, end, FACILITY, score, "founded for")


def opened(text: str, start: int, end: int) -> int:
    """Drops leading words that are not of a name: articles, departments, verbs at a sentence's head."""
    for word in re.finditer(r"\S+", text[start:end]):
        bare = word.group().strip(".,'").lower()
        if bare not in NOT_NAMES:
            return start + word.start()
    return end


FACILITY_KINDS = re.compile(rf"(?i)\b(?:{CARE}|{CIVIC}|center|ctr)\b")
ZIP_AFTER = re.compile(r"[ ,.]{0,3}\d{5}\b")


def named(value: str) -> bool:
    """At least one word before the kind of house must be a name rather than a common noun."""
    words = re.findall(r"[A-Za-z'.&-]+", value)
    if not words:
        return False
    if value in LETTER_LIST or (" " in value and value in CHAIN_LIST):
        return True
    head = words[:-1] if len(words) > 1 and FACILITY_KINDS.fullmatch(words[-1]) else words
    telling = [w for w in head if w.strip(".'").lower() not in NOT_NAMES and len(w.strip(".")) > 1]
    if len(head) < len(words) and any(w[0].isupper() for w in telling):
        return True
    return bool(telling) and not all(
        gazetteers.clinical_word(w.strip(".'").lower()) and not gazetteers.surname(w.strip(".'"))
        for w in telling
    )


SMALL = frozenset({"of", "the", "and", "for", "at", "de"})


def own(value: str) -> bool:
    """Is a word of it no word of the language or the clinic?"""
    words = re.findall(r"[A-Za-z'-]{3,}", value)
    return any(not gazetteers.common_word(w) and not gazetteers.clinical_word(w) for w in words)
