# ruff: noqa: E501 -- a pattern reads best on one line
"""Where initials stand: the table of signs, and what each tells of the letters."""

from __future__ import annotations

from dataclasses import dataclass

LOW, BOTH = r"[a-z]{2,4}", r"(?:[a-z]{2,3}|[A-Z]{2,4})"
DOTTED = r"[A-Za-z]\. ?[A-Za-z]\.(?: ?[A-Za-z]\.)?|[A-Z]\.[A-Z]\b"
ROLE = r"(?i:rn|lpn|lvn|cna|ma|md|do|np|pa|fnp|coa|rt|rph|tech|emt|medic|crt|rrt|pct|sw|msw|cm)"
ACTS = (
    r"wit\.?|witness(?:ed)?|signed|initiall?ed|closed|prepared|entered|coded|logged|typed|keyed|checked|updated|recorder|scorer|screener|sonog|sonographer|coder|circ|scrub|"
    r"cosign(?:ed)?|rcvd|rec'?d|rev'?d|reviewed|minutes|opr|operator|phleb|drawn|read back|rb|wasted|recount|counted|poured|uploaded|charted|scribed|att'?d|faxed|phoned|mailed|sig"
)
SIGNING = r"witness(?:ed)?|wit\.|initiall?ed|prepared|coded|scorer|screener|recorder|cosign(?:ed)?|keyed|scribed|minutes|sonog|opr"


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
        "after their label",
        rf"(?i:\b(?:initials?|init|tr|trans|transcribed by|transcriptionist|typed by|typist|typed|scribed? by|scribe|dict|dictated|psychometrist))[ ]?[:._ ]{{1,4}}({BOTH}|{DOTTED})(?:[ _,;.]|[ ]*\n|[_/:]|\z)",
        0.9,
    ),
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
    Sign("dictation footer", r"(?:^|\n|[ .;/])((?:[A-Z]{2,4}(?:[/:][ ]?[A-Za-z]{2,4})+))\b", 0.45),
    Sign("second of a footer", r"(?:^|\n|[ ])[A-Z]{2,5}[/:]([a-z]{2,3})(?:[ ]*\n|\z|[ ]{2})", 0.9),
    Sign("first of a footer", r"(?:^|\n)[ ]*([A-Z]{2,4})[/:][a-z]{2,3}(?:[ ]*\n|\z|[ ]{2})", 0.9),
    Sign("after a slash at the start", rf"(?:^|\n)[ ]*/({LOW}):{LOW}", 0.85),
    Sign("dash at the end", rf"(?:--|~|[ .]-|\n-)[ ]?({BOTH})[ ]*(?:\n|\z)", 0.8, rare=True),
    Sign("slash at the end", rf"[ a-z0-9.]/ ?({BOTH})[ ]*(?:\n|\z)", 0.6),
    Sign(
        "by",
        rf"\b(?i:by|by:|by :|per|taken|witness(?:ed)?|marked|initialed|drafted|check(?:ed)? w/|read back|rb|init)[ ]+({LOW}|{DOTTED})(?:[ ]*\n|\z|[.,;:)]| and )",
        0.75,
        rare=True,
    ),
    Sign(
        "by, capitals",
        r"\b(?i:by|by:|by :|per|w/|with|cosign|witness(?:ed)?|attn)[ ]+([A-Z]{2,3})(?:[ ]*\n|\z|[.,;)])",
        0.55,
        acted=True,
        rare=True,
    ),
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
        "after a date",
        rf"\b\d{{1,2}}[/-]\d{{1,2}}(?:[/-]\d{{2,4}})?[ ]+({BOTH})[ ]*(?:\n|\z)",
        0.65,
    ),
    Sign("before their credential", rf"(?:^|[\n/(]|[ ]{{2}}|-|: |\. )({BOTH})[ ]{ROLE}\b", 0.75),
    Sign(
        "before a comma and their credential",
        r"(?:^|\n|[ ]{2}|--|- )[ ]*([A-Z]{2,3}|[a-z]{2,3})[ ]?, ?(?:RN|LPN|LVN|NP|FNP|MD|DO|PA-C|LMSW|LCSW|MSW|APRN|ARNP|CRNA|CNM|IBCLC|PharmD|RPh|RRT|RD|DPT|PsyD|PhD)\b",
        0.92,
        plain=True,
    ),
    Sign(
        "dotted after a dash",
        r"[a-z0-9.)] ?(?:-|--) ?((?:[A-Z]\.){2,3})(?:[)\n]|[ ]*\n|[ ]*\z)",
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
    Sign(
        "who wrote a section",
        r"\b(?i:dh|rdh|mins|minutes|written by|entered|entry|charted|recorded|noted|drawn|counted|poured|given|quality ck|qa|qc|ck|ckd)[: ]{1,2}([a-z]{2,3})(?:[ ]*\n|[ ]*\z|[ ]+\d{1,2}/\d{1,2})",
        0.85,
    ),
    Sign("last word of all", r"[.!?)][ ]{1,3}([A-Z]{2,3}|[a-z]{2,3})[ ]*\n*\z", 0.7, rare=True),
    Sign(
        "before the next dated line",
        r"[a-z.)] ([a-z]{2,3})[ ]*\n\d{1,2}/\d{1,2}[ /]",
        0.5,
        rare=True,
    ),
    Sign("alone in a line", r"(?:^|\n)[ ]*([A-Z]{2,3}|[A-Z]\.[A-Z]\.)[ ]*(?:\n|\z)", 0.55),
    Sign("alone at the end", r"\n[ ]*([A-Z]{2,3}|[a-z]{2,3})[ ]*\n*\z", 0.7),
    Sign("signed at the end", r"\n[ ]*([A-Z]{2,3})[ ]*\n*\z", 0.9, plain=True),
    Sign("quoted", r"\"([A-Z]{2}|[A-Z]\.[A-Z]\.)\"", 0.6),
    Sign(
        "after a stamp",
        rf"\b(?:[DTdt]{{1,2}}|DICT|TRANS|Tr|dict|trans)[: ]{{1,3}}(?:\d{{1,2}}[/-]\d{{1,2}}(?:[/-]\d{{2,4}})?|\d{{6}})(?:[ @]+\d{{1,2}}:?\d\d(?::\d\d)?(?:[ ]?[APap][Mm])?)?[ ]{{0,3}}/?[ ]?({BOTH})(?:[ _,;.]|[ ]*\n|\z)",
        0.9,
        plain=True,
    ),
    Sign(
        "before a time of day",
        r"[a-z:,.] ([A-Z]{2,3}) (?:@ ?)?(?:[01]\d|2[0-3]):?[0-5]\d(?:[^0-9/]|\z)",
        0.75,
        rare=True,
    ),
    Sign(
        "two in small letters",
        r"(?::[ ]|[.][ ]{1,2}|[ ]{2}|\n)([a-z]{2,3}/[a-z]{2,3})(?:[ ]*\n|\z|[.,;])",
        0.8,
        rare=True,
    ),
    Sign(
        "small after capitals",
        r"(?:^|[\n .])[A-Z]{2,4}/([a-z]{2,3})(?:[ ,;.]|\n|\z)",
        0.75,
        rare=True,
    ),
    Sign("small before capitals", r"(?:^|\n|[.] {1,2}|[ ]{2})([a-z]{2,3})/[A-Z]", 0.75, rare=True),
    Sign(
        "who did it, small letters",
        rf"(?i:\b(?:{ACTS})(?: by)?)[ :]{{1,2}}([a-z]{{2,3}})(?:[ ]*\n|[ ,.;:)/|]|\z)",
        0.82,
        acted=True,
        pair=True,
        rare=True,
    ),
    Sign(
        "who did it, capitals",
        rf"(?i:\b(?:{ACTS})(?: by)?|\b[a-z]{{4,}}ed by|\bd/w)[ :]{{1,2}}([A-Z]{{2,3}})(?:[ ]*\n|[ ,.;:)/|]|\z)",
        0.82,
        acted=True,
        rare=True,
    ),
    Sign(
        "small in brackets", r"[a-z0-9.,] \(([a-z]{2,3})(?:\)|, [a-z0-9]| and I\b)", 0.8, rare=True
    ),
    Sign("dash after a sentence", rf"[.!?)] ?--?({BOTH})[ ]*(?:\n|\z)", 0.92),
    Sign(
        "signed, whatever the letters mean",
        rf"(?i:\b(?:{SIGNING})(?: by)?)[ :]{{1,2}}([a-z]{{2,3}}|[A-Z]{{2,3}})(?:[ ]*\n|[ ,.;:)/]|\z)",
        0.9,
    ),
    Sign(
        "after a clock, small letters",
        r"\b(?:[01]\d|2[0-3]):?[0-5]\d[ ]+([a-z]{2,3})[ ]*(?:\n|\z)",
        0.7,
        rare=True,
    ),
    Sign(
        "by, whatever the letters mean",
        r"\b(?:by|BY|By|told|d/w) ([a-z]{2}|[A-Z]{2})(?:[ ]*\n|\z|[.,;:)]| and | in )",
        0.9,
        acted=True,
    ),
    Sign("after a lone slash", r" / ?([a-z]{2,3})[ ]*(?:\n|\z)", 0.7, rare=True),
    Sign("small before a full stop", r"[a-z0-9)], ([a-z]{2,3})\. [A-Z]", 0.7),
    Sign(
        "after what was done",
        r"[a-z]{3,}ed ([a-z]{2})(?:[ ]*\n|\z)",
        0.75,
        acted=True,
        pair=True,
        rare=True,
    ),
    Sign(
        "two in small letters, dated",
        r"[ \n]([a-z]{2,3} ?/ ?[a-z]{2,3}) {1,2}(?:\d{1,2}/\d|[012]\d[0-5]\d\b)",
        0.7,
        rare=True,
    ),
    Sign(
        "small after a credential",
        r"\b(?:MD|DO|RN|NP|PA-C|LPN|CNM|DPM|ARNP),? {1,3}/ ?([a-z]{2,3})(?:[ ]*\n|\z| /)",
        0.8,
        rare=True,
    ),
    Sign("last of a row", r"[a-z]{2,3} / ([a-z]{2,3}|[A-Z]{2,3})[ ]*(?:\n|\z)", 0.8, rare=True),
    Sign(
        "entry of a log",
        r"(?:^|\n)[ *]*(?:\d{1,2}[:.]?\d\d ?(?:[ap]m?)?|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?)(?: \d{1,2}:?\d\d[ap]?)?[ :]{1,3}([a-z]{2,3}|[A-Z]{2}): ?[A-Za-z]",
        0.75,
        rare=True,
    ),
    Sign(
        "before what a person does",
        r"(?:^|[\n;:(,|] ?|[.!?] {1,2})([A-Z]{2,3}) (?:says|said|told|calls|gave|agrees|approves|reran|talked|asked|asks|rang|covers|covering|took|texted|wrote|wrapped|MISSED|and I|will call)\b",
        0.9,
        acted=True,
    ),
    Sign(
        "before what a person or a service does",
        r"(?:^|[\n;:(,|*] ?|[.!?] {1,2}|\d[ap]?: )([A-Z]{2,3}) (?:called|missed|following|to call|done|here|sent|paged)\b",
        0.75,
        acted=True,
        service=True,
    ),
    Sign(
        "before their credential, after an act",
        rf"(?i:\b(?:wit|witness(?:ed)?|verified|w/|with|by|recheck)[.:]? |[a-z] ?/ )([A-Z]{{2}}) {ROLE}\b",
        0.8,
        rare=True,
    ),
    Sign("transcriber", rf"(?:^|\n|[ ;])(?:T|TR|Tr|tr):[ ]?({LOW})(?:[ ]*\n|[ ]{{2,}}|\z)", 0.85),
    Sign(
        "dotted, with an age",
        r"(?:^|[\n \t|])((?:[A-Z]\.[ ]?){1,2}(?:[A-Z]\.|[A-Z]'[A-Z]\.)) (?:is an? )?\d{1,3}[ -]?(?:[MF]\b|y)",
        0.9,
        plain=True,
    ),
    Sign("dotted", rf"(?:^|[ (\[\n\"*/])({DOTTED})(?:[ ,;:)\]\n\"]|\z)", 0.5),
    Sign(
        "dotted person",
        rf"\b(?i:patient|pt|client|resident|student|for|of|bed for|re|mother|father|sister|brother|roommate|partner|named?)[ :]+({DOTTED})",
        0.8,
    ),
)
