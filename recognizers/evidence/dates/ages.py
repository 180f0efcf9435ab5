# ruff: noqa: E501 -- a pattern reads best on one line
"""(C) Ages over 89, in any wording, and the birth years that show one.

45 CFR 164.514(b)(2)(i)(C): all ages over 89 and all elements of dates (including year)
indicative of such age.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from recognizers.evidence.context import Context
from recognizers.evidence.dates.ages_counted import ages_of, column_ages, counted_ages
from recognizers.evidence.dates.births_told import facts_told
from recognizers.evidence.rules import Hit, Pattern, Rules, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import UNITS
from safe_harbor import Born, Fact, PartialDate, bound_birth, effective_reference

AGE, BIRTH = "AGE_OVER_89", "BIRTH_YEAR_OVER_89"
BORN_IN = "birth year"
OLD = r"(?:9\d|1[0-2]\d)"
SPOKEN = rf"(?i:ninety(?:[ -](?:{UNITS}))?|(?:a |one )?hundred(?:[ -](?:and )?(?:{UNITS}|ten|eleven|twelve))?|noventa(?: y (?:uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?|cien(?:to)?)"
UNIT = r"(?i:[- ]?(?:y\b|y[/.]?o\b|y\.o\.|yo[mfwb]*\b|yrs?\b|yr[- ]?olds?|years?\b|years?[- ]olds?|year[- ]old|anos|a/o|y/?[mf]\b))"
TOLD = r"nacio|nacid[oa]|naci|rocznik|bdyr|b-?yr|birthyr|birth yr|yr born|(?:his|her|their|my|birth) year"
BORN = r"(?i:born(?: (?:in|on|about|around|circa|c\.?|abt))?|(?-i:\bb\.)|birth ?year|year of birth|yob|yr of birth|dob|d\.o\.b\.?|date of birth|birth ?date|nacid[oa] en)"
# What is at so many, which then is no age.
MEASURED = r"(?:sats?|sat'?ing|spo2|o2|hr|heart rate|pulse|rate|temp|set|alarm|alarms|stop(?:ped)?|pac(?:ed|ing)|backup|map|sbp|dbp|bp|hold|held|wt|weight|flow|runn?ing|goal|start(?:ed)?|caps?|capped|sugars?|glucose|bg|fsbs|bs|run|runs|[lr]|stable|steady|maintain\w*|spo2s|ox|oximetry|min(?:ute)?s?|drawn|clamp\w*|keep|kept|keeping|spik\w*|peak\w*|locked|titrat\w*|elevated|febrile|fever|tmax|flex\w*|fixed|hover\w*|averag\w*|lr|hakim) (?:at|@) "


class DatesAges(Rules):
    word = "dates_ages"
    oldest: ClassVar[int] = 125
    patterns = (
        Pattern("age and unit", rf"({OLD}){UNIT}", AGE, 0.9, before="0-9/.:-"),
        Pattern(
            "age and sex",
            rf"({OLD})[ ]?(?:[MF]|yo[MF]?|[YyMmFf]\b|y/[MFmf])\b",
            AGE,
            0.8,
            before="0-9/.A-Za-z:-",
        ),
        Pattern(
            "spoken age and unit",
            rf"\b({SPOKEN})(?: (?:and (?:a half|three quarters)))?[- ]?(?i:years?(?:[- ]olds?)?|y/?o|yrs?)\b",
            AGE,
            0.95,
        ),
        Pattern(
            "label",
            rf"(?i:\bage[ds]?(?:/sex)?|\bedad)[ _:=|.*-]{{0,16}}({OLD})\b",
            AGE,
            0.9,
            after="/0-9.",
        ),
        Pattern(
            "label, spoken",
            rf"(?i:\bage[ds]?|\bedad)(?: of| is)?[ :,]{{1,4}}({SPOKEN})\b",
            AGE,
            0.9,
        ),
        Pattern(
            "verb and age",
            rf"(?i:\b(?:is|was|turn(?:s|ed|ing)?|she's|he's|now|at|aged|reached|lived to|live to|almost|nearly|about|over|past|of|until|died at|survived to|be|me) )({OLD})(?: (?i:and|in|on|now|years|this|next|who|but)\b|[,.;)!?]|\n|\z)",
            AGE,
            0.5,
            after="/0-9%",
        ),
        Pattern(
            "at an age",
            rf"\b(?i:at|@) ({OLD})(?: (?i:and|in|on|now|years|he|she|who|but|with|w/|of|from|after|discuss\w*|would|will|still|not|no|is|was|so|the|a)\b|[,;)!?]|[.](?:\s|\z)|\n|\z)",
            AGE,
            0.8,
            context=Context(
                not_left=MEASURED, not_right=r" of \d|,? (?:db|degrees|on (?:ra|room|\d))"
            ),
        ),
        Pattern(
            "verb and spoken age",
            rf"(?i:\b(?:is|was|turn(?:s|ed|ing)?|she's|he's|now|at|aged|reached|lived to|almost|nearly|over|past|who is|will be|be|at age|in fact|a los|age at [a-z]+:?|says?|his|her)) ({SPOKEN})\b",
            AGE,
            0.75,
            after="-",
            context=Context(
                not_right=r"[- ](?:days?|minutes?|degrees?|percent|mg|miles?|seconds?|hours?|weeks?|dollars|feet|pills|tablets|units|over|beats)"
            ),
        ),
        Pattern(
            "of a person",
            rf"(?i:\b(?:she|he|who|mom|mother|dad|father|gra?n\w{{0,6}}|nana|pt|patient|husband|wife|aunt|uncle|sister|brother) (?:is|was|turned|went|died|passed|left us)(?: now| still| at| already| almost| nearly| only){{0,2}}) ({OLD})(?: (?i:and (?:on|still|lives?|drives?|has|was|is|in|frail|independent|never|sharp|not|a|the|an|with|w/)|with no|w/ no|but|who|years|now)\b|, [a-z]|[;)!?]|\n|\z)",
            AGE,
            0.9,
            context=Context(not_right=r" and (?:on (?:ra|room|\d|o2|nc|bipap|cpap)|sat)"),
        ),
        Pattern(
            "row of a list",
            rf"(?i:(?:^|\n)[ ]*(?:rm|room|bed|r)[ .#]?[0-9]{{1,4}}[a-d]?[ ,:|-]+[a-z][a-z'-]+,? (?:[a-z][a-z'-]+,? ){{1,2}}(?:\([a-z]+\) )?)({OLD})(?:,| [a-zA-Z])",
            AGE,
            0.9,
            after="0-9/.%",
            context=Context(not_right=r" ?(?:%|ra\b|on ra|kg|lbs?|bpm|mmhg|mg)"),
        ),
        Pattern("label, digits damaged", r"(?i:\bage|\bedad)[ _:=|.*-]{1,16}(9[lIO])\b", AGE, 0.92),
        Pattern(
            "in brackets, year beside", rf"\(({OLD})[;,] (?:b\.? ?|born )?1[89]\d\d\)", AGE, 0.92
        ),
        Pattern(
            "dead at",
            rf"(?i:\b(?:died|passed)\b)[^.;\n]{{2,60}}, at ({OLD})(?:[.,; ]|\n|\z)",
            AGE,
            0.92,
            after="/0-9%",
        ),
        Pattern(
            "numbered row",
            rf"(?:^|\n)[ ]*\d{{1,2}}[.)] [A-Z][a-z'-]+,? [A-Z](?:\.|[a-z'-]+) ({OLD})(?::|,| [a-z])",
            AGE,
            0.92,
            after="/0-9%.",
        ),
        Pattern("apposition", rf"[A-Za-z.'\")], ?({OLD})(?:, |; |\.[ \n]|\)| \()", AGE, 0.6),
        Pattern(
            "apposition, spoken",
            rf"[a-z.'\")],? \(?({SPOKEN})(?:,|\)|;|\.| who| but| and (?:still|a half|lives|drives))",
            AGE,
            0.8,
            context=Context(
                not_left=r"(?:nineteen|in|of|since|from|till|until|was it|oh|hundred|degrees|temp|fever(?: of)?|t|tmax|sugar|pulse|pressure|sats?|set at|mg|dose|january|february|march|april|may|june|july|august|september|october|november|december),? ?"
            ),
        ),
        Pattern(
            "in brackets after a name",
            rf"[A-Z][a-z]+\"? \(({OLD})(?:\)|,|;| and| who|y)",
            AGE,
            0.85,
        ),
        Pattern(
            "decade",
            r"(?i)\b((?:in (?:his|her|their|the) )?(?:mid|late|early)?[- ]?(?:90'?s|nineties))\b",
            AGE,
            0.35,
        ),
        Pattern(
            "decade of life",
            r"(?i)\b(?:in|into) (?:his|her|their) ((?:(?:mid|late|early)[- ])?(?:90'?s|nineties|100s|hundreds))\b",
            AGE,
            0.9,
        ),
        Pattern("tenth decade", r"(?i)\b((?:tenth|10th|eleventh|11th) decade)\b", AGE, 0.95),
        Pattern(
            "ordinal alone",
            r"(?i)\b(?:his|her|their|my|your|a) (ninetieth|ninety[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|(?:one )?hundredth|9\dth|100th)\b",
            AGE,
            0.85,
        ),
        Pattern("word", r"(?i)\b((?:super)?(?:nonagenarian|centenarian)s?)\b", AGE, 0.95),
        Pattern(
            "birthday",
            r"(?i)\b((?:9\d(?:st|nd|rd|th)|1[01]\d(?:st|nd|rd|th)|ninetieth|ninety[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|(?:one )?hundredth)) (?:birthday|bday|b-day|year)",
            AGE,
            0.95,
        ),
        Pattern(
            "after a birth date",
            rf"\b\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:19)?[0-3]\d[ ,(]{{1,3}}(?:age )?({OLD})(?:[^0-9/.%A-Za-z]|[MFmf]\b|yo|\z)",
            AGE,
            0.85,
        ),
        Pattern(
            "alive or dead at",
            rf"(?i:\b(?:alive|living|died|dies|passed(?: away)?|dead|lived|deceased|survived|made it|still \w+ing|advanced age|age at death)(?: on)?,? (?:at|to|till|until|@)? ?(?:age |age of )?)({OLD})(?:[^0-9/%.]|\.[^0-9]|\z)",
            AGE,
            0.92,
        ),
        Pattern(
            "turning",
            rf"(?i:\b(?:turn(?:s|ed|ing)|celebrat(?:es|ed|ing) (?:his|her|their)|hit|pushing|going on|nearing)) ({OLD})(?:st|nd|rd|th)?(?: (?i:and|in|on|last|this|next|years?|tomorrow|today|soon|later|but|who)\b|[,;!?)]|\.[^0-9]|\n|\z)",
            AGE,
            0.9,
        ),
        Pattern(
            "another in a row",
            rf"(?i:\b(?:reached|lived to|died at|aged?|ages|to be|at)) (?:\d{{2,3}}(?:,| and|,? &)? ?){{1,3}}({OLD})(?:[,.;) ]|\z)",
            AGE,
            0.75,
        ),
        Pattern(
            "reckoned from a year",
            rf"\b(?:19[0-3]\d|18\d\d)\b[^.;\n]{{0,30}}\b(?:be|is|makes?(?: (?:her|him|them))?) ({OLD})(?:[,;)!?]|\.?(?:\s|\z))",
            AGE,
            0.92,
            context=Context(not_right=r" ?(?:days|%|mg|lbs|pounds|mm|degrees)"),
        ),
        Pattern("plain at the start", rf"(?:\A|\n)[ ]*({OLD})[ ]?[FMfm](?:[ ,]|\z)", AGE, 0.9),
        Pattern(
            "spoken, Spanish",
            r"(?i)\b(noventa(?: y (?:pico|tantos|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?|90 y pico) (?:anos|a\.|y)\b",
            AGE,
            0.9,
        ),
        Pattern("ninety plus", r"\b(90\+|>[ ]?(?:89|90))(?:[ ,.)]|\n|\z)", AGE, 0.4),
    )

    def __init__(
        self,
        reference_date: datetime.date | None = None,
        run_date: datetime.date | None = None,
    ) -> None:
        self.reference_date = reference_date
        self.run_date = run_date or reference_date

    def entities(self) -> Sequence[str]:
        return (AGE, BIRTH)

    def more(self, page: NormalizedText) -> Iterator[Hit]:
        births = list(self.birth_years(page))
        yield from births
        known = {_written(page.text[hit.start : hit.end]) for hit in births if hit.rule == BORN_IN}
        for start, end in ages_of(page, known, years_of(page.text)) if known else ():
            yield Hit(start, end, AGE, 0.92, "age and year give the birth year back")
        for regex in (SPOKEN_BIRTH, SHORT_BIRTH):
            for start, end in matches(regex, page):
                yield Hit(start, end, BIRTH, 0.92, "birth year in words")
        for start, end in counted_ages(page):
            yield Hit(start, end, AGE, 0.92, "age counted otherwise")
        for start, end in column_ages(page):
            yield Hit(start, end, AGE, 0.85, "age column")

    def birth_years(self, page: NormalizedText) -> Iterator[Hit]:
        """Years that show a person over 89 on the day the text is judged on."""
        judged = self.judged(page.text)
        pattern = rf"{BORN}[^0-9]{{0,24}}((?:18|19)\d\d)\b"
        after_date = rf"{BORN}[ :=]{{0,4}}(?:\d{{1,2}}[-/.]){{1,2}}((?:18|19)\d\d)\b"
        dated = rf"{BORN}[ :=\n]{{0,4}}[A-Za-z0-9]{{1,9}}\.?[ ,of]{{0,4}}\d{{0,2}}(?:st|nd|rd|th)?[, ]{{0,3}}((?:18|19)\d\d)\b"
        short = rf"{BORN}[ :=]{{0,3}}(?:in |about |~)?'([0-3]\d)\b"
        bare = r"(?i:\bborn in )([12]\d|3[0-6])(?:[ ,.;)]|\z)"
        kept = r"(?i:\b(?:paper|papers|certificate|census|bible|passport|records?|card|roll)\b[^.\n]{0,24}\b(?:says?|reads?|has|gives?|lists?|shows?) )((?:18|19)\d\d)\b"
        doubled = rf"{BORN}[^\n0-9]{{0,12}}(?:19\d\d)[^0-9\n]{{1,12}}((?:18|19)\d\d|\d\d)\b"
        named = r"(?:b\.?|born|rocznik|n\.|geb\.?|nac\.?|dob|yob)"
        capital = r"(?i:(?:^|[^a-z0-9.-])b\.?,? ?)((?:18|19)\d\d)\b"
        clipped = r"(?i:(?:^|[^a-z0-9.-])b\.?) ?'([0-3]\d)\b"
        told = rf"(?i:\b(?:{TOLD})\b)[^0-9\n]{{0,40}}((?:18|19)\d\d)\b"
        beside = rf"\b(?:{OLD}|{SPOKEN})(?: ?y/?o| years old)?(?: ?[(;] ?{named}? ?|, {named} )((?:18|19)\d\d)\b"
        regexes = (pattern, after_date, dated, doubled, short, bare, kept, capital, clipped, told)
        for regex in (*regexes, beside):
            for start, end in matches(regex, page):
                year = _written(page.text[start:end])
                oldest = EARLIEST if judged == UNKNOWN else judged.year - self.oldest
                if year >= oldest and _shows(Born(PartialDate(year)), judged):
                    yield Hit(start, end, BIRTH, 0.9, BORN_IN)
        for start, end, fact in facts_told(page, judged.year):
            # Without any date only an age says that a year is of somebody.
            sure = judged != UNKNOWN or fact.oldest is not None
            if sure and _shows(fact, judged):
                yield Hit(start, end, BIRTH, 0.92, "year and age")

    def judged(self, text: str) -> datetime.date:
        """The day on which ages are judged: the reference date, or the latest of the text's own."""
        if self.reference_date is None or self.run_date is None:
            newest = max(years_of(text), default=None)
            return UNKNOWN if newest is None else datetime.date(newest, 12, 31)
        own = map(PartialDate, years_of(text))
        return effective_reference(self.reference_date, own, self.run_date)


SPOKEN_YEAR = rf"nineteen (?:(?:hundred(?: and)?|and) )?(?:(?:oh|aught)[ -])?(?:{UNITS}|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:[ -](?:{UNITS}))?|thirty(?:[ -](?:one|two|three|four|five|six))?)"
SPOKEN_BIRTH = rf"(?i)(?:\bborn\b[^.\n]{{0,40}}?|\bbirth[^.\n]{{0,16}}?)\b({SPOKEN_YEAR})\b(?:[^a-z-]|[ ](?:[a-z]+)|\z)"

# `in thirty-three`: the century goes without saying.
SHORT_BIRTH = rf"(?i)\bborn in '?((?:twenty|thirty)(?:[ -](?:{UNITS}))?)(?:[^a-z -]|[ -]?\z|[ ](?:on|in|at|and|to|so|but|the|he|she|i|of|near|down|up|when|just|during|or|which|that|with)\b)"

# Without any date to reckon from, every year of birth may show such an age.
UNKNOWN = datetime.date(2100, 12, 31)
EARLIEST = 1850


def _written(digits: str) -> int:
    """A birth year in two digits is of the twentieth century."""
    return int(digits) if len(digits) == 4 else 1900 + int(digits)


def _shows(fact: Fact, judged: datetime.date) -> bool:
    return bound_birth([fact], judged).shows_over_89(judged)


def years_of(text: str) -> list[int]:
    """The years since 2000 that the text speaks of."""
    years = [int(y) for y in re.findall(r"(?<!\d)(20[0-4]\d)(?!\d)", text)]
    years += [2000 + int(y) for y in re.findall(r"\d{1,2}[-/.]\d{1,2}[-/.]([0-4]\d)(?!\d)", text)]
    return years
