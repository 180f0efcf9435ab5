# ruff: noqa: E501 -- a pattern reads best on one line
"""(C) Seasons, quarters, weeks and numbered days of a year: each is an element of a date finer than the year.

A season without its year stays (`worse in winter`, `last summer`), and so does a fall to the floor.
"""

from __future__ import annotations

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Pattern, Rules

DATE = "DATE_TIME"
YEAR = r"(?:(?:19|20)\d\d(?: ?[-/] ?(?:(?:19|20)\d\d|\d\d))?|'\d\d)"
PART = r"(?:(?:the |very )?(?:early|late|mid|middle|beginning|end)(?:[ -]| of (?:the )?))?"
OF = r"(?:,? (?:of )?(?:the year )?)"
AFTER = "0-9A-Za-z/%"
# `week 2 of 2000 mg`
NO_AMOUNT = Context(not_right=r" ?(?:mg|mcg|ml|cc|units?|meq|k?cals?|calories|steps)\b")


class DatesSeasons(Rules):
    word = "dates_seasons"
    patterns = (
        Pattern(
            "season of a year",
            rf"(?i)\b({PART}(?:the )?(?:spring|summer|autumn|winter)(?:time)?(?: (?:and|or|/) ?(?:spring|summer|autumn|fall|winter))?{OF}{YEAR})",
            DATE,
            0.92,
            after=AFTER,
        ),
        # `s/p fall 2019` is no season, and neither is `since her fall of 2019`.
        Pattern(
            "the fall of a year",
            rf"(?i)\b(?:in|by|during|until|from|last|this|through) ({PART}(?:the )?fall{OF}{YEAR})",
            DATE,
            0.92,
            after=AFTER,
        ),
        Pattern(
            "the fall of a year, with its article or part",
            rf"(?i)(?:\b(?:since|of|around|about)|^|[.;:(]) ?\b((?:the|early|late|mid)[ -]fall(?: of| in)?{OF}{YEAR})",
            DATE,
            0.92,
            after=AFTER,
        ),
        Pattern(
            "quarter of a year",
            r"\b((?i:(?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd|4th) quarter(?: of|,)? (?:19|20)\d\d)|Q[1-4][ ,./-]{0,3}(?:of )?(?:19|20)\d\d|(?:19|20)\d\d[ -]?Q[1-4])",
            DATE,
            0.92,
            after=AFTER,
        ),
        Pattern(
            "week of a year",
            r"(?i)\b((?:(?:iso |epi(?:demiological)? )?(?:week|wk) (?:no\.? |# ?)?\d{1,2}(?: of|,|/)?|(?:the )?\d{1,2}(?:st|nd|rd|th) (?:week|wk) (?:of|in)) ?(?:the year )?(?:19|20)\d\d)",
            DATE,
            0.9,
            after=AFTER,
            context=NO_AMOUNT,
        ),
        Pattern(
            "week of a year, as ISO 8601 writes it",
            r"\b((?:19|20)\d\d-?W[0-5]\d(?:-?[1-7])?)",
            DATE,
            0.95,
            after=AFTER,
        ),
        Pattern(
            "day of a year",
            r"(?i)\b((?:(?:julian )?day (?:no\.? |# ?)?\d{1,3}|(?:the )?\d{1,3}(?:st|nd|rd|th) day) (?:of|in) (?:the year )?(?:19|20)\d\d)",
            DATE,
            0.92,
            after=AFTER,
            context=NO_AMOUNT,
        ),
    )
