# ruff: noqa: E501 -- a pattern reads best on one line
"""What announces a name: titles, credentials, labels, kinship, roles, closings."""

from __future__ import annotations

from dataclasses import dataclass

TITLES = (
    r"Drs?|Mrs?|Ms|Mx|Miss|Messrs|Mmes?|Prof(?:essor)?|Rev(?:erend)?|Fr|Father|Pastor|Rabbi|Imam|Chaplain|Deacon|Bishop|Elder|"
    r"Sgt|Sergeant|Officer|Ofc|Deputy|Det(?:ective)?|Capt(?:ain)?|Lt|Lieutenant|Col(?:onel)?|Maj(?:or)?|Cpl|Pvt|SSgt|Judge|Justice|"
    r"Hon|Sen|Gov|Dra|Sra?|Srta|Don|Dona|Coach|Principal|Atty|Attorney|Auntie|Aunt|Uncle|Tia|Tio|Sister|Brother|Nurse|Doctor|Sheriff|Marshal|Trooper|Chief|Mme"
)
CREDENTIALS = (
    r"M\.?D\.?|D\.?O\.?|R\.?N\.?|N\.?P\.?|P\.?A\.?(?:-C)?|L\.?P\.?N\.?|LVN|C\.?N\.?A\.?|LCSW|LICSW|LMSW|MSW|LSW|LMFT|LPC|LMHC|"
    r"Ph\.?D\.?|Psy\.?D\.?|Pharm\.?D\.?|RPh|D\.?D\.?S\.?|DMD|DPM|D\.?P\.?T\.?|PT|PTA|OTR(?:/L)?|OT|COTA|CCC-SLP|SLP|RDN?|RRT|RCP|CRT|EMT(?:-?[PBI])?|"
    r"NRP|APRN|ARNP|DNP|FNP(?:-[BC]+)?|CNP|CRNP|CNM|CNS|CRNA|CPM|MBBS|MBChB|BSN|MSN|MPH|FACC|FACS|FACP|FRCS|MA|CMA|RMA|RT(?:\(R\))?|RDMS|CHW|"
    r"ACNP|AGNP|AGACNP|PMHNP|WHNP|CHPN|CWOCN|CCRN|BCBA|AuD|OD|DC|ND|LAc|JD|Esq|LADC|CADC|ADC|SANE|RHIT|CPhT|PGY-?\d|MS[34]|DVM|CPTC|IBCLC|MLS|MT"
)
LABELS = (
    r"patient(?: name)?|pt(?: name)?|name|name of (?:patient|resident|decedent)|resident|client|member name|attending(?: physician| md)?|attg|provider|physician|"
    r"surgeon|assistant|asst|co-?surgeon|anesthesia(?: provider)?|anesthesiologist|crna|referring(?: physician| provider| md)?|ref(?:erred)? by|ordering(?: physician| provider| md)?|"
    r"ordered by|pcp|primary care(?: physician| provider)?|primary|cardiologist|consultant|consulting(?: physician)?|radiologist|pathologist|oncologist|"
    r"author|dictated by|dictator|dict(?:\.| by)?|transcribed by|signed(?: by)?|e-?signed(?: by)?|electronically signed(?: by)?|cosigned(?: by)?|co-?signer|"
    r"attested(?: by)?|reviewed by|verified by|approved by|authenticated by|read by|interpreted by|reported by|performed by|prepared by|completed by|"
    r"collected by|drawn by|seen by|entered by|recorded by|documented by|witness(?:ed)?(?: by)?|scribed? (?:by|for)?|scribe|filed by|printed by|obtained by|"
    r"cc|to|from|attn|attention|re|dear|subject|nurse|rn|lpn|cna|aide|tech(?:nologist|nician)?|therapist|pt|ot|sw|social worker|case manager|cm|care coordinator|"
    r"contact|emergency contact|next of kin|nok|responsible party|guarantor|guardian|insured|subscriber|policy ?holder|spouse|mother|father|parents?|"
    r"mother's name|father's name|maiden(?: name)?|alias|aka|a\.k\.a\.?|fka|nee|poa|hcp|hcpoa|proxy|surrogate|informant|historian|caregiver|interpreter|"
    r"decedent|deceased|donor|recipient|employee|inmate|student|parent/guardian|legal guardian|adjuster|attorney|supervisor|caller|spoke with|notified|"
    r"nombre|paciente|medico|madre|padre|hermana|hermano|esposa|esposo|hija|hijo|goes by|preferred(?: name)?|nickname|rep|vendor rep|last name|first name|first|last|surname|given name|"
    r"team|crew|driver|medic|examiner|evaluator|assessor|clinician|counselor|hospitalist|intensivist|fellow|intern|chief|staff|md|do|np|pa"
)
KIN = (
    r"wife|husband|spouse|son|sons|daughter|daughters|dtr|dau|mother|father|mom|mum|mama|dad|papa|brother|brothers|sister|sisters|sis|bro|aunt|auntie|uncle|niece|nephew|cousin|"
    r"grandson|granddaughter|grandmother|grandfather|grandma|grandpa|gma|gpa|mother-in-law|father-in-law|son-in-law|daughter-in-law|sister-in-law|brother-in-law|"
    r"stepson|stepdaughter|stepmother|stepfather|stepdad|stepmom|fiancee?|partner|boyfriend|girlfriend|bf|gf|ex-wife|ex-husband|ex|twin|sibling|roommate|neighbor|friend|"
    r"caregiver|aide|nurse|landlord|landlady|boss|supervisor|coworker|teacher|coach|counselor|lawyer|attorney|adjuster|worker|caseworker|driver|pastor|priest|rabbi|imam|chaplain|"
    r"goddaughter|godson|godmother|ward|foster mother|foster father|guardian|interpreter|resident|fellow|intern|attending|hospitalist|surgeon|coordinator|manager|officer|witness|tech|technician|"
    r"therapist|pharmacist|dietitian|dietician|midwife|doula|scribe|medic|paramedic|dispatcher|sponsor|liaison|secretary|clerk|named|name is|called|nicknamed|goes by|known as|aka|alias|nee|compadre|comadre|primo|prima|suegra|suegro|cunado|cunada|abuela|abuelo|tita|kuya|"
    r"(?:son|daughter|sister|brother|mother|father) in law|great-?(?:aunt|uncle|niece|nephew|grandson|granddaughter)|babysitter|tutor"
)
ROLES = (
    r"RN|LPN|LVN|CNA|NP|PA|MD|DO|MA|SW|LSW|LCSW|MSW|CM|RT|PT|OT|SLP|ST|RD|EMT|EMT-P|Medic|medic|paramedic|Paramedic|CRNA|SRNA|CNM|PharmD|RPh|PCT|PCA|CO|"
    r"[Ss]urgeon|[Aa]sst|[Aa]ssistant|[Aa]ttending|[Aa]ttg|[Rr]esident|[Ff]ellow|[Ii]ntern|[Aa]nesth(?:esia|es)?|[Ss]crub|[Cc]irculator|[Ss]cribe|[Tt]ech|[Aa]ide|[Nn]urse|[Tt]herapist|"
    r"Hyg|[Hh]ygienist|[Dd]oula|[Ss]ponsor|Chap|mgr|[Pp]roband|Adv|AME|[Ss]itter|[Ll]andlord|[Ff]oreman|[Cc]haplain|[Hh]ospitalist|[Ii]ntensivist|[Rr]adiologist|[Pp]athologist|[Cc]ardiologist|[Oo]ncologist|[Pp]harmacist|[Dd]ietitian|[Cc]oordinator|[Cc]ounselor|[Cc]ase manager|"
    r"[Ss]ocial worker|[Ii]nterpreter|[Cc]aseworker|[Oo]fficer|[Dd]etective|[Dd]eputy|[Tt]rooper|[Ww]itness|[Dd]onor|[Rr]ecipient|PCP|IR|ID|Neuro|Cards|GI|Ortho|HMC|HM2|HM3|SSG|SGT|CPT|MAJ|LTC|CDR|LCDR|Pt|pt|Patient|patient"
)
CAP = r"[A-Z][A-Za-z]*(?:['-][A-Za-z]+)*"


@dataclass(frozen=True, slots=True)
class Cue:
    """What announces a name. The group marks where the name begins; it is then taken word by word."""

    name: str
    regex: str
    score: float
    limit: int = 4
    lower: bool = False
    check: bool = False
    backward: bool = False


CUES: tuple[Cue, ...] = (
    Cue("title", rf"\b(?:{TITLES})\.?[ ]{{1,2}}([A-Z])", 0.95),
    Cue("role", rf"\b(?:{ROLES})[:.]?[ ]{{1,2}}([A-Z])", 0.8, 3, check=True),
    Cue(
        "rank in training",
        r"\b(?:PGY-?\d|R[1-5]|Sr|Att|attg|Attg)[:.]? ([A-Z][a-z])",
        0.9,
        2,
    ),
    Cue("newborn", r"\b((?:Baby|BABY|Bb|BB) ?(?:Boy|Girl|BOY|GIRL|boy|girl)) [A-Z]", 0.9, 3),
    Cue(
        "newborn, small letters",
        r"\b(?:baby ?(?:boy|girl)(?: [ab12])?|twin [ab12] (?:boy|girl|male|female)) ([a-z]{3,})",
        0.85,
        1,
        lower=True,
        check=True,
    ),
    Cue("initial and surname alone", rf"\n[ ]*([A-Z]\. {CAP})[ ]*(?:\n|\z)", 0.9),
    Cue(
        "name and age",
        rf"(?:^|\n|[.;:] |\| ?)({CAP}(?: (?:[A-Z]\.? )?{CAP}){{1,2}}),? (?:is an? )?\d{{1,3}}(?:[ -]?(?:y\b|yo|y/o|F\b|M\b|year|yr|mo\b|wk|d\b)|,)",
        0.9,
        check=True,
    ),
    Cue(
        "bed, name and age",
        rf"(?:^|\n)[ ]*(?:\d{{1,4}}[A-Z]?(?:-\d)?[.):]?[ ]+)([A-Z][A-Za-z'-]+(?:,? {CAP}|,? ?[A-Z]\.?)?),? ?\d{{1,3}} ?(?:[MF]\b|yo|y/o)",
        0.9,
    ),
    Cue(
        "age, sex, surname",
        r"(?:^|[\n|;] ?|\b\d{4}\n)[ ]*\d{1,2}[MF] ([A-Z][a-z]{3,})(?: (?:tx|with|w/|adm|s/p|here|in|from|p/w|presents)\b)",
        0.9,
        2,
        check=True,
    ),
    Cue(
        "name and service in brackets",
        rf"\(({CAP}) (?:IR|GI|ID|RVT|RDMS|CT surg|ENT|NP|PA|RN|MD)\)",
        0.9,
        1,
    ),
    Cue(
        "service, name in brackets",
        rf"\b(?:[Ss]urgery|[Ss]urg|[Oo]rtho|[Nn]euro|IR|GI|ID|[Cc]ards|[Oo]nc|[Rr]enal|[Pp]ulm|[Pp]sych|[Dd]erm|ENT|SLP|PT|OT|SW|RD|[Uu]ro|[Uu]rology|NICU|MICU|[Pp]all|[Pp]alliative|[Aa]nesthesia|[Dd]oula|[Cc]ardiology|[Nn]ephrology|[Nn]eurology) \(({CAP})[) ]",
        0.85,
        2,
        check=True,
    ),
    Cue(
        "student or service",
        r"\b(?:MS[1-4]|CO|RPh|Chap\.?|Rep:|EMT|Doc|Sponsor) \"?([A-Z][a-z]{2,})",
        0.8,
        2,
        check=True,
    ),
    Cue(
        "second of two of the family",
        rf"\b(?i:sons|daughters|sisters|brothers|kids|children|parents|twins|grandsons|granddaughters|nephews|nieces|cousins|friends|neighbors|aides|nurses)[,:]? (?:{CAP}, ){{0,3}}{CAP},? (?i:and|&) ([A-Z])",
        0.9,
        2,
    ),
    Cue(
        "second of three of the family",
        rf"\b(?i:sons|daughters|sisters|brothers|kids|children|twins|nephews|nieces|cousins|friends)[,:]? {CAP}, ({CAP}),? (?i:and|&|[A-Z])",
        0.9,
        1,
    ),
    Cue(
        "person of a pedigree",
        r"\b(?:I{1,3}|IV|V)-\d{1,2}:? (?:proband )?([A-Z][a-z]{2,})",
        0.92,
        2,
        check=True,
    ),
    Cue(
        "interpreter on the line",
        r"\b(?i:interpreter|interp|terp)(?: ?(?:on|by|via|over) (?:the )?(?:video|phone|line|ipad|VRI)),? ([A-Z][a-z]{2,})",
        0.9,
        2,
        check=True,
    ),
    Cue(
        "other name in brackets",
        rf"\b(?:{CAP}, {CAP}|[A-Z][a-z]+ [A-Z][a-z]+),? \([\"']?([A-Z][a-z]{{2,}})[\"']?\)",
        0.95,
        1,
        check=True,
    ),
    Cue("title over a line", r"\b(?:Dr|Mr|Mrs|Ms)\.?[ ]*\n[ \t]*([A-Z])", 0.85),
    Cue(
        "title, capitals",
        r"\b(?:DRS?|MRS?|MISS|REV|PASTOR|SGT|DOCTOR|NURSE|SISTER|BROTHER|OFFICER)\.?[ ]+([A-Z])",
        0.85,
    ),
    Cue(
        "title, lower case",
        r"\b(?:drs?|mrs?|ms|miss|doctor|nurse|pastor|officer)\.?[ ]+([a-z])",
        0.9,
        3,
        lower=True,
    ),
    Cue("title, glued", r"\b(?:Drs?|Mrs?|Ms)\.?([A-Z][a-z]+)", 0.8, 3),
    Cue(
        "second of two doctors",
        rf"\bDrs\.? {CAP}(?: {CAP})?(?:,? (?:and|&) |, ?|/|&)([A-Z])",
        0.9,
        2,
    ),
    Cue(
        "credential",
        rf"\b((?:{CAP}|[A-Z]\.)(?:[ ](?:{CAP}|[A-Z]\.|de|la|van|von|der|del|bin|al)){{0,4}}),?(?:[ ]+|[ ]*\n[ ]*|(?:,))(?:{CREDENTIALS})\b",
        0.9,
        backward=True,
    ),
    Cue(
        "last, first, credential",
        rf"\b({CAP}(?: {CAP})?, ?{CAP}(?: [A-Z]\.?)?),? (?:{CREDENTIALS})\b",
        0.9,
        backward=True,
    ),
    Cue(
        "label",
        rf"(?i:(?:^|[\n\t|;,.(_*-]|\s)[ *_#]*(?:{LABELS}))[ ]*[:=>][-> *_\"\[]*[ \t]*(?:(?:Drs?|Mrs?|Ms|Miss|Rev|Fr)\.? )?([A-Za-z])",
        0.85,
        lower=True,
        check=True,
    ),
    Cue("kin", rf"(?i:\b(?:{KIN}))(?:,? |, |: ?| \(|, \")[\"']?([A-Z][a-z])", 0.9, 3, check=True),
    Cue(
        "kin, lower case",
        r"\b(?:wife|husband|son|daughter|dtr|mother|father|brother|sister|niece|nephew|cousin|grandson|granddaughter|aunt|uncle|fiance|named|nurse|neighbor) ([a-z])",
        0.85,
        2,
        lower=True,
        check=True,
    ),
    Cue(
        "kin, capitals",
        r"\b(?:WIFE|HUSBAND|SON|DAUGHTER|DTR|MOTHER|FATHER|BROTHER|SISTER|NIECE|NEPHEW|COUSIN|GRANDSON|GRANDDAUGHTER|AUNT|UNCLE|SPOUSE|PARTNER|NEIGHBOR),? ([A-Z])",
        0.7,
        3,
        check=True,
    ),
    Cue(
        "signature",
        r"(?:/es/|/s/|(?i:\b(?:e-?)?(?:signed|signature|sig)\b))[ :x_]*([A-Z])",
        0.9,
        check=True,
    ),
    Cue(
        "dash signature",
        r"\n[ ]*(?:--|-|~)[ ]?([A-Z][a-z'.-]*(?: [A-Z][A-Za-z'.-]*){0,3})(?:,|[ ]*\n|\z)",
        0.55,
        check=True,
    ),
    Cue(
        "closing",
        r"(?i:sincerely|regards|respectfully|yours truly|warmly|best|thank you|thanks|cordially)[^\n]{0,20},?[ ]*\n+[ \t]*([A-Z])",
        0.85,
        check=True,
    ),
    Cue(
        "greeting",
        r"\b(?i:dear|hi|hello|hey|thanks|thank you)[ ]+(?:(?i:drs?|mrs?|ms|miss)\.? )?([A-Z][a-z])",
        0.85,
        3,
        check=True,
    ),
    Cue(
        "I am",
        r"\b(?i:i am|i'm|my name is|this is|name is|named|goes by|called|prefers|nicknamed)[ ]+(?:(?i:dr|mr|mrs|ms|doctor|nurse)\.? )?\"?([A-Z][a-z])",
        0.8,
        3,
        check=True,
    ),
    Cue(
        "spoken with",
        r"\b(?i:spoke|spoken|speaking|talked|talking|met|discussed|d/w|s/w|visit(?:ed|ing)?) (?:with|to) ([A-Z][a-z]{2,}(?:[ ][A-Z][a-z]+)?),? (?:she|he|who|and (?:she|he))\b",
        0.95,
        2,
        check=True,
    ),
    Cue("quoted nickname", r"\(?\"([A-Z][a-z]+(?: [A-Z][a-z]+)?)\"\)?", 0.35, 2, check=True),
)
