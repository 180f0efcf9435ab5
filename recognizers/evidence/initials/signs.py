# ruff: noqa: E501 -- a pattern reads best on one line
"""Where initials stand: the table of signs, and what each tells of the letters."""

from __future__ import annotations

from dataclasses import dataclass

LOW, BOTH = r"[a-z]{2,4}", r"(?:[a-z]{2,3}|[A-Z]{2,4})"
ROLE = r"(?i:rn|lpn|lvn|cna|ma|md|do|np|pa|fnp|coa|rt|rph|tech|emt|medic|crt|rrt|pct|sw|msw|cm)"
ACTS = (
    r"wit\.?|witness(?:ed)?|signed|initiall?ed|closed|prepared|entered|coded|logged|typed|keyed|checked|updated|recorder|scorer|screener|sonog|sonographer|coder|circ|scrub|"
    r"cosign(?:ed)?|rcvd|rec'?d|rev'?d|reviewed|minutes|opr|operator|phleb|drawn|read back|rb|wasted|recount|counted|poured|uploaded|charted|scribed|att'?d|faxed|phoned|mailed|sig"
)


DOERS = (
    r"tech(?:nologist|nician)?|sonographer|rad tech|operator|opr|nurse|rn|therapist|phleb(?:otomist)?|scanned|performed|perf|imaged|staff|reader|scan tech|"
    r"drawn|collected|perfusionist|hygienist|assistant|asst|author|scribe|read"
)
REGISTERED = r"R\.?T\.?|ARRT|RDMS|RVT|RDCS|CNMT|NMTCB|RRT|CRT|R\.?N\.?|LPN|LVN|CNA|RPSGT|REEGT|R\. ?EEG ?T\.?|CPT|MLT|MLS|CCP|RDH|COA|COT|CST|CMA|RMA|EMT|R\.?T\.?\(R\)|MD|DO|NP|PA-C"


@dataclass(frozen=True, slots=True)
class Sign:
    """Where initials stand; the group marks them.

    `plain`: a short form of the clinic counts. `acted`: a service or a route does not.
    `service`: no short form does. `pair`: two letters are surer. `rare`: letters of no word are.
    `closing`: three letters or capitals that make a word or a short form do not count.
    """

    name: str
    regex: str
    score: float
    plain: bool = False
    acted: bool = False
    service: bool = False
    pair: bool = False
    rare: bool = False
    closing: bool = False


SIGNS: tuple[Sign, ...] = (
    Sign(
        "role, letters, credential in brackets",
        rf"(?i:\b(?:{DOERS})(?: by)?)[ ]?[:.]?[ ]{{1,14}}([A-Z]{{2,3}}|[a-z]{{2,3}}),? ?[(\[](?:{REGISTERED})[)\],( ]",
        0.92,
        plain=True,
        acted=True,
    ),
    Sign(
        "closed by letters at the end",
        r"(?:^|[.;:)\n] {0,2}|\d )(?i:closed|signed|signed off|charted|filed|done|completed|finished|finalized|locked|entered|reviewed)(?: by)? ([a-z]{2,3}|[A-Z]{2,3})\.?[ ]*(?:\n[ ]*\n|\n*\z)",
        0.92,
        plain=True,
        acted=True,
        closing=True,
    ),
    Sign("after a slash at the start", rf"(?:^|\n)[ ]*/({LOW}):{LOW}", 0.85),
    Sign(
        "said to be initials",
        r"(?i:\binitials?)[ :]{1,3}([A-Z]{2,3}|[A-Z]\.[A-Z]\.|[A-Z]-[A-Z])(?:[^A-Za-z0-9]|\z)",
        0.9,
        plain=True,
    ),
    Sign(
        "middle initial",
        r"\b(?:MI|M\.I\.|[Mm]iddle [Ii]nitial)[ _]*[:=][ _]*([A-Z])\b",
        0.9,
        plain=True,
    ),
    Sign("after a time", rf"\b\d{{1,2}}:?\d\d[ ]?(?:[ap]m?|h|hrs)?[ ]+({BOTH})[ ]*(?:\n|\z)", 0.7),
    Sign(
        "after a clock", r"\b\d{1,2}:\d\d(?::\d\d)?(?:[ ]?[ap]m)?[ ]+([A-Z]{2,3})[ ]*(?:\n|\z)", 0.9
    ),
    Sign(
        "before a comma and their credential",
        r"(?:^|\n|[ ]{2}|--|- )[ ]*([A-Z]{2,3}|[a-z]{2,3})[ ]?, ?(?:RN|LPN|LVN|NP|FNP|MD|DO|PA-C|LMSW|LCSW|MSW|APRN|ARNP|CRNA|CNM|IBCLC|PharmD|RPh|RRT|RD|DPT|PsyD|PhD)\b",
        0.92,
        plain=True,
    ),
    Sign(
        "before their rank",
        r"\b(?:by|w/|with|per) ([A-Z]{2,3}) \((?:R[1-5]|PGY-?\d|RN|NP|PA|MD|MS[34]|tech|fellow|resident|attending)\)",
        0.95,
        plain=True,
    ),
    Sign(
        "letter of a writer",
        r"(?i:\b(?:thx|thanks|thank you|ty|xo+|love|best|cheers)|\n[ ]*\n)[,.!]*[ ]*\n*[ ]*([A-Z])\.?[ ]*(?:\z|\n[ ]*\n>)",
        0.92,
        plain=True,
    ),
    Sign("alone in a line", r"(?:^|\n)[ ]*([A-Z]{2,3}|[A-Z]\.[A-Z]\.)[ ]*(?:\n|\z)", 0.55),
    Sign("alone at the end", r"\n[ ]*([A-Z]{2,3}|[a-z]{2,3})[ ]*\n*\z", 0.7),
    Sign("signed at the end", r"\n[ ]*([A-Z]{2,3})[ ]*\n*\z", 0.9, plain=True),
    Sign(
        "who did it, small letters",
        rf"(?i:\b(?:{ACTS})(?: by)?)[ :]{{1,2}}([a-z]{{2,3}})(?:[ ]*\n|[ ,.;:)/|]|\z)",
        0.82,
        acted=True,
        pair=True,
        rare=True,
    ),
    Sign(
        "small in brackets", r"[a-z0-9.,] \(([a-z]{2,3})(?:\)|, [a-z0-9]| and I\b)", 0.8, rare=True
    ),
    Sign(
        "two in small letters, dated",
        r"[ \n]([a-z]{2,3} ?/ ?[a-z]{2,3}) {1,2}(?:\d{1,2}/\d|[012]\d[0-5]\d\b)",
        0.7,
        rare=True,
    ),
    Sign("last of a row", r"[a-z]{2,3} / ([a-z]{2,3}|[A-Z]{2,3})[ ]*(?:\n|\z)", 0.8, rare=True),
    Sign(
        "before their credential, after an act",
        rf"(?i:\b(?:wit|witness(?:ed)?|verified|w/|with|by|recheck)[.:]? |[a-z] ?/ )([A-Z]{{2}}) {ROLE}\b",
        0.8,
        rare=True,
    ),
    Sign("transcriber", rf"(?:^|\n|[ ;])(?:T|TR|Tr|tr):[ ]?({LOW})(?:[ ]*\n|[ ]{{2,}}|\z)", 0.85),
)
