# ruff: noqa: E501 -- a pattern reads best on one line
"""(D) Numbers of a house's own exchange, and the rest of a number that was begun before.

`x33` is an extension after a desk or a name and a count after a drug: what stands before decides.
"""

from __future__ import annotations

import re

from recognizers.evidence.contacts.phones import JOINTS, TEL, TIMES
from recognizers.evidence.context import Context
from recognizers.evidence.rules import Pattern, Rules

COUNTED = rf"(?:{TIMES}|[ ]?(?:today|since|overnight|this|last|in\b|[a-z]{{2,}}))"
DESKS = (
    r"line|desk|office|dept|mgr|manager|billing|pharm|pharmacy|records|hrs|hours|\d[ap]m?|a/r|code blue|intake|"
    r"registration|triage|dispatch|dietary|kitchen|admin|supervisor|sup|\d from"
)
# Of these there may be two or three: one digit is a count.
COUNTABLE = r"unit|ward|rn|lpn|cna|cna-m|lab|security|front|call|her|him|nurse"


# How an exercise is done that is counted so, too: `(standing, x5)`.
EXERCISED = r"(?:standing|seated|sitting|supine|prone|side-?lying|bilateral\w*|bilat|left|right|both|each|alternating|active|passive|reps|sets|slow|assisted|independent|modified|raises?|slides|bridges|squats|curls|lunges|pumps|rows|stretch\w*|holds?|march\w*|steps|press\w*|clam\w*|kicks|lifts|twists|stands)(?:, ?)"


def no_year(value: str) -> float:
    """Evidence against what `ended in 2018`."""
    return -0.92 if value[:2] in {"19", "20"} else 0.0


def no_protein(value: str) -> float:
    """Evidence against `p120` and `p300`."""
    return -0.92 if value.endswith("0") else 0.0


def parity(value: str) -> float:
    """Evidence against `p2002` of a woman: births at term, before it, lost, and living."""
    return -0.5 if re.fullmatch(r"p ?[0-6][0-3][0-6]\d", value) else 0.0


def desk(words: str, digits: str, name: str) -> Pattern:
    """`x` and so many digits after these words, and no count of what was done."""
    return Pattern(
        name,
        rf"(?i:\b(?:{words})) {{1,2}}(x ?{digits})\b",
        TEL,
        0.92,
        after="0-9./%^:-",
        context=Context(not_right=COUNTED),
    )


class PhonesInside(Rules):
    word = "phones_inside"
    patterns = (
        Pattern(
            "extension after a comma",
            r"[a-z0-9)],[ ]?(x ?\d{2})\b",
            TEL,
            0.92,
            after="0-9./%^:-",
            context=Context(not_left=EXERCISED, not_right=COUNTED),
        ),
        Pattern(
            "extension after a name in brackets",
            r"\([A-Z][a-z]+, ?(x ?\d{1,2})\)",
            TEL,
            0.92,
            context=Context(not_left=EXERCISED),
        ),
        desk(DESKS, r"\d{1,2}", "extension of a desk"),
        desk(COUNTABLE, r"\d\d", "extension of one of several"),
        Pattern(
            "short extension",
            r"(?:[.,;:(]|\b[A-Z][a-z]+) (?:ext|Ext)\.? ?(\d{1,2})(?:[.,;)\n]| [a-z]|$)",
            TEL,
            0.92,
            context=Context(
                not_left=JOINTS, not_right=r"[ ]?(?:deg|to\b|x\b|lag|with|w/|limited|full|wnl)"
            ),
        ),
        Pattern(
            "short pager",
            r"(?i:\b(?:pager|pgr|beeper|bpr)) ?#?:? ?(\d{3})\b",
            TEL,
            0.92,
            after="0-9/%:^-",
        ),
        Pattern(
            "glued to its p",
            r"\b[a-z]{4,} (p\d{3})(?:[,.;)\n]|$)",
            TEL,
            0.92,
            check=no_protein,
            context=Context(not_left=r"(?:see|on|page|pages|at|of|and)[ ]"),
        ),
        Pattern(
            "pager of a service",
            r"\b[a-z]{3,} (p ?\d{4,5})\b",
            TEL,
            0.92,
            after="0-9/.:-",
            check=parity,
            context=Context(not_left=r"(?:see|on|page|pages)[ ]"),
        ),
        Pattern(
            "last four of a line",
            r"(?i)\b(?:landline|(?:her|his|their) own:|(?:number|phone|cell|one|it) (?:that )?(?:ended|ends|ending) in) (\d{4})\b",
            TEL,
            0.92,
            after="0-9/%:^-",
            check=no_year,
        ),
        Pattern(
            "last four of the next",
            r"\d{3}[-. ]\d{4} ?\([A-Za-z ]{1,8}\),?(?: or| and| &)? ?([-.]?\d{4})\b",
            TEL,
            0.92,
            after="0-9/-",
        ),
    )
