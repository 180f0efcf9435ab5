"""The forms in which a known value would show that it was left, for the independent search.

Written apart from the recognizers on purpose: no code and no normalisation is shared with what
took the values out. A form is letters and digits alone, folded; punctuation, case, accents and
spacing make no difference to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.resources import files

from recognizers import KnownValue
from safe_harbor import Identifier as I
from safe_harbor import is_state

ANYWHERE, OWN = "anywhere", "own"
"""Where a form counts: in every record, or in the records of its own patient."""
PLAIN, RAISED, SPLIT, LABELLED, DATED = "", "raised", "split", "labelled", "dated"
INVERTED, POSTAL = "inverted", "postal"
"""What must be seen beside the letters: nothing, capitals, separators within, a label before,
the three parts of a date that is no piece of a longer row, capitals (in a line of capitals a comma
between), or five digits that are neither a part of a longer figure nor a count, a charge or a
procedure code."""

_DROPPED = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
_ODD = str.maketrans(
    dict(zip("øØłŁđĐıðÐ", "oOlLdDidD", strict=True))
    | {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH"}
)
_WORD = re.compile(r"[a-z]+|[0-9]+")
_TITLE = re.compile(r"(?i)^\s*(?:(?:mr|mrs|ms|miss|dr|prof|rev)\b\.?\s*)+")
_DEGREE = re.compile(
    r"(?i)[\s,]+(?:m\.?d|d\.?o|ph\.?d|r\.?n|n\.?p|pa-?c|esq|dds|lpn|lcsw|licsw|licensed|rd|aud|"
    r"rhit|cnm|aprn|crna|pharmd|jr|sr|ii|iii|iv)\b\.?"
)


def _words(kind: str) -> tuple[str, ...]:
    lines = (files("deid") / "residual_words.txt").read_text("utf-8").splitlines()
    return tuple(w for line in lines if line.split()[0] == kind for w in line.split()[1:])


def _groups(kind: str) -> tuple[frozenset[str], ...]:
    lines = (files("deid") / "residual_words.txt").read_text("utf-8").splitlines()
    return tuple(frozenset(line.split()[1:]) for line in lines if line.split()[0] == kind)


_SAME = _groups("same")
_STREET_KIND = frozenset(_words("street"))
_FIRM_KIND = frozenset(_words("firm"))
_NOTHING = frozenset(_words("nothing"))
# `Stage III` is not a part of `Smith III`.
_NUMERALS = frozenset(("ii", "iii", "iv"))
_LETTERED = frozenset((I.VEHICLES, I.LICENSES, I.OTHERS, I.BIOMETRICS, I.PHOTOS))
_MONTHS = _words("month")
_MODALS = frozenset(_words("modal"))


@dataclass(frozen=True, slots=True)
class Form:
    """Folded letters and digits to look for, where they count, and on what evidence.

    `whole` is for values of one word: two everyday words that only together spell it are not it.
    """

    key: str = field(repr=False)
    word: I
    scope: str
    needs: str
    kind: str
    whole: bool = False


def simple(text: str) -> str:
    """Text without accents and invisible characters, its case kept."""
    if text.isascii():
        return text
    text = _DROPPED.sub("", text.translate(_ODD))
    return _MARKS.sub("", unicodedata.normalize("NFKD", text))


def pieces(value: str) -> list[str]:
    """Runs of letters and runs of digits, folded."""
    return _WORD.findall(simple(value).lower())


@cache
def everyday() -> frozenset[str]:
    """Words and eponyms that say nothing of a person by themselves."""
    import gzip

    words = files("recognizers") / "words"
    common = gzip.decompress((words / "english" / "words.txt.gz").read_bytes()).decode().split()
    eponyms = (words / "known" / "eponyms.txt").read_text("utf-8")
    return frozenset(common) | frozenset(
        word for line in eponyms.splitlines() if line[:1] != "#" for word in line.split()
    )


@cache
def vocabulary() -> frozenset[str]:
    """The everyday words, and those of diagnoses and drugs."""
    import lzma

    path = files("recognizers") / "words" / "clinical" / "items.txt.xz"
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    return everyday() | frozenset(line for line in lines if line[:1] != "#")


def all_everyday(words: Iterable[str]) -> bool:
    """Whether every word is one that notes use as a word, or too short to tell."""
    return all(word in everyday() or len(word) < 3 for word in words)


def forms_of(known: Iterable[KnownValue]) -> Iterator[Form]:
    """The forms of all that is known of one patient."""
    parts: dict[tuple[str, str], list[list[str]]] = {}
    for value in known:
        text = value.value.strip()
        words = pieces(text)
        if not words or set(words) <= _NOTHING or len(set("".join(words))) < 2:
            continue
        if value.identifier is I.NAMES:
            if value.part in ("first", "last", "middle", "preferred", "maiden"):
                parts.setdefault((value.role, value.part), []).append(words)
            elif value.part != "suffix":
                yield from _name_forms(value, text, words)
        elif value.part != "comment":
            yield from _other_forms(value, text, words)
    for role in {role for role, _ in parts}:
        yield from _person_forms({part: w for (r, part), w in parts.items() if r == role})


# -- names -----------------------------------------------------------------------------------


def _person_forms(parts: dict[str, list[list[str]]]) -> Iterator[Form]:
    """First and last together in both orders; each part by itself if it is no everyday word."""
    firsts = parts.get("first", []) + parts.get("preferred", [])
    lasts = parts.get("last", []) + parts.get("maiden", [])
    for first in firsts:
        for last in lasts:
            for middle in [[], *parts.get("middle", [])]:
                yield from _pair(first, last, middle)
    for words in (w for group in parts.values() for w in group):
        yield from _alone(words)


def _pair(first: list[str], last: list[str], middle: list[str]) -> Iterator[Form]:
    plain = all_everyday((*first, *last))
    initial = [word[0] for word in middle[:1]]
    scope = OWN if plain or len("".join(first + last)) < 8 else ANYWHERE
    for mid in {tuple(middle), tuple(initial), ()}:
        for order in ((*first, *mid, *last), (*last, *first, *mid)):
            inverted = order[0] != first[0]
            needs = (INVERTED if inverted else RAISED) if plain else PLAIN
            kind = "name in another order" if inverted else "name"
            yield Form("".join(order), I.NAMES, scope, needs, kind)


def _alone(words: list[str]) -> Iterator[Form]:
    whole = "".join(words)
    if len(words) > 1 and not all_everyday(words):
        yield Form(whole, I.NAMES, OWN, PLAIN, "part of a name")
    for word in {*words, whole} - _NUMERALS:
        if len(word) > 2 and not word.isdigit() and word not in everyday() and word not in _NOTHING:
            needs = RAISED if len(word) < 4 else PLAIN
            yield Form(word, I.NAMES, OWN, needs, "part of a name", whole=True)


def _name_forms(value: KnownValue, text: str, words: list[str]) -> Iterator[Form]:
    if value.part == "organization" or value.role == "employer":
        yield from _firm(words, I.NAMES)
        return
    text = _DEGREE.sub(" ", _TITLE.sub("", text)).strip(" ,")
    if "," in text:
        last, _, first = (pieces(side) for side in text.partition(","))
    else:
        tokens = text.split()
        cut = max(len(tokens) - 1, 0)
        first, last = pieces(" ".join(tokens[:cut])), pieces(" ".join(tokens[cut:]))
    if not first or not last:
        yield from _alone(first + last)
        return
    yield from _pair(first[:1], last, first[1:])
    if len(first) > 1:
        yield from _pair(first, last, [])
    if value.role != "provider":
        yield from _alone(last)
        for word in first:
            yield from _alone([word])


def _firm(words: list[str], word: I) -> Iterator[Form]:
    while len(words) > 1 and words[-1] in _FIRM_KIND:
        words = words[:-1]
    key = "".join(words)
    if len(words) > 1:
        yield Form(
            key, word, OWN, RAISED if all_everyday(words) else PLAIN, "name of a place or firm"
        )
    elif len(key) > 4 and key not in vocabulary():
        yield Form(key, word, OWN, PLAIN, "name of a place or firm", whole=True)


# -- everything else ---------------------------------------------------------------------------


def _other_forms(value: KnownValue, text: str, words: list[str]) -> Iterator[Form]:
    word = value.identifier
    if word is I.PLACES:
        yield from _place_forms(value, text, words)
    elif word is I.DATES:
        yield from _date_forms(value, text)
    elif word in (I.PHONES, I.FAXES):
        yield from _phone_forms(word, words)
    elif word is I.EMAILS:
        yield from _email_forms(text, words)
    elif word is I.URLS:
        yield from _url_forms(text)
    elif word is I.SSNS:
        yield from _number(word, "".join(words))
        if len("".join(words)) >= 9:
            yield Form("".join(words)[-4:], word, OWN, LABELLED, "last four")
    else:
        yield from _code_forms(word, words)


def _place_forms(value: KnownValue, text: str, words: list[str]) -> Iterator[Form]:
    part = value.part
    if part == "state" or is_state(text):
        return
    digits = "".join(words)
    if part == "zip" or re.fullmatch(r"\d{4,5}(?:-?\d{4})?", text):
        five = (digits.zfill(5) if len(digits) < 6 else digits.zfill(9))[:5]
        if not digits.isdigit():
            yield Form(digits, I.PLACES, OWN, PLAIN, "postal code")
        elif len(set(five)) > 1:
            yield Form(five, I.PLACES, OWN, POSTAL, "postal code")
    elif part == "county":
        yield Form(digits.removesuffix("county") + "county", I.PLACES, OWN, RAISED, "county")
    elif part in ("street", "unit") or words[0].isdigit():
        yield from _street_forms(text)
    elif part == "city":
        if len(digits) > 3 and not all_everyday(words):
            yield Form(digits, I.PLACES, OWN, PLAIN, "town", whole=len(words) == 1)
        elif len(words) > 1:
            yield Form(digits, I.PLACES, OWN, RAISED, "town")
    else:
        for piece in re.split(r"[,;\n]", text):
            if not is_state(piece.strip()):
                yield from _firm(pieces(piece), I.PLACES)


def _street_forms(text: str) -> Iterator[Form]:
    words = pieces(re.split(r"(?i),|\n|\b(?:apt|apartment|unit|suite|ste|room|rm)\b|#", text)[0])
    box = re.search(r"(?i)\bbox\s*(\d+)", text)
    if box and len(box[1]) > 1:
        yield Form(f"box{box[1]}", I.PLACES, OWN, PLAIN, "box")
    name = [w for w in words if not w.isdigit()]
    telling = [w for w in name if w not in _STREET_KIND and w not in ("p", "o", "po", "box")]
    if words and words[0].isdigit() and telling and len(telling[0]) > 2:
        stop = 1 + next(i for i, w in enumerate(words) if w == telling[-1])
        key = "".join(words[:stop])
        wide = ANYWHERE if len(key) > 7 and not all_everyday(telling) else OWN
        yield Form(key, I.PLACES, wide, PLAIN, "street address")
        for kind in _kinds(words[stop : stop + 1]):
            yield Form(key + kind, I.PLACES, ANYWHERE, PLAIN, "street address")
    if len(name) > 1 and telling and not all_everyday(telling):
        yield Form("".join(name), I.PLACES, OWN, PLAIN, "street")


def _kinds(words: list[str]) -> frozenset[str]:
    """How `street` may be written that stands after a name."""
    return frozenset(w for same in _SAME if words and words[0] in same for w in same)


def _date_forms(value: KnownValue, text: str) -> Iterator[Form]:
    day = read_date(text)
    if value.part == "age" or day is None or day.year in (1900, 1901, 9999):
        return
    y, m, d = day.year, day.month, day.day
    month = _MONTHS[m - 1]
    for mm, dd in {(f"{m}", f"{d}"), (f"{m:02}", f"{d:02}")}:
        for yy in (f"{y}", f"{y % 100:02}"):
            for key in (mm + dd + yy, yy + mm + dd, dd + mm + yy):
                yield Form(key, I.DATES, OWN, DATED, "date")
    for name in {month, month[:3]}:
        for dd in {f"{d}", f"{d:02}"}:
            for key in (name + dd, dd + name, f"{dd}th{name}", f"{dd}thof{name}", f"{dd}of{name}"):
                needs = RAISED if name in _MODALS else PLAIN
                yield Form(key, I.DATES, OWN, needs, "date in words")


_READERS = (
    (re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})"), (0, 1, 2)),
    (re.compile(r"^(\d{4})(\d{2})(\d{2})(?:\d{4,6})?$"), (0, 1, 2)),
    (re.compile(r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})"), (2, 0, 1)),
    (re.compile(r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2})(?!\d)"), (2, 0, 1)),
)
_NAMED = re.compile(r"^(\d{1,2})[ -]([a-z]{3})[a-z]*[ -,]+(\d{2,4})")
_NAMED_FIRST = re.compile(r"^([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")


def read_date(text: str) -> date | None:
    """A known date; two-digit years count only by their digits. None where it is none."""
    text = simple(text).strip().lower()
    for pattern, (y, m, d) in _READERS:
        if match := pattern.match(text):
            return _date(int(match[y + 1]), int(match[m + 1]), int(match[d + 1]))
    short = [month[:3] for month in _MONTHS]
    if (match := _NAMED.match(text)) and match[2] in short:
        return _date(int(match[3]), short.index(match[2]) + 1, int(match[1]))
    if (match := _NAMED_FIRST.match(text)) and match[1] in short:
        return _date(int(match[3]), short.index(match[1]) + 1, int(match[2]))
    return None


def _date(year: int, month: int, day: int) -> date | None:
    year += 1900 if 27 <= year < 100 else 2000 if year < 27 else 0
    for m, d in ((month, day), (day, month)):
        try:
            return date(year, m, d)
        except ValueError:
            continue
    return None


def _number(word: I, digits: str) -> Iterator[Form]:
    """A number whole and without its leading zeros."""
    for key in {digits, digits.lstrip("0")}:
        if len(key) > 4:
            yield Form(key, word, ANYWHERE if len(key) > 8 else OWN, PLAIN, "number")


def _phone_forms(word: I, words: list[str]) -> Iterator[Form]:
    digits = "".join(words).lstrip("0")
    if not digits.isdigit() or len(digits) < 7:
        return
    local = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    for key in {digits, local, "1" + local}:
        yield Form(key, word, ANYWHERE if len(key) > 9 else OWN, PLAIN, "number")
    yield Form(local[-7:], word, OWN, SPLIT, "number without area code")


def _email_forms(text: str, words: list[str]) -> Iterator[Form]:
    if "@" not in text:
        return
    yield Form("".join(words), I.EMAILS, ANYWHERE, PLAIN, "address")
    local = pieces(text.partition("@")[0])
    key = "".join(local)
    if len(key) > 5 and not (len(local) == 1 and key in vocabulary()):
        yield Form(key, I.EMAILS, OWN, PLAIN, "local part")


def _url_forms(text: str) -> Iterator[Form]:
    bare = re.sub(r"(?i)^[a-z][a-z0-9+.-]*://(?:www\.)?", "", text).rstrip("/")
    tail = pieces(bare.rsplit("/", 1)[-1])
    key = "".join(pieces(bare))
    if len(key) > 4:
        yield Form(key, I.URLS, ANYWHERE if len(key) > 9 else OWN, PLAIN, "address")
    last = "".join(tail)
    if len(last) > 4 and last not in vocabulary():
        yield Form(last, I.URLS, OWN, PLAIN, "user name")


def _code_forms(word: I, words: list[str]) -> Iterator[Form]:
    key = "".join(words)
    if key.isdigit():
        yield from _number(word, key)
        return
    mixed = any(c.isdigit() for c in key)
    # A plan or an account without a digit is the name of an insurer, not a number.
    if len(key) > 4 and (mixed or (word in _LETTERED and key not in everyday())):
        yield Form(key, word, ANYWHERE if len(key) > 7 and mixed else OWN, PLAIN, "code")
    rest = "".join(words[1:])
    if not words[0].isdigit() and rest.isdigit() and len(rest) > 5:
        yield Form(rest, word, OWN, PLAIN, "code without its letters")
