# ruff: noqa: E501 -- a pattern reads best on one line
"""(C) Dates finer than the year, in prose, tables, speech and damaged print. A year alone stays."""

from __future__ import annotations

from collections.abc import Iterator

from recognizers.evidence.context import Context
from recognizers.evidence.dates.day_pairs import pair_hits
from recognizers.evidence.dates.number_evidence import (
    NOT_AFTER,
    NOT_BEFORE,
    PROSE,
    calendar,
    day_and_month,
    real,
)
from recognizers.evidence.dates.written import possible
from recognizers.evidence.dates.yearless import (
    column_dates,
    damaged_pairs,
    hyphened_alike,
    hyphened_days,
    hyphened_near,
    named_days,
    week_heads,
)
from recognizers.evidence.rules import Hit, Pattern, Rules
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import DAY, MONTH_NUMBER, SHORT_YEAR, YEAR

DATE = "DATE_TIME"
# What a day with a hyphen follows, which else may be from so many to so many.
DONE = r"visit|repeat|given|thru|through|until|till?|since|by|on|started?|stop(?:ped)?|began|seen|due|next|last|last bm|f/?u|follow|rtc|appt|admit(?:ted)?|adm|dc|d/c|placed|removed|out|done|drawn|sent|sched(?:uled)?|called|faxed|lmp|edd|edc|do[sad]|onset|surgery|recheck|refill(?:ed)?|dated?|ends|echo|clinic"
T = r"(?:[T ]{1,2}\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"


class Dates(Rules):
    word = "dates"
    patterns = (
        Pattern(
            "spaced digits",
            r"(\d ?\d? ?/ ?\d ?\d? ?/ ?\d \d(?: \d \d)?)",
            DATE,
            0.95,
            before="0-9/",
            after="0-9/",
        ),
        Pattern(
            "month/day/year",
            rf"(\d{{1,2}}[ ]?[/][ ]?\d{{1,2}}[ ]?[/][ ]?{SHORT_YEAR})",
            DATE,
            0.95,
            before="0-9/.",
            after="0-9/",
            check=calendar,
            context=Context(not_right=r" ?(?:min(?:utes)?|mg|mcg|ml|cm|mm|sec|mmhg)\b"),
        ),
        Pattern(
            "month-day-year",
            rf"(\d{{1,2}}[ ]?-[ ]?\d{{1,2}}[ ]?-[ ]?{SHORT_YEAR})",
            DATE,
            0.9,
            before="0-9-",
            after="0-9-",
            check=calendar,
        ),
        Pattern(
            "month.day.year",
            rf"({DAY}\.{DAY}\.{SHORT_YEAR})",
            DATE,
            0.9,
            before="0-9.",
            after="0-9.",
            context=Context(not_left=r"(?:version|ver|v|section|fw|sw)\.? ?"),
        ),
        Pattern(
            "mixed marks",
            rf"({DAY}[-/. ]{DAY}[-/.]{YEAR})",
            DATE,
            0.9,
            before="0-9-/.",
            after="0-9-/",
        ),
        Pattern(
            "blanks between",
            rf"({MONTH_NUMBER} {DAY} {YEAR})",
            DATE,
            0.9,
            before="0-9.-/",
            after="0-9-/",
        ),
        Pattern(
            "blanks between, short year",
            rf"({MONTH_NUMBER} {DAY} \d\d)",
            DATE,
            0.1,
            before="0-9.-/ ",
            after="0-9-/.",
            context=Context(left=r"dob|date|born|dos|seen|adm", width=16),
        ),
        Pattern(
            "iso",
            rf"({YEAR}[ ]?[-/.][ ]?{MONTH_NUMBER}[ ]?[-/.][ ]?{DAY}{T})",
            DATE,
            0.95,
            before="0-9-/.",
            after="0-9-/",
        ),
        Pattern(
            "as cameras write it",
            rf"({YEAR}:(?:0[1-9]|1[0-2]):(?:0[1-9]|[12]\d|3[01])(?: [0-2]\d:[0-5]\d(?::[0-5]\d)?)?)",
            DATE,
            0.95,
            before="0-9:/.-",
            after="0-9:/-",
        ),
        Pattern(
            "iso, undashed",
            rf"({YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:T?\d{{4}}(?:\d\d)?)?(?:[+-]\d{{4}})?)",
            DATE,
            0.3,
            before="0-9A-Za-z.-",
            after="0-9A-Za-z-",
            check=lambda v: real(v[:8]),
            context=Context(left=r"date|dob|born|\bon\b|\||\^|=", width=16),
        ),
        Pattern(
            "eight digits",
            r"((?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d\d)",
            DATE,
            0.2,
            before="0-9A-Za-z.-",
            after="0-9A-Za-z-",
            check=real,
            context=Context(
                left=r"date|dob|born|\bon\b|/|seen|call|adm",
                not_left=r"(?:mrn|acct|account|no|number|#|id)[ :.#]*",
                width=24,
            ),
        ),
        Pattern(
            "eight digits, day first",
            r"\b((?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d)\b",
            DATE,
            0.3,
            context=Context(left=r"date|dob|born", width=16),
        ),
        Pattern(
            "six digits",
            r"\b(\d{6})\b",
            DATE,
            0.2,
            context=Context(
                left=r"\b(?:d|t|dob|date|dd|dt|born|dict|trans|td|eff|dos|soc)[ :/]*$", width=12
            ),
            check=lambda v: 0.1 if 1 <= int(v[:2]) <= 12 and 1 <= int(v[2:4]) <= 31 else -0.3,
        ),
        Pattern(
            "glued to its label",
            rf"(?i:dob|dos|adm|admit|dc|d/c|seen|on|date|born|since|exp|fu|til|egd|mri|cxr|tte|echo|cath|surg|sx|cta|colo|lhc|bronch|appt|clinic|rtc|dx|lmp|edd|edc|post)(\d{{1,2}}[/.-]\d{{1,2}}(?:[/.-]{SHORT_YEAR})?)",
            DATE,
            0.9,
            after="0-9/",
        ),
        Pattern(
            "month, short",
            r"\b((?:(?i:mid|early|late)[- ])?(?:Jan|Feb|Apr|Aug|Sept?|Oct|Nov|Dec|Jun|Jul)\.?)\b",
            DATE,
            0.55,
            before="A-Za-z",
            after="A-Za-z",
        ),
        # `Dec` is decreased, too, and `Sept` a septum: they are left to the model.
        Pattern(
            "month, short and no other word",
            r"\b((?:(?i:mid|early|late)[- ])?(?:Feb|Apr|Aug|Oct|Nov|Jun|Jul)\.?)\b",
            DATE,
            0.92,
            before="A-Za-z",
            after="A-Za-z",
            context=Context(not_right=r" ?(?:mac\w*|rnfl|o[dsu]\b)"),
        ),
        Pattern(
            "month, short and a word",
            r"\b((?:(?i:mid|early|late)[- ])?(?:May|March|Mar)\.?)\b",
            DATE,
            0.25,
            before="A-Za-z",
            context=Context(
                left=r"(?:\b(?:in|since|until|till|last|next|this|from|through|thru|late|early|mid|rtc|f/u|around|during|of|by)[ ]+)$",
                width=16,
            ),
        ),
        Pattern(
            "month/year",
            rf"(\b{MONTH_NUMBER}[/-](?:19|20)\d\d)\b",
            DATE,
            0.9,
            before="0-9/.-",
            after="0-9/-",
        ),
        Pattern(
            "year/month",
            r"(\b(?:19|20)\d\d[/-](?:0[1-9]|1[0-2]))\b",
            DATE,
            0.6,
            before="0-9/.-",
            after="0-9/-",
            context=Context(left=r"\b(?:exp|expires?|use by|caduca|venc)[ .:]*$", width=12),
        ),
        # Later than 2012 the second number cannot be the year after the first.
        Pattern(
            "year-month, as things expire",
            r"\b((?:201[3-9]|20[2-4]\d)-(?:0[1-9]|1[0-2]))\b",
            DATE,
            0.92,
            before="0-9/.#-",
            after="0-9/-",
            context=Context(
                not_left=r"(?:#|no|num(?:ber)?|case|file|ref|id|ticket|docket|claim|order)[ .:#]*"
            ),
        ),
        Pattern(
            "day/month",
            r"((?:1[3-9]|2\d|3[01])/(?:1[0-2]|0?[1-9]))",
            DATE,
            0.15,
            before="0-9/.A-Z:",
            after="0-9/.%",
            context=PROSE,
        ),
        Pattern(
            "month-day",
            r"(\d{1,2}-\d{1,2})",
            DATE,
            -0.05,
            before="0-9/.A-Za-z:-",
            after="0-9/.%A-Za-z-",
            check=day_and_month,
            context=Context(
                left=r"(?:\b(?:on|since|until|til|dated?|dob|admitted|adm|seen|appt|by|dos|lmp|edd|thurs?|mon|tues?|wed|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|from|clinic|visit))[ :,]*$",
                not_left=NOT_BEFORE,
                not_right=NOT_AFTER,
                right=r" ?(?:@|at \d|\d{1,2}:\d\d|\d{4}\b)",
                width=20,
            ),
        ),
        Pattern(
            "month-day after a word",
            rf"(?i)\b(?:{DONE})[.:]? {{1,3}}((?:1[0-2]|0?[1-9])-{DAY})(?:[.,;:)]?\s|[.,;:)]?\z|\.\.)",
            DATE,
            0.92,
            # `on 2-3`, `repeat 1-2`: of small numbers the model is asked, too.
            check=lambda v: -0.3 if len(v) == 3 else 0.0,
            context=Context(
                not_left=r"(?:going|based|rate|scale|score) \w+ ",
                not_right=rf" ?(?:d|kcal|mos?|{DAY}-)\b|{NOT_AFTER}",
            ),
        ),
        Pattern(
            "letter of the weekday and day",
            r"(?:^|\n)[ >*-]*((?:M|T|Tu|W|Th|F|Sa|Su)\.? \d{1,2}/\d{1,2})(?:[^0-9/%.]|[.]\s|\z)",
            DATE,
            0.92,
            check=possible,
            context=Context(
                not_right=rf"{NOT_AFTER}|[ ]?(?:life|pain|tender|retained|visible|of\b)"
            ),
        ),
        Pattern(
            "month-day in front of a line",
            r"(?:^|\n)[ ]*(\d{1,2}-\d{1,2})(?: |:|\t)",
            DATE,
            0.35,
            check=day_and_month,
            context=Context(not_right=NOT_AFTER),
        ),
        Pattern(
            "month.day",
            r"\b(\d{1,2}\.\d{1,2})\b",
            DATE,
            -0.1,
            before="0-9/.A-Za-z:-",
            after="0-9/.%A-Za-z-",
            check=day_and_month,
            context=Context(
                left=r"(?:\b(?:on|since|until|dated|dob|admitted|seen|appt|thurs?|mon|tues?|wed|fri|sat|sun))[ :,]*$",
                not_right=NOT_AFTER,
                width=14,
            ),
        ),
        Pattern(
            "broken after the month",
            rf"(\d{{1,2}}/[ ]*\n[ \t|>]*{DAY}/{SHORT_YEAR})",
            DATE,
            0.92,
            before="0-9/",
            after="0-9/",
        ),
        # A former result with its day: `Cr 1.8 (1.1 4/2)`.
        Pattern(
            "day of a former result",
            r"\d \(\d{1,3}\.\d{1,2},? (?:on )?((?:1[0-2]|[1-9])/(?:3[01]|[12]\d|[1-9]))\)",
            DATE,
            0.92,
        ),
        Pattern(
            "dictated on",
            r"\bDD?: ?(\d{1,2}/\d{1,2}(?:/\d{2,4})?)[ ;,|]{1,6}[TR]T?: ?\d{1,2}/\d{1,2}\b",
            DATE,
            0.92,
        ),
        Pattern(
            "typed on",
            r"\bDD?: ?\d{1,2}/\d{1,2}(?:/\d{2,4})?[ ;,|]{1,6}[TR]T?: ?(\d{1,2}/\d{1,2}(?:/\d{2,4})?)\b",
            DATE,
            0.92,
            after="0-9/",
        ),
        Pattern(
            "day first, with its clock",
            r"\b((?:1[3-9]|2\d|3[01])/(?:1[0-2]|0?[1-9])),? (?:at|om|um|a las|@) ?(?:[01]?\d|2[0-3])[:.h][0-5]\d",
            DATE,
            0.92,
            before="0-9/.",
        ),
        Pattern(
            "broken over a line",
            rf"(\d{{1,2}}[/-][ ]?\d{{1,2}}[/-][ ]*\n[ \t|]*{SHORT_YEAR})",
            DATE,
            0.9,
            before="0-9/",
            after="0-9/",
        ),
        Pattern(
            "after a label",
            r"(?i)\b(?:d\.?o\.?b\.?|b\.|date of birth|birth ?date|born|date|dos|doa|dod|f\.?nac\.?)[ _:=|.#*-]{1,20}(\d{1,2}[ ./-]{1,2}\d{1,2}[ ./-]{1,2}\d{2,4})",
            DATE,
            0.95,
            after="0-9",
        ),
        Pattern(
            "masked in part",
            rf"(\?\?/\?\?/{SHORT_YEAR}|\?/\?/{SHORT_YEAR}|\d{{1,2}}/\?{{1,2}}/{SHORT_YEAR}|\d{{1,2}}/(?:xx|XX)/{SHORT_YEAR})",
            DATE,
            0.8,
        ),
    )

    def more(self, page: NormalizedText) -> Iterator[Hit]:
        yield from column_dates(page)
        yield from pair_hits(page)
        yield from week_heads(page)
        yield from named_days(page)
        yield from damaged_pairs(page)
        yield from hyphened_days(page)
        yield from hyphened_near(page)
        yield from hyphened_alike(page)
