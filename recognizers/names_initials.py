# ruff: noqa: E501 -- a pattern reads best on one line
"""(A) Initials that name a person: signatures, dictation footers, scribes, log entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recognizers import gazetteers
from recognizers.names_entries import entries
from recognizers.names_evidence import DOTTED_FORMS, NEVER, SHORT_FORMS, STOPS, ordinary, vocabulary
from recognizers.page import Page
from recognizers.rules import Hit, RuleRecognizer, matches

PERSON = "PERSON"
LOW, BOTH = r"[a-z]{2,4}", r"(?:[a-z]{2,3}|[A-Z]{2,4})"
DOTTED = r"[A-Za-z]\. ?[A-Za-z]\.(?: ?[A-Za-z]\.)?|[A-Z]\.[A-Z]\b"
ROLE = r"(?i:rn|lpn|lvn|cna|ma|md|do|np|pa|fnp|coa|rt|rph|tech|emt|medic|crt|rrt|pct|sw|msw|cm)"
ACTS = (
    r"wit\.?|witness(?:ed)?|signed|initiall?ed|closed|prepared|entered|coded|logged|typed|keyed|checked|updated|recorder|scorer|screener|sonog|sonographer|coder|circ|scrub|"
    r"cosign(?:ed)?|rcvd|rec'?d|rev'?d|reviewed|minutes|opr|operator|phleb|drawn|read back|rb|wasted|recount|counted|poured|uploaded|charted|scribed|att'?d|faxed|phoned|mailed|sig"
)
SIGNING = r"witness(?:ed)?|wit\.|initiall?ed|prepared|coded|scorer|screener|recorder|cosign(?:ed)?|keyed|scribed|minutes|sonog|opr"
RULES: tuple[tuple[str, str, float], ...] = (
    (
        "after their label",
        rf"(?i:\b(?:initials?|init|tr|trans|transcribed by|transcriptionist|typed by|typist|typed|scribed? by|scribe|dict|dictated|psychometrist))[ ]?[:._ ]{{1,4}}({BOTH}|{DOTTED})(?:[ _,;.]|[ ]*\n|[_/:]|\z)",
        0.9,
    ),
    ("dictation footer", r"(?:^|\n|[ .;/])((?:[A-Z]{2,4}(?:[/:][ ]?[A-Za-z]{2,4})+))\b", 0.6),
    ("second of a footer", r"(?:^|\n|[ ])[A-Z]{2,5}[/:]([a-z]{2,3})(?:[ ]*\n|\z|[ ]{2})", 0.9),
    ("first of a footer", r"(?:^|\n)[ ]*([A-Z]{2,4})[/:][a-z]{2,3}(?:[ ]*\n|\z|[ ]{2})", 0.9),
    ("after a slash at the start", rf"(?:^|\n)[ ]*/({LOW}):{LOW}", 0.85),
    ("dash at the end", rf"(?:--|~|[ .]-|\n-)[ ]?({BOTH})[ ]*(?:\n|\z)", 0.8),
    ("slash at the end", rf"[ a-z0-9.]/ ?({BOTH})[ ]*(?:\n|\z)", 0.6),
    (
        "by",
        rf"\b(?i:by|by:|by :|per|taken|witness(?:ed)?|marked|initialed|drafted|check(?:ed)? w/|read back|rb|init)[ ]+({LOW}|{DOTTED})(?:[ ]*\n|\z|[.,;:)]| and )",
        0.75,
    ),
    (
        "by, capitals",
        r"\b(?i:by|by:|by :|per|w/|with|cosign|witness(?:ed)?|attn)[ ]+([A-Z]{2,3})(?:[ ]*\n|\z|[.,;)])",
        0.55,
    ),
    (
        "said to be initials",
        r"(?i:\binitials?)[ :]{1,3}([A-Z]{2,3}|[A-Z]\.[A-Z]\.|[A-Z]-[A-Z])(?:[^A-Za-z0-9]|\z)",
        0.9,
    ),
    ("middle initial", r"\b(?:MI|M\.I\.|[Mm]iddle [Ii]nitial)[ _]*[:=][ _]*([A-Z])\b", 0.9),
    ("after a time", rf"\b\d{{1,2}}:?\d\d[ ]?(?:[ap]m?|h|hrs)?[ ]+({BOTH})[ ]*(?:\n|\z)", 0.7),
    ("after a clock", r"\b\d{1,2}:\d\d(?::\d\d)?(?:[ ]?[ap]m)?[ ]+([A-Z]{2,3})[ ]*(?:\n|\z)", 0.9),
    ("after a date", rf"\b\d{{1,2}}[/-]\d{{1,2}}(?:[/-]\d{{2,4}})?[ ]+({BOTH})[ ]*(?:\n|\z)", 0.65),
    ("before their credential", rf"(?:^|[\n/(]|[ ]{{2}}|-|: |\. )({BOTH})[ ]{ROLE}\b", 0.75),
    (
        "before a comma and their credential",
        r"(?:^|\n|[ ]{2}|--|- )[ ]*([A-Z]{2,3}|[a-z]{2,3})[ ]?, ?(?:RN|LPN|LVN|NP|FNP|MD|DO|PA-C|LMSW|LCSW|MSW|APRN|ARNP|CRNA|CNM|IBCLC|PharmD|RPh|RRT|RD|DPT|PsyD|PhD)\b",
        0.92,
    ),
    (
        "dotted after a dash",
        r"[a-z0-9.)] ?(?:-|--) ?((?:[A-Z]\.){2,3})(?:[)\n]|[ ]*\n|[ ]*\z)",
        0.92,
    ),
    (
        "before their rank",
        r"\b(?:by|w/|with|per) ([A-Z]{2,3}) \((?:R[1-5]|PGY-?\d|RN|NP|PA|MD|MS[34]|tech|fellow|resident|attending)\)",
        0.95,
    ),
    (
        "letter of a writer",
        r"(?i:\b(?:thx|thanks|thank you|ty|xo+|love|best|cheers)|\n[ ]*\n)[,.!]*[ ]*\n*[ ]*([A-Z])\.?[ ]*(?:\z|\n[ ]*\n>)",
        0.92,
    ),
    (
        "who wrote a section",
        r"\b(?i:dh|rdh|mins|minutes|written by|entered|entry|charted|recorded|noted|drawn|counted|poured|given|quality ck|qa|qc|ck|ckd)[: ]{1,2}([a-z]{2,3})(?:[ ]*\n|[ ]*\z|[ ]+\d{1,2}/\d{1,2})",
        0.85,
    ),
    ("last word of all", r"[.!?)][ ]{1,3}([A-Z]{2,3}|[a-z]{2,3})[ ]*\n*\z", 0.7),
    ("before the next dated line", r"[a-z.)] ([a-z]{2,3})[ ]*\n\d{1,2}/\d{1,2}[ /]", 0.5),
    ("alone in a line", r"(?:^|\n)[ ]*([A-Z]{2,3}|[A-Z]\.[A-Z]\.)[ ]*(?:\n|\z)", 0.55),
    ("alone at the end", r"\n[ ]*([A-Z]{2,3}|[a-z]{2,3})[ ]*\n*\z", 0.7),
    ("signed at the end", r"\n[ ]*([A-Z]{2,3})[ ]*\n*\z", 0.9),
    ("quoted", r"\"([A-Z]{2}|[A-Z]\.[A-Z]\.)\"", 0.6),
    (
        "after a stamp",
        rf"\b(?:[DTdt]{{1,2}}|DICT|TRANS|Tr|dict|trans)[: ]{{1,3}}(?:\d{{1,2}}[/-]\d{{1,2}}(?:[/-]\d{{2,4}})?|\d{{6}})(?:[ @]+\d{{1,2}}:?\d\d(?::\d\d)?(?:[ ]?[APap][Mm])?)?[ ]{{0,3}}/?[ ]?({BOTH})(?:[ _,;.]|[ ]*\n|\z)",
        0.9,
    ),
    (
        "before a time of day",
        r"[a-z:,.] ([A-Z]{2,3}) (?:@ ?)?(?:[01]\d|2[0-3]):?[0-5]\d(?:[^0-9/]|\z)",
        0.75,
    ),
    (
        "two in small letters",
        r"(?::[ ]|[.][ ]{1,2}|[ ]{2}|\n)([a-z]{2,3}/[a-z]{2,3})(?:[ ]*\n|\z|[.,;])",
        0.8,
    ),
    ("small after capitals", r"(?:^|[\n .])[A-Z]{2,4}/([a-z]{2,3})(?:[ ,;.]|\n|\z)", 0.75),
    ("small before capitals", r"(?:^|\n|[.] {1,2}|[ ]{2})([a-z]{2,3})/[A-Z]", 0.75),
    (
        "who did it, small letters",
        rf"(?i:\b(?:{ACTS})(?: by)?)[ :]{{1,2}}([a-z]{{2,3}})(?:[ ]*\n|[ ,.;:)/|]|\z)",
        0.82,
    ),
    (
        "who did it, capitals",
        rf"(?i:\b(?:{ACTS})(?: by)?|\b[a-z]{{4,}}ed by|\bd/w)[ :]{{1,2}}([A-Z]{{2,3}})(?:[ ]*\n|[ ,.;:)/|]|\z)",
        0.82,
    ),
    ("small in brackets", r"[a-z0-9.,] \(([a-z]{2,3})(?:\)|, [a-z0-9]| and I\b)", 0.8),
    ("dash after a sentence", rf"[.!?)] ?--?({BOTH})[ ]*(?:\n|\z)", 0.92),
    (
        "signed, whatever the letters mean",
        rf"(?i:\b(?:{SIGNING})(?: by)?)[ :]{{1,2}}([a-z]{{2,3}}|[A-Z]{{2,3}})(?:[ ]*\n|[ ,.;:)/]|\z)",
        0.9,
    ),
    (
        "after a clock, small letters",
        r"\b(?:[01]\d|2[0-3]):?[0-5]\d[ ]+([a-z]{2,3})[ ]*(?:\n|\z)",
        0.7,
    ),
    (
        "by, whatever the letters mean",
        r"\b(?:by|BY|By|told|d/w) ([a-z]{2}|[A-Z]{2})(?:[ ]*\n|\z|[.,;:)]| and | in )",
        0.9,
    ),
    ("after a lone slash", r" / ?([a-z]{2,3})[ ]*(?:\n|\z)", 0.7),
    ("small before a full stop", r"[a-z0-9)], ([a-z]{2,3})\. [A-Z]", 0.7),
    ("after what was done", r"[a-z]{3,}ed ([a-z]{2})(?:[ ]*\n|\z)", 0.75),
    (
        "two in small letters, dated",
        r"[ \n]([a-z]{2,3} ?/ ?[a-z]{2,3}) {1,2}(?:\d{1,2}/\d|[012]\d[0-5]\d\b)",
        0.7,
    ),
    (
        "small after a credential",
        r"\b(?:MD|DO|RN|NP|PA-C|LPN|CNM|DPM|ARNP),? {1,3}/ ?([a-z]{2,3})(?:[ ]*\n|\z| /)",
        0.8,
    ),
    ("last of a row", r"[a-z]{2,3} / ([a-z]{2,3}|[A-Z]{2,3})[ ]*(?:\n|\z)", 0.8),
    (
        "entry of a log",
        r"(?:^|\n)[ *]*(?:\d{1,2}[:.]?\d\d ?(?:[ap]m?)?|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?)(?: \d{1,2}:?\d\d[ap]?)?[ :]{1,3}([a-z]{2,3}|[A-Z]{2}): ?[A-Za-z]",
        0.75,
    ),
    (
        "before what a person does",
        r"(?:^|[\n;:(,|] ?|[.!?] {1,2})([A-Z]{2,3}) (?:says|said|told|calls|gave|agrees|approves|reran|talked|asked|asks|rang|covers|covering|took|texted|wrote|wrapped|MISSED|and I|will call)\b",
        0.9,
    ),
    (
        "before what a person or a service does",
        r"(?:^|[\n;:(,|*] ?|[.!?] {1,2}|\d[ap]?: )([A-Z]{2,3}) (?:called|missed|following|to call|done|here|sent|paged)\b",
        0.75,
    ),
    (
        "before their credential, after an act",
        rf"(?i:\b(?:wit|witness(?:ed)?|verified|w/|with|by|recheck)[.:]? |[a-z] ?/ )([A-Z]{{2}}) {ROLE}\b",
        0.8,
    ),
    ("transcriber", rf"(?:^|\n|[ ;])(?:T|TR|Tr|tr):[ ]?({LOW})(?:[ ]*\n|[ ]{{2,}}|\z)", 0.85),
    (
        "dotted, with an age",
        r"(?:^|[\n \t|])((?:[A-Z]\.[ ]?){1,2}(?:[A-Z]\.|[A-Z]'[A-Z]\.)) (?:is an? )?\d{1,3}[ -]?(?:[MF]\b|y)",
        0.9,
    ),
    ("dotted", rf"(?:^|[ (\[\n\"*/])({DOTTED})(?:[ ,;:)\]\n\"]|\z)", 0.5),
    (
        "dotted person",
        rf"\b(?i:patient|pt|client|resident|student|for|of|bed for|re|mother|father|sister|brother|roommate|partner|named?)[ :]+({DOTTED})",
        0.8,
    ),
)


# Where the place says that they are initials, a short form of the clinic is one, too.
PLAIN = frozenset(
    [
        "signed at the end",
        "after a stamp",
        "dotted, with an age",
        "said to be initials",
        "middle initial",
        "before their rank",
        "letter of a writer",
        "dotted after a dash",
        "before a comma and their credential",
    ]
)


ACTED = (
    "before what a person does",
    "before what a person or a service does",
    "by, whatever the letters mean",
    "by, capitals",
    "who did it, small letters",
    "who did it, capitals",
    "after what was done",
)
# Upon such a word two letters are a person's, if they are no service and no route.
UPON = frozenset(["who did it, small letters", "after what was done"])
ROUTES_LISTED = "ip nl po iv im sq sl pr ng gt pt ot st rn md np pa hr wk mo kg lb cm mm ml dl bp ex qd qh hs ok rx tx dx hx fx bx sx yr hd hh ph am pm no to so up on at in of it is be us we he me my go do or as an if la el en de et al"
ROUTES = frozenset(ROUTES_LISTED.split())
# What answers a page without being a person.
SERVICES_LISTED = "ir ep hf nh hh mh cv id gi gu er ed or ct us nm gs vs hr bh cc cm sw ic ac it bc um cd dc pd fd da"
SERVICES = frozenset(SERVICES_LISTED.split())


class NamesInitials(RuleRecognizer):
    word = "names_initials"

    def entities(self) -> Sequence[str]:
        return (PERSON,)

    def load(self) -> None:
        for _, regex, _ in RULES:
            next(matches(regex, Page.of("")), None)

    def more(self, page: Page) -> Iterator[Hit]:
        for name, regex, usual in RULES:
            for start, end in matches(regex, page):
                score = usual
                letters = re.sub(r"[^A-Za-z]", "", page.text[start:end]).lower()
                if letters in NEVER or (name not in PLAIN and vocabulary(letters)):
                    continue
                if "." in page.text[start:end] and letters in DOTTED_FORMS:
                    continue
                if name in ACTED and letters in SERVICES | ROUTES:
                    continue
                if name in UPON and len(letters) == 2 and letters not in SERVICES | ROUTES:
                    score = max(score, 0.9)
                if name == ACTED[1] and letters in SHORT_FORMS:
                    continue
                if name == "dotted" and sure(page, start, end):
                    score = 0.9
                yield Hit(start, end, PERSON, dictated(page, start, end, name, score), name)
        yield from columns(page)
        yield from initial_rows(page)
        yield from paired(page)
        yield from recurring(page)
        yield from explained(page)
        yield from entries(page)


DOTTED_CAPITALS = r"\b((?:[A-Z]\.){2,})"
PLACES_LISTED = "us ny nj nc nd nm nh sc sd wv ri dc pr uk la ad bc pm am ph st mt ps od os ou qs fn hs sq ac pc"
PLACES = frozenset(PLACES_LISTED.split())


def sure(page: Page, start: int, end: int) -> bool:
    """Are two dotted capitals initials here? Not where the text dots its short forms, too."""
    value = page.text[start:end]
    letters = value.replace(".", "").replace(" ", "")
    if len(letters) != 2 or not value.isupper() or not value.endswith("."):
        return False
    if letters.lower() in PLACES:
        return False
    others = {page.text[a:b].replace(".", "").lower() for a, b in matches(DOTTED_CAPITALS, page)}
    return sum(map(vocabulary, others)) < 2


# Surer where the letters are no word at all.
RARE = frozenset(
    [
        "after a lone slash",
        "who did it, small letters",
        "who did it, capitals",
        "after what was done",
        "after a clock, small letters",
        "small in brackets",
        "two in small letters, dated",
        "small after a credential",
        "last of a row",
        "entry of a log",
        "before their credential, after an act",
        "dash at the end",
        "by, capitals",
        "last word of all",
        "before the next dated line",
        "by",
        "before a time of day",
        "two in small letters",
        "small after capitals",
        "small before capitals",
    ]
)


def dictated(page: Page, start: int, end: int, name: str, score: float) -> float:
    """A footer is sure near `D:` and `T:`, late in the text or alone in its line."""
    if name in RARE:
        parts = re.findall(r"[A-Za-z]+", page.text[start:end])
        plain = [p for p in parts if gazetteers.common_word(p) or p.lower() in SHORT_FORMS]
        return score if plain else 0.92
    if name != "dictation footer":
        return score
    left, right = page.line(page.row(start))
    low = re.search(r"[/:][ ]?[a-z]{2,4}$", page.text[start:end])
    near = re.search(r"(?i)\b(?:d|t|dd|dt|job|dict\w*|trans\w*)\b ?[:#]", page.text[left:right])
    late = start > len(page.text) * 0.6
    said = low and (": " in low.group() or gazetteers.common_word(low.group().strip("/: ")) > 14)
    if said and not near:  # `GI: soft`, and no footer
        return 0.2
    return 0.9 if low and late and (near or right - left < 60) else 0.45


HEADED = r"(?i)(?:^|[\t|\n]|  )[ *_#]*(init(?:ial)?s?\.?|prov(?:ider)?|by|nurse|rn|staff|tech|signed)[ :*_]*(?:$|[\t|\n\r]|  )"
CELL = re.compile(r"[ _*]*((?:[A-Z]{2,3}|[a-z]{2,3})(?:/(?:[A-Z]{2,3}|[a-z]{2,3}))?)[ _*]*$")


def columns(page: Page) -> Iterator[Hit]:
    """The cells under a header such as `Init`, if all of them are letters alone."""
    for start, end in matches(HEADED, page):
        cells = [
            (left, CELL.match(page.text, left, right)) for left, right in page.below(start, end)
        ]
        if len(cells) < 2 or sum(match is not None for _, match in cells) * 3 < len(cells) * 2:
            continue
        for _, match in cells:
            if match and match.group(1).lower() not in STOPS | NEVER:
                yield Hit(*match.span(1), PERSON, 0.9, "column of initials")


INIT_ROW = r"(?i)(?:^|\n)[ \t|]*init(?:ial)?s?\b[ :]*([ \t|]{1,}[^\n]{4,})"
LETTERS = re.compile(r"\b(?:[A-Z]{2,3}|[a-z]{2,3})\b")


def initial_rows(page: Page) -> Iterator[Hit]:
    """The cells beside a head such as `INIT`, if all of them are letters alone."""
    for start, end in matches(INIT_ROW, page):
        cells = page.text[start:end].replace("|", " ").split()
        if len(cells) > 1 and all(LETTERS.fullmatch(c) for c in cells):
            for match in LETTERS.finditer(page.text, start, end):
                yield Hit(*match.span(), PERSON, 0.9, "row of initials")


PAIR = r"(?:[ ]{2}|[|\t][ ]?)([A-Z]{2}/[A-Za-z][a-z]+)(?:[ ]{2}|[ ]*[|\t\n]|\z)"


def paired(page: Page) -> Iterator[Hit]:
    """`SZ/Patrice` in a column of staff: initials and a given name, in two rows or more."""
    spans = list(matches(PAIR, page))
    known = [gazetteers.first_name(page.text[start + 3 : end]) > 6 for start, end in spans]
    if sum(known) < 2:
        return
    for start, end in spans:
        if page.text[start + 3 : end].lower() not in STOPS:
            yield Hit(start, end, PERSON, 0.9, "initials and given name")


LINE_END = r"(?:[.)] |[ ]{2}|[a-z0-9],? |/)([a-z]{2,3}|[A-Z]{2,3})[ ]*(?:\n|\z)"


def recurring(page: Page) -> Iterator[Hit]:
    """The letters that end three lines or more, as whoever keeps a log signs each entry."""
    ends: dict[str, list[tuple[int, int]]] = {}
    for start, end in matches(LINE_END, page):
        ends.setdefault(page.text[start:end].lower(), []).append((start, end))
    for letters, spans in ends.items():
        rare = not gazetteers.common_word(letters)
        if len(spans) > 2 - rare and not vocabulary(letters):
            for start, end in spans:
                yield Hit(start, end, PERSON, 0.9, "recurring at line ends")


CAPITALS = r"\b([A-Z]{2,3})\b"
NAMED = r"[A-Z][A-Za-z.'-]*(?: [A-Z][A-Za-z.'-]*){1,2}"
LEGENDS = (
    rf"(?:^|\n|[ ]{{2}}|\t|[|;,] ?)([A-Z]{{2,3}}|[a-z]{{2,3}})(?:[ ]{{1,4}}|[ ]?[=:-][ ]?){NAMED}",
    rf"\b([A-Z]{{2,3}}|[a-z]{{2,3}})\"? {{0,3}}(?:\(|=|\(= ?|\(?i\.e\. |\(?that'?s |for |is )(?:Dr\.? )?{NAMED}",
)
AFTER_NAME = rf"({NAMED}) ?\(=? ?\"?(?:[A-Z]{{2,3}}|[a-z]{{2,3}})\"?\)"
TOLD = re.compile(rf"[\" =:(-]*(?:i\.e\. |that'?s |for |is )?(?:Dr\.? )?({NAMED})")
BRACKETED = re.compile(r" ?\(=? ?\"?([A-Za-z]{2,3})\"?\)")


def explained(page: Page) -> Iterator[Hit]:
    """Initials beside the name they stand for, and then everywhere; spreading takes the others."""
    text = page.text
    told: set[str] = set()
    for number, regex in enumerate(LEGENDS):
        for start, end in matches(regex, page):
            name, letters = TOLD.match(text, end), text[start:end]
            if name and stand_for(letters, name.group(1)):
                if number == 0 or not vocabulary(letters.lower()):
                    told.add(letters)
                yield Hit(start, end, PERSON, 0.9, "initials explained")
    for start, end in matches(AFTER_NAME, page):
        row = BRACKETED.match(text, end)
        if row and stand_for(row.group(1), text[start:end]):
            if not vocabulary(row.group(1).lower()):
                told.add(row.group(1))
            yield Hit(*row.span(1), PERSON, 0.9, "initials explained")
    for start, end in matches(CAPITALS, page) if told else ():
        if text[start:end] in told:
            yield Hit(start, end, PERSON, 0.9, "initials explained")


def stand_for(letters: str, name: str) -> bool:
    """Does the name begin with these letters, word by word, and is it a person's?"""
    told = re.findall(r"[A-Z][A-Za-z'-]*", name)
    rows = (told[: len(letters)], told[-len(letters) :])
    words = next((r for r in rows if [w[0] for w in r] == list(letters.upper())), None)
    if words is None or letters.lower() in NEVER - {"pt"}:
        return False
    return bool(gazetteers.surname(words[-1])) and not (ordinary(words[0]) and ordinary(words[-1]))
