# ruff: noqa: E501 -- a pattern reads best on one line
"""Statements from which a birth year follows: ages in a year, dated events, spans of years.

Each statement is a fact for `safe_harbor.bound_birth`, which computes bounds on the birth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from recognizers.evidence.matching import matches, matches_of
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.expressions import SHARED
from recognizers.words.life_events import wordings
from safe_harbor import AgeAt, LifeEvent, PartialDate, life_events, read_age

Told = tuple[int, int, AgeAt]
"""Start and end of a value in the page, and the fact about a birth that the value states."""

_YEAR = r"(?:18|19|20)\d\d"
_ANY_YEAR = rf"(?:{_YEAR}|'\d\d)"
_TENS, _SMALL = (
    SHARED.texts["TENS"].removesuffix("|ninety"),
    f"{SHARED.texts['UNITS']}|{SHARED.texts['TEENS']}".removeprefix("one|"),
)
_SPELT = rf"(?:(?:{_TENS})(?:[- ](?:{SHARED.texts['UNITS']}))?|{_SMALL})"
_COUNT = rf"(?:[1-8]\d|\d|{_SPELT})"
_OLD = r"(?:[ -]?(?:y\.?/?o\.?\b|yrs?[ -]?old|years?[ -]old|years? of age|yrs?\b|y\b))"
_WHO = r"(?:he|she|they|pt|patient|i|who|mom|mother|dad|father)"
_AT = rf"(?:at(?: the)?(?: age)?(?: of)?|@|age[ds]?(?: of)?|(?:when )?{_WHO} (?:was|were|turned)(?: only| about| age| already)?|when|turned|was|being)"
_IN = r"(?:back |around |about )?(?:in|during|of|circa|c\.|year|on)(?: the year)?"
# An age with its year. Only age and year together reveal a birth year, so the value is both.
_TOGETHER = (
    # `age 20 in 1950`, `at 65 in 1964`, `aged 22 (1950)`
    rf"(?i)\b(?:at(?: the)? age(?: of)?|age[ds]?(?: of| at [a-z]+)?|aged?:?|at) ({_COUNT}{_OLD}?,?(?: {_IN} | ?\(| ?- ?|, | ){_ANY_YEAR})\b",
    # `4 yo in 1934`, `22-year-old in 1950`
    rf"(?i)\b({_COUNT}{_OLD}[ a-z]{{0,12}}(?: {_IN} | ?\(| ?- ?|, )(?:the year )?{_ANY_YEAR})\b",
    # `1950 at 22`, `1950 (age 22)`, `1950, when she was 22`, `1950: 22 yo`
    rf"(?i)(?:^|[^\w'])({_ANY_YEAR}[,:;]? ?(?:- ?)?\(?(?:{_AT}) ?[:=]? ?{_COUNT}{_OLD}?)(?:[^0-9/%.a-z]|\.(?:[^0-9]|\z)|\z)",
    rf"(?i)(?:^|[^\w'])({_ANY_YEAR}[,:;]? ?(?:- ?)?\(?{_COUNT}{_OLD})(?:[^0-9/%a-z]|\z)",
    # `was 30 when he was born in 1960`
    rf"(?i)\b(?:was|were|at|age) ({_COUNT}{_OLD}? when [a-z' ]{{2,30}} (?:in|of) {_YEAR})\b",
    # `in 1950, she was 22`, `was 20 in 1950`, `turned 21 in 1950`
    rf"(?i)\b(?:was|were|turned|turning|being|only|when) ({_COUNT}{_OLD}?(?: {_IN} | ?\(){_ANY_YEAR})\b",
    # `her 22nd birthday in 1950`
    rf"(?i)\b((?:[1-8]\d|\d)(?:st|nd|rd|th) birthday(?:,? {_IN} | ?\(|, ){_ANY_YEAR})\b",
)
# A year and a number, which counts as an age only if the words of a life event precede the year.
_LOOSE = (
    rf"(?i)\b(?:%s)\b[^.;\n0-9]{{0,40}}\b({_YEAR}, (?:[1-8]\d))(?:[^0-9/.a-z]|\.(?:[^0-9]|\z)|\z)"
)
_SINCE = r"(?:[ ,:(-]{1,3}(?:[a-z']+ ){0,4}?(?:in|since|from|of|until|till|circa|c\.|year|class of|abt|about|around|date|yr|the summer of|the fall of|the spring of)?[ :=(~]{0,2})"
_EVENT_YEAR = rf"(?i)\b(?:%s)\b{_SINCE}({_YEAR}(?: ?(?:-|to|until|till|through|thru) ?(?:{_YEAR}|\d\d))?|'[0-9]\d)\b"
_YEAR_EVENT = rf"(?i)\b(?:in|since|back in|year) ({_YEAR})\b,? (?:he |she |they |pt |the patient |mother |father |mom |dad |was |when (?:he|she|they) )+(?:%s)\b"
_CLASS_OF = r"(?i)\b(class of '?(?:(?:18|19|20)\d\d|\d\d))\b"
_SPAN = rf"(?i)\b(?:%s)((?:[4-9]\d|1[01]\d|{_TENS}[- a-z]{{0,6}}?)\+?[ -]?(?:years?|yrs?))\b(?:[^ -]|[ -](?:[^p]|\z)|\z)"
_SPANS = (
    (
        "marriage",
        r"(?i)\b((?:[5-9]\d)[ -]?(?:years?|yrs?) (?:of marriage|married)|(?:[5-9]\d)(?:st|nd|rd|th) (?:wedding )?anniversary)\b",
    ),
    ("marriage", r"(?i)\b(?:husband|wife|spouse|partner) of ((?:[5-9]\d) (?:years?|yrs?))\b"),
    (
        "smoking",
        r"(?i)\b((?:[6-9]\d)[- ](?:year|yr)[- ](?:smok\w+|history of smoking|tobacco)(?: history| habit)?)\b",
    ),
    ("employment", r"(?i)\b((?:[6-9]\d)[- ](?:year|yr)[- ]career)\b"),
)
# Service in a war, a childhood in an era.
_SERVED = r"(?i)\b(?:served|service|fought|veteran|vet|flew|drafted|pow|wounded|stationed|injured|medic|nurse|pilot|sailor|soldier|marine|deployed|combat|infantry|shrapnel|army|navy|air force|marines|usmc)[^.;\n0-9]{0,30}\b(%s)(?:[^0-9a-z]|\z)"
_VETERAN = r"(?i)\b(%s)[- ](?:era )?(?:veteran|vet|vets|pow|service|combat|medic|pilot)\b"
_WARS = (
    ("war_1914_1918", r"ww ?(?:i|1)|world war (?:i|1|one)|first world war|great war"),
    (
        "war_1939_1945",
        r"ww ?(?:ii|2)|world war (?:ii|2|two)|second world war|normandy|d-day|iwo jima|guadalcanal|battle of the bulge|pearl harbor",
    ),
    ("war_1950_1953", r"korean (?:war|conflict)|korea"),
)
_FOUGHT = frozenset(name for name, _ in _WARS)
_ERAS = (
    *((name, form % words) for name, words in _WARS for form in (_SERVED, _VETERAN)),
    (
        "depression_birth",
        r"(?i)\bborn (?:during|in|amid) ((?:the )?great depression|the depression(?: years| era))\b",
    ),
    (
        "depression_childhood",
        r"(?i)\b(?:grew up|raised|childhood|child|kid|school) (?:in|during|through|of) ((?:the )?great depression|the depression|the dust bowl|dust bowl)\b",
    ),
)
_DECADE = (
    (0, r"(?i)\bborn (?:in|during) (?:the )?((?:early |mid|late )?-?(?:18\d|19[0-3])0'?s)\b"),
    (
        3,
        r"(?i)\b(?:grew up|raised|childhood|child|kid|school) (?:in|during) (?:the )?((?:18\d|19[0-3])0'?s)\b",
    ),
)
# A later year after the war's name means that the person served in another war.
_LATER = re.compile(r"[^.;\n]{0,30}?\b(?:19(?:5[4-9]|[6-9]\d)|20\d\d|'(?:5[4-9]|[6-9]\d))\b")
# `DOB 10/2/1967 (57 yo)`: the age is the present one. A day and month before a year are a date.
_OF_BIRTH = re.compile(
    r"(?i)(?:\b(?:dob|d\.o\.b\.?|born|birth\w*|b\.|b|bd|bdate|nac\w*)\b[^;\n]{0,24}|\d[/.-])$"
)
_MEASURED = re.compile(
    r"(?i) ?(?:m[agls]\b|mcg|[kc]?m\b|kg|kv|hz|db|%|cc|units?|degrees|weeks|days|months|hours|min)"
)
_NUMBER = re.compile(rf"(?i)\b(?:1[01]\d|9\d|{_COUNT})(?![a-z0-9])|\b\d{{1,3}}")
# The greatest distance of an event's words from its year, in characters.
_NEAR = 80


def facts_told(page: NormalizedText, now: int) -> Iterator[Told]:
    """The statements in the page that bound a birth year; spans of years end in the year `now`."""
    yield from _ages_at_years(page, now)
    yield from _event_years(page, now)
    yield from _spans(page, now)
    yield from _eras(page)
    yield from _decades(page)


def _ages_at_years(page: NormalizedText, now: int) -> Iterator[Told]:
    for start, end in matches_of((*_TOGETHER, _filled(_LOOSE, "years")), page):
        value = page.text[start:end]
        born = re.match(_ANY_YEAR, value) and _OF_BIRTH.search(page.left(start))
        if born or _MEASURED.match(page.text, end):
            continue
        year = _year(re.findall(_ANY_YEAR, value)[0], now)
        age = _age_in(re.sub(_ANY_YEAR, " ", value, count=1))
        if age is not None:
            yield start, end, AgeAt(year, age, age)


def _age_in(value: str) -> int | None:
    """The first number of a value, in digits or in words."""
    found = _NUMBER.search(value)
    age = read_age(found[0]) if found else None
    return None if age is None else age.years


def _event_years(page: NormalizedText, now: int) -> Iterator[Told]:
    for start, end in matches(_filled(_EVENT_YEAR, "years"), page):
        event = _event_in(page.text[max(start - _NEAR, 0) : start], "years", last=True)
        yield start, end, AgeAt.at_event(event, _year(page.text[start:end], now))
    for start, end in matches(_filled(_YEAR_EVENT, "years"), page):
        event = _event_in(page.text[end : end + _NEAR], "years", last=False)
        yield start, end, AgeAt.at_event(event, _year(page.text[start:end], now))
    for start, end in matches(_CLASS_OF, page):
        written = re.findall(r"\d+", page.text[start:end])[0]
        yield start, end, AgeAt.at_event(life_events()["graduation"], _year(written, now))


def _spans(page: NormalizedText, now: int) -> Iterator[Told]:
    for start, end in matches(_filled(_SPAN, "interval"), page):
        event = _event_in(page.text[max(start - _NEAR, 0) : start], "interval", last=True)
        yield from _lasting(page, start, end, event, now)
    for name, regex in _SPANS:
        for start, end in matches(regex, page):
            yield from _lasting(page, start, end, life_events()[name], now)


def _lasting(
    page: NormalizedText, start: int, end: int, event: LifeEvent, now: int
) -> Iterator[Told]:
    age = _age_in(page.text[start:end])
    if age is not None:
        yield start, end, AgeAt(PartialDate(now), age + event.youngest, None)


def _eras(page: NormalizedText) -> Iterator[Told]:
    for name, regex in _ERAS:
        for start, end in matches(regex, page):
            event = life_events()[name]
            later = name in _FOUGHT and _LATER.match(page.text, end)
            if event.last_year is not None and not later:
                yield start, end, AgeAt.at_event(event, PartialDate(event.last_year))


def _decades(page: NormalizedText) -> Iterator[Told]:
    """`born in the 1930s`: bounds on the age in the decade's last year."""
    for youngest, regex in _DECADE:
        for start, end in matches(regex, page):
            last = int(re.findall(r"\d{4}", page.text[start:end])[0]) + 9
            yield start, end, AgeAt(PartialDate(last), youngest, None if youngest else 9)


def _event_in(text: str, kind: str, *, last: bool) -> LifeEvent:
    """The event that is named nearest to the year: the last or the first event in `text`."""
    places = [
        (found[-1].end() if last else -found[0].start(), -number, wording.event)
        for number, wording in enumerate(wordings())
        if (found := list(_spoken(number, kind).finditer(text)))
    ]
    return max(places, key=lambda place: place[:2])[2] if places else life_events()["alive"]


@cache
def _spoken(number: int, kind: str) -> re.Pattern[str]:
    words = getattr(wordings()[number], kind)
    return re.compile(rf"(?i)\b(?:{words})" if words else r"(?!)")


@cache
def _filled(form: str, kind: str) -> str:
    """Fill the words for all events of a kind into a form, and return one pattern."""
    return form % "|".join(filter(None, (getattr(wording, kind) for wording in wordings())))


def _year(written: str, now: int) -> PartialDate:
    """Read the year; a two-digit year is the latest such year that is not after `now`."""
    digits = written.lstrip("'")[:4]
    return PartialDate(int(digits) if len(digits) == 4 else now - (now - int(digits)) % 100)


@cache
def fact_expressions() -> tuple[str, ...]:
    """The expressions without which `facts_told` finds nothing."""
    dated = (_filled(form, "years") for form in (_LOOSE, _EVENT_YEAR, _YEAR_EVENT))
    listed = (regex for _, regex in (*_SPANS, *_ERAS, *_DECADE))
    return (*_TOGETHER, *dated, _CLASS_OF, _filled(_SPAN, "interval"), *listed)
