"""Replaces a date by another one in the same form, or in another form of the same precision."""

from __future__ import annotations

import random
import re

from training.words import read_words

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ORDINALS = frozenset(read_words("ordinals"))
HOLIDAYS = read_words("holidays")
FULL_FORMS = read_words("dates_full")
SHORT_FORMS = read_words("dates_short")
# Other orders of day, month and year, and the forms of full and short dates in each order.
ORDERS = ("", "british", "iso")
ORDERED = {
    "british": (
        ("{dd}/{mm}/{y}", "{d}/{m}/{yy}", "{dd}.{mm}.{y}", "{d}.{m}.{yy}", "{dd}-{mm}-{y}"),
        ("{d}/{m}", "{d}/{m}", "{dd}/{mm}", "{d}.{m}"),
    ),
    "iso": (("{y}-{mm}-{dd}", "{y}-{mm}-{dd}", "{y}{mm}{dd}", "{y}/{mm}/{dd}"), ("{mm}-{dd}",)),
}
FULL = re.compile(r"\s*\d{1,4}\s?[/.-]\s?\d{1,2}\s?[/.-]\s?\d{1,4}\s*")
SHORT = re.compile(r"\d{1,2}[/-]\d{1,2}")
NUMBER_OR_WORD = re.compile(r"\d+|[^\W\d_]+\.?")


def write(form: str, chance: random.Random) -> str:
    """A random date in the given form."""
    day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1935, 2026)
    if chance.random() < 0.6:
        year = chance.randint(2010, 2026)
    name, th = (
        MONTHS[month - 1],
        {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in (11, 12, 13) else 0, "th"),
    )
    return form.format(
        d=day, dd=f"{day:02}", m=month, mm=f"{month:02}", y=year, yy=f"{year % 100:02}",
        Month=name, Mon=name[:3], MON=name[:3].upper(), th=th, Day=chance.choice(DAYS))  # fmt: skip


def refill_date(text: str, chance: random.Random, order: str = "") -> str:
    """Another date for `text`; a fifth of the time in another form, or in the given order."""
    if order and (FULL.fullmatch(text) or SHORT.fullmatch(text)):
        return write(chance.choice(ORDERED[order][SHORT.fullmatch(text) is not None]), chance)
    other_form = chance.random() < 0.2
    if FULL.fullmatch(text) and other_form:
        return write(chance.choice(FULL_FORMS), chance)
    if SHORT.fullmatch(text) and other_form:
        return write(chance.choice(SHORT_FORMS), chance)
    for holiday in HOLIDAYS:
        if text.lower() == holiday.lower():
            return _case(text, chance.choice(HOLIDAYS))
    parts = [len(p) for p in re.findall(r"\d+", text)]
    return NUMBER_OR_WORD.sub(lambda m: _part(m, parts, text, chance), text)


def _part(match: re.Match[str], sizes: list[int], text: str, chance: random.Random) -> str:
    part = match.group()
    if part.isdigit():
        return _number(part, match.start() == 0 and len(sizes) > 1, chance)
    bare = part.rstrip(".").lower()
    for words in (MONTHS, DAYS):
        for word in words:
            if bare == word.lower():
                return _case(part, chance.choice(words))
            if len(bare) in (3, 4) and word.lower().startswith(bare):
                return _case(part, chance.choice(words)[:3]) + ("." if part.endswith(".") else "")
    if bare in ORDINALS:
        return _case(part, chance.choice(sorted(ORDINALS)))
    return part


def _number(part: str, month: bool, chance: random.Random) -> str:
    if len(part) == 4 and part[:2] in ("19", "20"):
        return str(
            chance.randint(2008, 2026) if chance.random() < 0.6 else chance.randint(1935, 2026)
        )
    if len(part) > 2:
        return "".join(chance.choice("0123456789") for _ in part)
    if int(part) > 31:
        return f"{chance.randint(32, 99)}"
    fresh = chance.randint(1, 12 if month else 28)
    if part[0] == "0":
        return f"{fresh:02}"
    return str(fresh)


def _case(model: str, text: str) -> str:
    bare = model.rstrip(".")
    if bare.isupper():
        return text.upper()
    return text.lower() if bare.islower() else text
