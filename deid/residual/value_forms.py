"""The forms of each kind of known value: names, addresses, dates, numbers, codes.

Only identifying forms are used. A form that any chart may hold for other reasons needs evidence
next to it; a form made of everyday words is not looked for by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache

from deid.residual.folding import fold_text, letter_and_digit_runs
from deid.residual.forms import (
    ANYWHERE,
    CODE,
    DATED,
    LABELED,
    OWN,
    PLAIN,
    POSTAL,
    RAISED,
    SPLIT,
    ValueForm,
    are_everyday,
    everyday_and_clinical_words,
    everyday_words,
    listed_words,
    word_groups,
)
from deid.residual.person_name_forms import (
    PLACEHOLDER_WORDS,
    name_forms,
    organization_forms,
    person_forms,
)
from recognizers import KnownValue
from safe_harbor import Identifier as I
from safe_harbor import is_state

_SAME = tuple(map(frozenset, word_groups("same")))
_STREET_KIND = frozenset(listed_words("street"))
_LETTERED = frozenset((I.VEHICLES, I.LICENSES, I.OTHERS, I.BIOMETRICS, I.PHOTOS))
_MONTH_WORDS = listed_words("month")
_IN_WORDS = "date in words"
_MODALS = frozenset(listed_words("modal"))
_READERS = (
    (re.compile(r"^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)"), (0, 1, 2)),
    (re.compile(r"^(\d{4})(\d{2})(\d{2})(?:\d{4,6})?$"), (0, 1, 2)),
    (re.compile(r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})"), (2, 0, 1)),
    (re.compile(r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2})(?!\d)"), (2, 0, 1)),
)
# `10-Mar-58`, as Oracle writes dates, and `10MAR1958`, as SAS does.
_DAY_MONTH_YEAR = re.compile(r"^(\d{1,2})[ ./-]?([a-z]{3})[a-z]*[ ,./-]*(\d{4}|\d{2})(?!\d)")
_NAMED_FIRST = re.compile(r"^([a-z]{3})[a-z]*[ ./-]+(\d{1,2})(?:st|nd|rd|th)?[ ,./-]+(\d{4})")


def forms_of(known: Iterable[KnownValue]) -> Iterator[ValueForm]:
    """The forms of all known values of one patient."""
    parts: dict[tuple[str, str], list[list[str]]] = {}
    for value in known:
        text = value.value.strip()
        words = letter_and_digit_runs(text)
        if not words or set(words) <= PLACEHOLDER_WORDS or len(set("".join(words))) < 2:
            continue
        if value.identifier is I.NAMES:
            if value.part in ("first", "last", "middle", "preferred", "maiden"):
                parts.setdefault((value.role, value.part), []).append(words)
            elif value.part != "suffix":
                yield from name_forms(value, text, words)
        elif value.part != "comment":
            yield from _other_forms(value, text, words)
    for role in {role for role, _ in parts}:
        yield from person_forms({part: w for (r, part), w in parts.items() if r == role})


def _other_forms(value: KnownValue, text: str, words: list[str]) -> Iterator[ValueForm]:
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
        yield from _number_forms(word, "".join(words))
        if len("".join(words)) >= 9:
            yield ValueForm("".join(words)[-4:], word, OWN, LABELED, "last four")
    else:
        yield from _code_forms(word, words)


def _place_forms(value: KnownValue, text: str, words: list[str]) -> Iterator[ValueForm]:
    part = value.part
    if part == "state" or is_state(text):
        return
    digits = "".join(words)
    if part == "zip" or re.fullmatch(r"\d{4,5}(?:-?\d{4})?", text):
        five = (digits.zfill(5) if len(digits) < 6 else digits.zfill(9))[:5]
        if not digits.isdigit():
            yield ValueForm(digits, I.PLACES, OWN, PLAIN, "postal code")
        elif len(set(five)) > 1:
            yield ValueForm(five, I.PLACES, OWN, POSTAL, "postal code")
    elif part == "county":
        yield ValueForm(digits.removesuffix("county") + "county", I.PLACES, OWN, RAISED, "county")
    elif part in ("street", "unit") or words[0].isdigit():
        yield from _street_forms(text)
    elif part == "city":
        if len(digits) > 3 and not are_everyday(words):
            yield ValueForm(digits, I.PLACES, OWN, PLAIN, "town", whole=len(words) == 1)
        elif len(words) > 1:
            yield ValueForm(digits, I.PLACES, OWN, RAISED, "town")
    else:
        for piece in re.split(r"[,;\n]", text):
            if not is_state(piece.strip()):
                yield from organization_forms(letter_and_digit_runs(piece), I.PLACES)


def _street_forms(text: str) -> Iterator[ValueForm]:
    words = letter_and_digit_runs(
        re.split(r"(?i),|\n|\b(?:apt|apartment|unit|suite|ste|room|rm)\b|#", text)[0]
    )
    box = re.search(r"(?i)\bbox\s*(\d+)", text)
    if box and len(box[1]) > 1:
        yield ValueForm(f"box{box[1]}", I.PLACES, OWN, PLAIN, "box")
    name = [w for w in words if not w.isdigit()]
    telling = [w for w in name if w not in _STREET_KIND and w not in ("p", "o", "po", "box")]
    if words and words[0].isdigit() and telling and len(telling[0]) > 2:
        stop = 1 + next(i for i, w in enumerate(words) if w == telling[-1])
        key = "".join(words[:stop])
        wide = ANYWHERE if len(key) > 7 and not are_everyday(telling) else OWN
        yield ValueForm(key, I.PLACES, wide, PLAIN, "street address")
        for kind in _street_kinds(words[stop : stop + 1]):
            yield ValueForm(key + kind, I.PLACES, ANYWHERE, PLAIN, "street address")
    if len(name) > 1 and telling and not are_everyday(telling):
        yield ValueForm("".join(name), I.PLACES, OWN, PLAIN, "street")


def _street_kinds(words: list[str]) -> frozenset[str]:
    """The spellings of a word such as `street` after a street name."""
    return frozenset(w for same in _SAME if words and words[0] in same for w in same)


def _date_forms(value: KnownValue, text: str) -> Iterator[ValueForm]:
    day = None if value.part == "age" else _known_day(text)
    if day is not None:
        yield from day_forms(day)


def known_days(known: Iterable[KnownValue]) -> set[int]:
    """The days among a patient's values that have forms, as numbers for `day_forms`."""
    days = {
        _known_day(value.value.strip())
        for value in known
        if value.identifier is I.DATES and value.part not in ("age", "comment")
    }
    return {day for day in days if day is not None}


@lru_cache(maxsize=1 << 14)
def _known_day(text: str) -> int | None:
    """A known date as a number: twice its ordinal, plus one if its year has two digits."""
    day = parse_known_date(text)
    if day is None or day.year in (1900, 1901, 9999):
        return None
    return 2 * day.toordinal() + (f"{day.year}" not in text)


@lru_cache(maxsize=1 << 12)
def day_forms(number: int) -> tuple[ValueForm, ...]:
    """The forms of a day, given as a number of `known_days`."""
    whole, short = _month_names(date.fromordinal(number // 2).month)
    return tuple(
        ValueForm(key, I.DATES, OWN, DATED, "date")
        if key.isdigit()
        else ValueForm(key, I.DATES, OWN, _needs_of(whole if whole in key else short), _IN_WORDS)
        for key in day_keys(number)
    )


def _needs_of(month: str) -> str:
    """The evidence that a month needs: a capital, if its name is also another word (`may`)."""
    return RAISED if month in _MODALS else PLAIN


def day_keys(number: int) -> set[str]:
    """The keys of the forms of a day, given as a number of `known_days`."""
    day, short = date.fromordinal(number // 2), number % 2
    m, d, of_century = f"{day.month}", f"{day.day}", f"{day.year % 100:02}"
    years = (f"19{of_century}", f"20{of_century}") if short else (f"{day.year}",)
    keys = set(_named_day_keys(day.month, day.day))
    for mm, dd in ((m, d), (m.zfill(2), d.zfill(2))):
        for yy in (*years, of_century):
            keys |= {mm + dd + yy, yy + mm + dd, dd + mm + yy}
    return keys


@lru_cache(maxsize=366)
def _named_day_keys(month: int, day: int) -> frozenset[str]:
    nth = f"{day}{_ordinal_form(day)}", f"{day:02}{_ordinal_form(day)}"
    return frozenset(
        key
        for name in _month_names(month)
        for dd, th in zip((f"{day}", f"{day:02}"), nth, strict=True)
        for key in (name + dd, dd + name, th + name, f"{th}of{name}", f"{dd}of{name}")
    )


def _month_names(month: int) -> tuple[str, str]:
    name = _MONTH_WORDS[month - 1]
    return name, name[:3]


def _ordinal_form(day: int) -> str:
    """The ending of an ordinal number: 1st, 2nd, 3rd, 4th."""
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def parse_known_date(text: str) -> date | None:
    """Parse a known date; a two-digit year is taken as 20yy.

    The result is None if it is not a date.
    """
    text = fold_text(text).strip().lower()
    for pattern, (y, m, d) in _READERS:
        if match := pattern.match(text):
            return _date(int(match[y + 1]), int(match[m + 1]), int(match[d + 1]))
    short = [month[:3] for month in _MONTH_WORDS]
    if (match := _DAY_MONTH_YEAR.match(text)) and match[2] in short:
        return _date(int(match[3]), short.index(match[2]) + 1, int(match[1]))
    if (match := _NAMED_FIRST.match(text)) and match[1] in short:
        return _date(int(match[3]), short.index(match[1]) + 1, int(match[2]))
    return None


def _date(year: int, month: int, day: int) -> date | None:
    year += 2000 if year < 100 else 0
    for m, d in ((month, day), (day, month)):
        try:
            return date(year, m, d)
        except ValueError:
            continue
    return None


def _number_forms(word: I, digits: str) -> Iterator[ValueForm]:
    """A number with and without its leading zeros."""
    for key in {digits, digits.lstrip("0")}:
        if len(key) > 4:
            yield ValueForm(key, word, ANYWHERE if len(key) > 8 else OWN, PLAIN, "number")


def _phone_forms(word: I, words: list[str]) -> Iterator[ValueForm]:
    digits = "".join(words).lstrip("0")
    if not digits.isdigit() or len(digits) < 7:
        return
    local = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    for key in {digits, local, "1" + local}:
        yield ValueForm(key, word, ANYWHERE if len(key) > 9 else OWN, PLAIN, "number")
    yield ValueForm(local[-7:], word, OWN, SPLIT, "number without area code")


def _email_forms(text: str, words: list[str]) -> Iterator[ValueForm]:
    if "@" not in text:
        return
    yield ValueForm("".join(words), I.EMAILS, ANYWHERE, PLAIN, "address")
    local = letter_and_digit_runs(text.partition("@")[0])
    key = "".join(local)
    if len(key) > 5 and not (len(local) == 1 and key in everyday_and_clinical_words()):
        yield ValueForm(key, I.EMAILS, OWN, PLAIN, "local part")


def _url_forms(text: str) -> Iterator[ValueForm]:
    bare = re.sub(r"(?i)^[a-z][a-z0-9+.-]*://(?:www\.)?", "", text).rstrip("/")
    tail = letter_and_digit_runs(bare.rsplit("/", 1)[-1])
    key = "".join(letter_and_digit_runs(bare))
    if len(key) > 4:
        yield ValueForm(key, I.URLS, ANYWHERE if len(key) > 9 else OWN, PLAIN, "address")
    last = "".join(tail)
    if len(last) > 4 and last not in everyday_and_clinical_words():
        yield ValueForm(last, I.URLS, OWN, PLAIN, "user name")


def _code_forms(word: I, words: list[str]) -> Iterator[ValueForm]:
    key = "".join(words)
    if key.isdigit():
        yield from _number_forms(word, key)
        return
    mixed = any(c.isdigit() for c in key)
    # A plan or an account without a digit is the name of an insurer, not a number.
    if len(key) > 4 and (mixed or (word in _LETTERED and key not in everyday_words())):
        yield ValueForm(key, word, ANYWHERE if len(key) > 7 and mixed else OWN, PLAIN, CODE)
    rest = "".join(words[1:])
    if not words[0].isdigit() and rest.isdigit() and len(rest) > 5:
        yield ValueForm(rest, word, OWN, PLAIN, "code without its letters")
