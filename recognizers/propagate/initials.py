# ruff: noqa: E501 -- a pattern reads best on one line
"""Finds the initials of a person named in full, or found once, wherever initials are used.

Letters that are also clinical abbreviations (`PT`, `RA`, `OB`) count only where a person signs,
acts or is addressed; letters without another meaning count wherever they are written the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from recognizers.constants import constant
from recognizers.evidence.word_evidence import (
    NAME_SUFFIXES,
    NEVER_NAMES,
    SHORT_FORMS,
    vocabulary,
)
from recognizers.finding import PERSON, Finding
from recognizers.words import gazetteers
from recognizers.words.expressions import SHARED
from recognizers.words.gazetteers import plain_list
from safe_harbor import Identifier

PIECE = re.compile(r"[A-Z]{2,4}|[a-z]{2,3}|(?:[A-Z]\.){1,2}[A-Z]\.?|(?:[a-z]\.){1,2}[a-z]\.?")
UNWRITTEN_LISTED = "ml mg kg cm mm lb oz mo wk sn vm SN VM VIS CK ck lab wt ht bp hr rr sat nl gr"
# Letters, as written, that are never learned as initials. Our own list.
UNWRITTEN = frozenset(UNWRITTEN_LISTED.split())
# Clinical abbreviations that are never initials, in whatever case.
CALENDAR = frozenset(["am", "pm", "rx", "dx", "hx", "tx", "sx", "dob", "npo", "prn"])
JOINTS = re.compile(r"[ ]*[/:+&,][ ]*")


def initials_of(name: str) -> set[str]:
    """The initials of a name, with and without the middle ones; LAST, FIRST is reordered."""
    words = [w for w in re.findall(r"[^\W\d_]+", name) if w.lower() not in NAME_SUFFIXES]
    letters = [w[0].upper() for w in words if w[0].isupper()]
    if not 2 <= len(letters) <= 4 or all(len(w) < 3 and w.isupper() for w in words):
        return set()
    if "," in name:
        letters = letters[1:] + letters[:1]
    return {"".join(letters), letters[0] + letters[-1]}


def letters_of(value: str) -> set[str]:
    """Return the initials in a found value, as written: `KB`, or `ws` and `bc` of `ws/bc`."""
    pieces = JOINTS.split(value)
    if len(pieces) == 1 and re.fullmatch(r"[A-Z]{2}(?: [A-Z]{2})+", value):
        pieces = value.split()
    rows = {p.replace(".", "") for p in pieces if PIECE.fullmatch(p)}
    return {row for row in rows if not (is_never_initials(row) or lettered_word(row))}


def is_never_initials(row: str) -> bool:
    return row in NEVER_NAMES or row in UNWRITTEN or row.lower() in CALENDAR


def lettered_word(piece: str) -> bool:
    """Whether the piece is a name or a word of three letters or more rather than initials."""
    return len(piece) > 2 and bool(
        gazetteers.common_word(piece) or gazetteers.first_name(piece) or gazetteers.surname(piece)
    )


INITIALS = re.compile(r"(?<![\w.'\u2019@])([A-Za-z]{2,4}|(?:[A-Za-z]\.){1,2}[A-Za-z]\b\.?)(?![\w@]|['\u2019](?!s\b)|\.\w|-\w)")  # fmt: skip
LEFT_CONTEXT = 24
INITIALS_SCORE = constant("propagation", "score of initials")
STATE_CODE = re.compile(SHARED.texts["STATES"])
# The text beside a state's code: its town, its licenses and plates, a ZIP code.
POSTAL_LEFT = re.compile(r"(?i)[a-z][,.]? ?$|\b(?:in|from|to|of) $")
POSTAL_RIGHT = re.compile(r"(?i),? ?(?:\d|lic|DL|plate|medicaid|state|DOC|DOH|registry|PDMP)")
SIGNING_VERBS = r"says?|said|told|asks?|asked|calls?|called|gave|wants?|took|takes|here|aware|notified|approves|approved|agrees|done|ok'?d|thinks|read|reran|wrapped|checked|covering|updated|paged|texted|wrote|drew|held|sent|boosted|met|verified|measured|confirms|confirmed|applied|placed|removed|pulled|pronounced|released|counted|will|is|has|had|assisting|on (?:nights|days|call)"
SIGNING_CREDENTIALS = r"RN|LPN|LVN|CNA|MD|DO|PA(?:-[CS])?|NP|RT|MA|PharmD|RPh|LCSW|MSW|PTA?|COT|CRNA|RPSGT|PGY-?\d|MS[34]"
# Words with which a person acts, is addressed or signs: enough even for clinical abbreviations.
ACTING_LEFT = re.compile(
    r"(?i)(?:\b(?:by|per|told|asked|d/w|wit\.?|witness(?:ed)?|signed|sign|initialed|initials|rb|reviewed|checked|scribed?|scorer|screener|recorder|sonog|cc|corrected|verified|counted|wasted|pending|typed|text|tell)[: ]{1,2}|(?:\u2192|->) ?)$"
)
ACTING_RIGHT = re.compile(
    rf"(?: (?:{SIGNING_VERBS})\b|['\u2019]s\b| ?(?:\u2192|->)| (?:{SIGNING_CREDENTIALS})\b|, (?:{SIGNING_CREDENTIALS})\b| \((?:CA-?\d|{SIGNING_CREDENTIALS})\)| to (?:call|return|see|do|repeat|check|text|page|ask|order|follow|fax|f/u)\b)"
)
ENTRY_START = re.compile(
    r"(?:^|[\n|>]|\b\d{1,2}[:.]?\d\d(?: ?[ap]m?)?|\b\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?)[ \t]*$"
)
# A person's act at a time: `2145 KD turned pt`.
CLOCK_LEFT = re.compile(r"(?:^|[\n;,|] ?|[ ]{2}|\d )(?:[01]\d|2[0-3]):?[0-5]\d[ ]$")
CLOCK_RIGHT = re.compile(r"[;,]| [a-z]{2}|[ ]?\n|$")
COLON_RIGHT = re.compile(r":[ \n]|:$")
CELL_LEFT = re.compile(r"(?:^|[\n\t|]|  )[ ]?$")
CELL_RIGHT = re.compile(r"[ ]?(?:$|[\r\n\t|]|  )")
# What stands to the left and to the right of initials where a person acts.
ACTING_PLACES = (
    (ENTRY_START, COLON_RIGHT),
    (CLOCK_LEFT, CLOCK_RIGHT),
    (CELL_LEFT, CELL_RIGHT),
)
# A cell between numbers is a rhythm or grade (`60   AF   16`), even if an Alice Ford is named.
FIGURES_LEFT, FIGURES_RIGHT = re.compile(r"\d[ ]*[ \t|]{2,}$"), re.compile(r"[ \t|]{2,}[<>]?\d")
# The text beside initials, but also beside abbreviations.
SIGNED_LEFT = re.compile(
    r"(?i)(?:\b(?:w/|with|for|to|and|tech|thx|thanks|team|ok|pass|done)[ ]?|[(/_+&] ?|(?:^|[ \n(])(?:--?|\u2014) ?|\n[ ]*|  |\d[ap]?m? |: |[.;,)] )$"
)
SIGNED_RIGHT = re.compile(r"[)\]/,.;:_+&]|[ ]*(?:$|\n|  )|[ ]/| \d{1,2}[/:]?\d\d")


def find_initials(text: str, named: frozenset[str], seen: frozenset[str]) -> Iterable[Finding]:
    """Findings of known initials: `named` of full names, in capitals, and `seen` as found."""
    if not named and not seen:
        return
    loud = {letters.upper() for letters in seen}
    yield from companions(text, loud)
    both = named | loud
    both |= {letters.lower() for letters in both}
    if both.isdisjoint(row.replace(".", "") for row in set(INITIALS.findall(text))):
        return
    for match in INITIALS.finditer(text):
        written = match.group().replace(".", "")
        if (
            written not in both
            or is_never_initials(written)
            or (written == "to" and written not in seen)
        ):
            continue
        left, right = text[max(0, match.start() - LEFT_CONTEXT) : match.start()], text[match.end() : match.end() + LEFT_CONTEXT]  # fmt: skip
        if written in ZONES and CLOCK_END.search(left):
            continue
        dotted = written != match.group() and not vocabulary(written.lower())
        if dotted or stands_as_initials(written, left, right, named, seen, loud):
            yield Finding(*match.span(), Identifier.NAMES, PERSON, INITIALS_SCORE, "spread")


# After an hour these are time zones, even if a person has these initials.
ZONES = frozenset(["EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "HST"])
CLOCK_END = re.compile(r"\d:?\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)? $")


SLASHED = re.compile(r"(?<![\w.@/-])([A-Z]{2,4}|[a-z]{2,4}) ?/ ?([A-Z]{2,4}|[a-z]{2,4})(?![\w@/-])")
# Letters beside initials and a slash that are no initials: credentials, roles, form fields.
POSTS = plain_list("names/beside_initials")


def companions(text: str, loud: set[str]) -> Iterable[Finding]:
    """Yield the unknown initials in a pair with known ones: `KD/rt`, `st / jw`."""
    for match in SLASHED.finditer(text) if loud else ():
        one, two = match.groups()
        if (one.upper() in loud) == (two.upper() in loud):
            continue
        unknown = 2 if one.upper() in loud else 1
        written = match.group(unknown)
        if len(written) < 4 and not is_never_initials(written) and written.lower() not in POSTS:
            yield Finding(*match.span(unknown), Identifier.NAMES, PERSON, INITIALS_SCORE, "spread")


def stands_as_initials(
    written: str, left: str, right: str, named: frozenset[str], seen: frozenset[str], loud: set[str]
) -> bool:
    """Whether these letters are a person's initials at this place."""
    letters = written.upper()
    sure = acting(left, right) or in_row_of_initials(left, right, loud)
    known = vocabulary(written.lower())
    if (known or ambiguous(written)) and written not in seen and figured(left, right):
        return False
    if known:
        return (written in seen or letters in named) and sure
    plain = not ambiguous(written) and (letters in loud or written.isupper() or len(letters) > 2)
    if STATE_CODE.fullmatch(written):
        return sure or (plain and not POSTAL_LEFT.search(left) and not POSTAL_RIGHT.match(right))
    if sure or plain:
        return True
    place = bool(SIGNED_LEFT.search(left) and SIGNED_RIGHT.match(right))
    joined = left.endswith("/") or right.startswith("/")
    return place and (written.isupper() or letters in loud or joined)


def figured(left: str, right: str) -> bool:
    """Whether the letters fill a cell between two cells of numbers."""
    return bool(FIGURES_LEFT.search(left) and FIGURES_RIGHT.match(right))


def ambiguous(written: str) -> bool:
    """Whether these letters are also an abbreviation or a word."""
    return written.lower() in SHORT_FORMS or lettered_word(written)


def acting(left: str, right: str) -> bool:
    """Whether a person signs, acts or answers here."""
    if ACTING_LEFT.search(left) or ACTING_RIGHT.match(right):
        return True
    return any(before.search(left) and after.match(right) for before, after in ACTING_PLACES)


def in_row_of_initials(left: str, right: str, loud: set[str]) -> bool:
    """Whether the letters are beside known initials in a list: `ws / BC`, `PT, HB, ED`."""
    before = re.search(r"(?<![\w.])([A-Za-z]{2,4})[ ]?[/,&+][ ]?$", left)
    after = re.match(r"[ ]?[/,&+][ ]?([A-Za-z]{2,4})(?![\w.])", right)
    return any(m is not None and m.group(1).upper() in loud for m in (before, after))
