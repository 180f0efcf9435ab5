# ruff: noqa: E501 -- a pattern reads best on one line
"""(R) Any other number, code or characteristic: accession, order, case, badge, ticket, coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.context import Context
from recognizers.evidence.names.word_evidence import SHORT_FORMS
from recognizers.evidence.rules import ID, Hit, Label, Pattern, Rules
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import SPOKEN_ID, read_out, three_digits
from recognizers.words import gazetteers

OTHER = "OTHER_ID"
WORDS = (
    r"acc(?:ession)?(?:ss?ion)?\.?(?: ?(?:no|number|#))|accession|accn|acc ?#|specimens?(?: (?:id|no|number|#))?|spec(?: ?#| id)|"
    r"case(?: (?:id|no|number|#))?|case ?#|orders?(?: (?:id|no|number|#))|order|req(?:uisition)?(?: ?#| (?:id|no|number))|"
    r"badge(?: (?:id|no|number|#))?|employee (?:id|no|number|#)|emp(?: id| ?#)|clock ?#|staff (?:id|no)|user(?: ?id| ?name)?|username|login(?: id)?|uid|portal (?:id|user(?: ?name)?)|"
    r"tickets?(?: (?:no|#))?|ref(?:erence)?\.?(?: (?:id|no|number|#))?|ref ?#|referral (?:id|no|number|#)|conf(?:irmation)?\.?(?: ?#| (?:no|number|code))?|conf ?#|"
    r"tracking(?: (?:no|number|#))?|waybill|fedex(?: label)?|ups label|rx(?: ?#| (?:no|number))|rx ?#?|prescription(?: (?:no|number|#))?|script ?#|"
    r"inmate(?: (?:id|no|number|#))?|booking(?: (?:id|no|number|#))?|doc (?:no|id)|cdcr|bop(?: reg)?|"
    r"study(?: (?:id|no|number|#|subject))?|subject(?: (?:id|no|number|#))?|participant(?: (?:id|no|number|#))?|protocol (?:id|no|#)|screening no|rand(?:omization)?(?: (?:id|no|#))|"
    r"trial (?:id|no)|irb(?: (?:no|number|#|protocol))?|pnr|rma(?: ?#)?|mmsi|hmis(?: id)?|edrs|osis|donor(?: (?:id|no|number|#))?|unos(?: id)?|recipient id|match run|"
    r"trauma(?: (?:reg|no|number|#|id))?|tr#|event(?: ?#| (?:id|no|number))|incident(?: (?:id|no|number|#))?|run(?: (?:id|no|number|#))|run|dispatch (?:id|no|#)|cad(?: ?#)?|"
    r"report(?: (?:id|no|number|#))|report ?#|doc(?:ument)?(?: (?:id|no|number|#))|document id|job(?: (?:id|no|number|#))?|job ?#|dictation(?: (?:id|no|number|#))|conf no|voice job|"
    r"message (?:id|control id)|msg id|transaction(?: (?:id|no|#))?|pyxis tx|tx id|session(?: (?:id|no))?|device user|"
    r"petition|docket(?: (?:no|number))?|cause no|court order|warrant(?: no)?|police report|complaint(?: (?:no|#))?|file (?:no|number|#)|matter no|inquiry|"
    r"block(?: (?:id|no|#))|slide(?: (?:id|no|#))?|cassette|path(?:ology)?(?: (?:no|number|#))|surg(?:ical)? path(?: (?:no|#))?|cytology(?: (?:no|#))?|autopsy (?:no|#)|me (?:case|no)|"
    r"barcode|bar ?code|scanline|band(?: (?:id|no|number|#))?|wristband|arm-?band|blood ?band|id band|"
    r"unit (?:donation )?(?:no|#)|din|product code|isbt|bag (?:no|#)|tissue id|"
    r"crf|form id|checklist ?#|log ?#|auth(?:orization)?(?: (?:no|number|#|code))?|track(?:ing)?|kit(?: (?:no|#))?|ord|sid|rvct|voice file|interpreter (?:no|id)|interpreter|member merge|duplicate|misconduct|pad|file|rpt ?#|spec|edipi|subj(?:ect)?|code|proband id|req|permit no|registry(?: (?:id|no|#))?|reg(?:istry)? ?#|vaers(?: id)?|fein|ein|tax id|fed\.? tax id|tin|access code|pin|code word|passcode|activation code|gate code|pass code|password|key ?code|"
    r"lab(?: (?:id|no|number|#))|lab no|state lab no|ccf|chain of custody|custody form|coc|mro|phleb id|tech id|collector id|operator(?: id)?|student (?:id|no|number|#)|school id|library card|"
    r"locker|safe(?: (?:no|#))|valuables(?: (?:no|#|bag))?|property (?:no|#|bag)|id"
)


def unworded(value: str) -> float:
    """A name to log in with is no word of English nor of the clinic."""
    bare = value.rstrip("0123456789._-")
    if gazetteers.common_word(bare) > 12 or (gazetteers.clinical_word(bare) and bare == value):
        return -0.95
    return 0.0


def numbered(value: str) -> bool:
    """Three digits at least; no diagnosis, no range, no depths of a gum, no rest of `ID'd 2155`."""
    if re.fullmatch(
        r"x\d(?:\d? .*)?|[A-TV-Z\d]\d\d\.\d{1,4}|\d{1,2} +\d{3}/\d{3}|\d{1,3}-\d{1,3}(?:/\d{2,3}-\d{2,3})?|d [\d/-]+.*",
        value,
    ):
        return False
    return three_digits(value)


# A drug's code in the National Drug Code Directory, with its dashes (21 CFR 207.33).
DRUG = re.compile(r"\d{5}-\d{4}-\d\d?|\d{4}-\d{4}-\d\d|\d{5}-\d{3}-\d\d")
REGISTERED = re.compile(r"NCT|PMID|GRCH|RXCUI|CAS|ISO|EC")


def serial(value: str) -> float:
    """Evidence in a number with dashes: seven digits, and a part that is no dose, level or hour."""
    parts = value.split("-")
    told = any(len(p) > 2 and (p[-1] not in "05" or len(p) > 4) for p in parts)
    years = all(re.fullmatch(r"(?:19|20)\d\d", p) for p in parts)
    if DRUG.fullmatch(value) or years or not told:
        return 0.0
    return 0.22 if sum(map(len, parts)) > 6 else 0.0


def filed(value: str) -> float:
    """Evidence in letters and digits: more of them than a code of a catalogue or a part has."""
    letters = re.match("[A-Z]+", value)
    digits = sum(map(str.isdigit, value))
    if REGISTERED.match(value) or letters is None:
        return 0.0
    return 0.17 if digits > 6 or (digits > 5 and len(letters.group()) > 1) else 0.0


STUDIED = (
    r"protocol|study protocol|research protocol|research study|clinical trial|clinical study|study|"
    r"(?:enrolled|enrolling|randomi[sz]ed|consented|screened|registered|participat(?:es|ed|ing)) (?:in|into|to|for|on|onto) (?:the )?(?:study|trial|research)|on (?:study|trial)|trial"
)
# What stands before a hyphen and a number and is of medicine: scans, drugs by their numbers,
# scores, regimens, germs, the published trials. Own list.
NO_STUDIES_LISTED = (
    "ct mr mri mra pet us ir xr psg eeg ekg ecg emg ncs ncv vq cxr tte tee dxa dexa il cd ca her hla hpv hcv hbv hiv hsv cmv ebv rsv sars covid mers htlv "
    "map cpap bipap peep fio ciwa cows gad phq moca mmse gcs nihss apache sofa ards eras areds folfox folfiri folfirinox chop abvd beacopp icd cpt iso astm "
    "keynote checkmate impower hope dapa emperor paradigm sprint accord gog rtog nsabp calgb swog ecog cog nrg eortc node magic cross polo solo monaleesa paloma destiny topcat mind bfm ukall lhrh hiit pnf adaura mody "
    "mk bms abt amg ly gsk azd pf tak sar bay mab tpa ace arb st po iv im tx rx pt ot uc mg ml kg hz bp hr rr t4 vitamin omega coq gp hb vas crp bnp trop"
)
NO_STUDIES = frozenset(NO_STUDIES_LISTED.split())


def studied(value: str) -> float:
    """Evidence against scans, germs, drugs and scores: `study CT-12`, `trial IL-17`."""
    letters = value.split("-")[0].lower()
    if letters in NO_STUDIES:
        return -0.92
    worded = letters in SHORT_FORMS or gazetteers.clinical_word(letters)
    long = len(letters) > 2 and sum(map(str.isdigit, value)) > 2
    return 0.0 if long or not worded else -0.92


def long_enough(value: str) -> float:
    """Evidence against the short numbers of forms and tests: `WH-380-F`, `PG-13-R`."""
    return 0.07 if sum(map(str.isdigit, value)) > 5 else 0.0


CODED = r"(?:snomed(?:[ -]?ct)?|loinc|icd(?:-?(?:9|10))?(?:-?(?:cm|pcs))?|rxnorm|rxcui|ndc|cpt|hcpcs|cvx|code|ref|model|cat(?:alog)?(?: no)?|form|part no|unii|ndf-?rt|c\.|p\.|rs)[ :#.()=|-]{0,4}"


class Others(Rules):
    word = "others"
    around = Context(
        not_left=CODED,
        not_right=r"[ ]?(?:mg|mcg|ml|units?|iu\b|cells|copies|/ul|/mm|k/ul|u/l|%)",
    )
    patterns = (
        Pattern(
            "user in a row of a log",
            r"(?:\d{4}-)?\d\d[-/]\d\d(?:[-/]\d{2,4})?[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?[ ]*(?:\||,|;|\t|[ ]{2})[ \t]*([a-z]{2,}[a-z0-9._-]{2,14})[ ]*(?:\||,|;|\t|[ ]{2})",
            OTHER,
            0.92,
            check=unworded,
        ),
        Pattern(
            "user after its word",
            r"\b(?:[Ll]og-?in|LOGIN|[Uu]ser(?: ?name| ?id)?|USER(?: ?NAME| ?ID)?|[Uu]serid|[Aa]uto-?sig|[Ee]-?sig|[Aa]gent(?: ID| id)|AGENT ID|[Oo]perator(?: ID| id)|usr|uid)[ ]?[:=#]{0,2}[ ]?[\"']?([a-z]{2,}[a-z0-9._-]{2,14}|[A-Z]{3,12}\d{1,4})\b",
            OTHER,
            0.92,
            check=unworded,
            context=Context(),
        ),
        Pattern(
            "badge",
            r"(?i:\bbadge(?: (?:no\.?|number|#))?[ :#]{1,2})(\d{2,6}|[lIO]\d[\dlO]{1,4}|\d[\dlO]{1,5})\b",
            OTHER,
            0.92,
            after="/:%",
        ),
        Pattern(
            "read out",
            rf"(?i)\b(?:reference|ref|auth(?:orization)?|confirmation|ticket|tracking|case|order)(?: (?:number|no|code|is|was))*[ ,:]+({SPOKEN_ID})\b",
            OTHER,
            0.92,
            check=read_out,
        ),
        Pattern("number sign", r"#[ ]?([A-Z]{0,4}-?\d{3,}[A-Z0-9-]*)\b", OTHER, 0.6, after="/.x"),
        Pattern(
            "number of a dose",
            r"\b(?:[Dd]ose|DOSE|[Ss]yringe|SYRINGE|[Kk]it|KIT|[Uu]nit dose|[Vv]ial|VIAL)(?: [Nn]o\.?| NO\.?| [Nn]umber) ?#? ?(\d{3,9})\b",
            OTHER,
            0.92,
            after="0-9/.%",
        ),
        Pattern(
            "subject of a trial",
            r"\b(?i:subj(?:ect)?\.?|participant|ppt)(?: (?i:id|no\.?|number))?[ :#]{1,3}(\d{2,4}-\d{3,5})\b",
            OTHER,
            0.92,
            after="0-9/%-",
        ),
        Pattern(
            "protocol of a study",
            rf"(?i:\b(?:{STUDIED})(?: (?:no\.?|number|id|code|#))?[ :#]{{1,3}})([A-Z]{{2,7}}(?:-[A-Z]{{1,4}})?-\d{{2,4}}[A-Z]?(?:-[A-Z0-9]{{1,4}})?)\b",
            OTHER,
            0.92,
            after="0-9A-Za-z/.%+",
            check=studied,
        ),
        Pattern(
            "study after its protocol",
            r"(?i:\b(?:enrolled|enrolling|randomi[sz]ed|consented|screened|participat(?:es|ed|ing)|enters|entered|subject|participant)\b[^\n.;]{0,12}? (?:in|into|to|for|on|of)(?: the)? )([A-Z]{2,7}(?:-[A-Z]{1,4})?-\d{2,4}[A-Z]?)(?: (?i:study|trial|protocol|registry|arm|cohort|visit))\b",
            OTHER,
            0.92,
            check=studied,
        ),
        Pattern("no. with its letters", r"\b[Nn]o\. ([A-Z]{2,4} \d{3,6})\b", OTHER, 0.7),
        Pattern("no.", r"\b[Nn]o\.? ?([A-Z]{1,4}-?\d{3,}[A-Z0-9-]*)\b", OTHER, 0.8),
        Pattern("year and serial", r"\b([A-Z]{2,5}-?(?:19|20)\d{2}-\d{2,7})\b", OTHER, 0.9),
        Pattern("blood unit", r"\b([A-Z]\d{4}[ ]?\d{2}[ ]?\d{6}(?:[ ]?\d{2})?)\b", OTHER, 0.9),
        Pattern(
            "coordinates",
            r"(-?\d{1,3}\.\d{3,8}(?:[ ]?[NS])?[ ]?[,/ ][ ]?-?\d{1,3}\.\d{3,8}(?:[ ]?[EW])?)",
            OTHER,
            0.85,
            before="0-9.",
            after="0-9.",
        ),
        Pattern(
            "degrees",
            r"([NS]?[ ]?\d{1,2}[ ~]{1,2}\d{1,2}(?:\.\d+)?['~ ]{0,2}(?:\d{1,2}(?:\.\d+)?\"?)?[ ]?[NS]?[, /]+[EW]?[ ]?\d{2,3}[ ~]{1,2}\d{1,2}(?:\.\d+)?['~ ]{0,2}(?:\d{1,2}(?:\.\d+)?\"?)?[ ]?[EW]?)",
            OTHER,
            0.3,
            before="A-Za-z0-9.",
            # `#2 9/18  143` has neither a mark of degrees nor a quarter of the compass.
            check=lambda v: 0.0 if re.search(r"[NSEW~'\"]", v) else -0.3,
        ),
        Pattern(
            "uuid",
            r"\b([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})\b",
            OTHER,
            0.95,
        ),
        # HL7's own branch names code systems and templates, nobody's document.
        Pattern(
            "dicom uid",
            r"\b((?:1\.2|2\.16|2\.25)\.\d[\d.]{12,})\b",
            OTHER,
            0.9,
            check=lambda v: -0.6 if v.startswith("2.16.840.1.113883.") else 0.0,
        ),
        # Beside a diagnosis' code in its table stands its concept's number.
        Pattern(
            "long number",
            r"\b(\d{8,20})\b",
            OTHER,
            0.65,
            before=".-/",
            after=".-/",
            context=Context(
                not_left=rf"{CODED}|[A-TV-Z]\d[0-9A-Z](?:\.[0-9A-Z]{{1,4}})? ?(?:\||\t| {{2,}}) ?",
                not_right=r" ?(?:\||\t| {2,}) ?[A-TV-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?(?![0-9A-Za-z])",
            ),
        ),
        Pattern(
            "letters and digits",
            r"\b([A-Z]{1,4}-?\d{5,}(?:-[A-Z0-9]+|-[a-z]\b)*)\b",
            OTHER,
            0.75,
            check=filed,
        ),
        Pattern(
            "dashed number",
            r"\b(\d{2,}-\d{2,}-\d{2,}(?:-\d+)*)\b",
            OTHER,
            0.7,
            check=serial,
        ),
        Pattern(
            "letters, digits, dashes",
            r"\b([A-Z]{2,5}-\d{2,}-[A-Z0-9]+(?:-[A-Z0-9]+)*)\b",
            OTHER,
            0.85,
            check=long_enough,
        ),
    )
    labels = (
        Label(
            "number of a thing",
            WORDS,
            OTHER,
            0.8,
            value=ID,
            keep=numbered,
        ),
    )

    def hits(self, page: NormalizedText) -> Iterator[Hit]:
        """Without what a catalogue calls REF beside the lot of the same thing."""
        for hit in super().hits(page):
            if not (CATALOGUED.search(page.left(hit.start, 8)) and implanted(page, hit.start)):
                yield hit


CATALOGUED = re.compile(r"\b(?:REF|ref|Ref)[ :#.]*$")
LOTTED = re.compile(r"\b(?:lot|sn|s/n|exp|qty|udi|gtin)\b", re.IGNORECASE)


def implanted(page: NormalizedText, place: int) -> bool:
    """Does the line speak of a lot, as the label of an implant does?"""
    return bool(LOTTED.search(page.text, *page.line(page.row(place))))
