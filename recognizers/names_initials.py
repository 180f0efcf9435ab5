# ruff: noqa: E501 -- a pattern reads best on one line
"""(A) Initials that name a person: signatures, dictation footers, scribes, log entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recognizers import gazetteers
from recognizers.names_evidence import NEVER, STOPS, vocabulary
from recognizers.page import Page
from recognizers.rules import Hit, RuleRecognizer, matches

PERSON = "PERSON"
LOW, BOTH = r"[a-z]{2,4}", r"(?:[a-z]{2,3}|[A-Z]{2,4})"
DOTTED = r"[A-Za-z]\. ?[A-Za-z]\.(?: ?[A-Za-z]\.)?|[A-Z]\.[A-Z]\b"
ROLE = r"(?i:rn|lpn|lvn|cna|ma|md|do|np|pa|fnp|coa|rt|rph|tech|emt|medic|crt|rrt|pct|sw|msw|cm)"
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
    ("slash at the end", rf"[ a-z0-9.]/({BOTH})[ ]*(?:\n|\z)", 0.6),
    (
        "by",
        rf"\b(?i:by|by:|by :|per|taken|witness(?:ed)?|marked|initialed|drafted|check(?:ed)? w/|read back|rb|init)[ ]+({LOW}|{DOTTED})(?:[ ]*\n|\z|[.,;)])",
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
        rf"\b(?:[DTdt]{{1,2}}|DICT|TRANS|Tr)[: ]{{1,3}}(?:\d{{1,2}}[/-]\d{{1,2}}[/-]\d{{2,4}}|\d{{6}})(?:[ @]+\d{{1,2}}:?\d\d(?::\d\d)?(?:[ ]?[APap][Mm])?)?[ ]{{0,3}}/?[ ]?({BOTH})(?:[ _,;.]|[ ]*\n|\z)",
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


class NamesInitials(RuleRecognizer):
    word = "names_initials"

    def entities(self) -> Sequence[str]:
        return (PERSON,)

    def load(self) -> None:
        for _, regex, _ in RULES:
            next(matches(regex, Page.of("")), None)

    def more(self, page: Page) -> Iterator[Hit]:
        for name, regex, score in RULES:
            for start, end in matches(regex, page):
                letters = re.sub(r"[^A-Za-z]", "", page.text[start:end]).lower()
                if letters in NEVER or (name not in PLAIN and vocabulary(letters)):
                    continue
                if name == "dotted" and sure(page, start, end):
                    score = 0.9
                yield Hit(start, end, PERSON, dictated(page, start, end, name, score), name)
        yield from columns(page)
        yield from recurring(page)
        yield from explained(page)


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
        return 0.92 if not any(map(gazetteers.common_word, parts)) else score
    if name != "dictation footer":
        return score
    left, right = page.line(page.row(start))
    low = re.search(r"[/:][ ]?[a-z]{2,4}$", page.text[start:end])
    near = re.search(r"(?i)\b(?:d|t|dd|dt|job|dict\w*|trans\w*)\b ?[:#]", page.text[left:right])
    late = start > len(page.text) * 0.6
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
            if match and match.group(1).lower() not in STOPS:
                yield Hit(*match.span(1), PERSON, 0.9, "column of initials")


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
LEGEND = r"(?:^|\n|[ ]{2}|\t|[|;,] ?)([A-Z]{2,3})(?:[ ]{1,4}|[ ]?[=:-][ ]?)([A-Z][A-Za-z.]*(?: [A-Z][A-Za-z.'-]*){1,2})"


def explained(page: Page) -> Iterator[Hit]:
    """Initials beside the name they stand for, and then wherever they fill a cell."""
    text = page.text
    told: set[str] = set()
    for start, end in matches(LEGEND, page):
        name = re.match(
            r"[ =:-]+([A-Z][A-Za-z.]*(?: [A-Z][A-Za-z.'-]*){1,2})", text[end : end + 40]
        )
        words = re.findall(r"[A-Z][A-Za-z'-]*", name.group(1)) if name else []
        letters = text[start:end]
        if [w[0] for w in words[: len(letters)]] == list(letters) and (
            gazetteers.surname(words[len(letters) - 1])
        ):
            told.add(letters)
    for start, end in matches(CAPITALS, page) if told else ():
        if text[start:end] in told:
            yield Hit(start, end, PERSON, 0.9, "initials explained")
