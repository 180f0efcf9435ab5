# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) Highways, routes and interstates by their number, with the mile, the exit or what they cross."""

from __future__ import annotations

import re

from recognizers.evidence.context import Context
from recognizers.evidence.places.streets import STREET
from recognizers.evidence.rules import Pattern

# Where on a road: its mile, its exit, what it crosses.
WHERE = r"(?:,? (?i:near |at )?(?i:mile(?:post| marker)?|mp|mm|km|exit)[ ]?\d+(?:\.\d+)?[A-Z]?|[ ](?:at|@|x|&|near|nr|by)[ ](?:the )?[A-Z0-9][A-Za-z0-9'-]*(?:[ ][A-Z][A-Za-z'-]+){0,2})?"
ISOTOPES_AND_PEDIGREES = frozenset({"I-1", "I-2", "I-3", "I-123", "I-124", "I-125", "I-131"})
MARKERS = frozenset({"CA 125", "CA 19", "CA 15", "CA 27", "CA 72", "CA 50"})


def interstate(value: str) -> float:
    """Evidence against `I-131`, which is iodine, and `I-1`, the first of a pedigree."""
    return -2.0 if value.split()[0] in ISOTOPES_AND_PEDIGREES else 0.0


def no_marker(value: str) -> float:
    """Evidence against `CA 125`: a tumour marker, not a road of California."""
    words = re.split(r"[ -]", value)
    return -0.5 if words[0] + " " + words[-1] in MARKERS else 0.0


HIGHWAYS = (
    Pattern(
        "highway",
        rf"\b((?i:(?:u\.?s\.?|state|county|interstate|farm|indian|forest|fs|blm|bia|old|east|west|north|south)[ ]+)?(?i:highway|hwy|route|rte|county road|county rd|cty rd|state road|interstate|farm road|farm to market)[ .#-]{{1,2}}(?:[A-Z]{{1,2}}|\d{{1,4}}[A-Z]?)(?:[ ](?:[NSEW]|North|South|East|West)\b|[ ](?:north|south|east|west) of [A-Z][a-z]+(?:[ ][A-Z][a-z]+)?)?{WHERE})\b",
        STREET,
        0.8,
        after="0-9.",
        context=Context(not_right=r" ?(?:min(?:utes)?|hrs?|hours?|days?|mins)\b"),
    ),
    Pattern(
        "route",
        r"\b((?:Rte|Rt|Route|Carr|County Rd|Co Rd|Cty Rd|Carretera)\.? ?#?\d{1,4}[A-Z]?(?:,? (?i:near |at )?(?i:mile(?:post| marker)?|mp|mm|km|exit)[ ]?\d+(?:\.\d+)?(?: Int\b)?)?)",
        STREET,
        0.9,
        after="0-9",
    ),
    Pattern(
        "interstate by its letter",
        rf"\b(I-\d{{1,3}}(?:[NSEW]\b)?{WHERE})",
        STREET,
        0.6,
        after="0-9.%-",
        check=interstate,
        context=Context(
            left=r"\b(?:on|off|near|at|along|down|up|via|of|vs|nb|sb|eb|wb|and|from|by|runs?|takes?|took|past|over|under|across|onto|to|exit)[ ]+$",
            right=r",? ?(?:near|at|mile|mp|mm|km|exit|&|and|to|north|south|east|west|overpass|ramp|mile)",
            not_left=r"(?:stage|grade|class|type|gag|cn)[ ]*$",
        ),
    ),
    Pattern(
        "road of the Bureau of Indian Affairs",
        r"\b(BIA[- ]\d{1,4}(?:,? (?:near |at )?(?i:mile(?:post| marker)?|mp|mm)[ ]?\d+)?)\b",
        STREET,
        0.9,
    ),
    Pattern(
        "interstate",
        rf"\b((?:(?:I|US|SR|CR|FM|RM|SH|PR|Carr|Rt|Rte|RR|Co Rd|County Rd|KY)[-. ]{{1,2}}\d{{1,4}})(?:[NSEW]\b)?{WHERE})\b",
        STREET,
        0.3,
        after="0-9.%",
        context=Context(
            left=r"\b(?:on|off|near|at|along|down|up|via|of|by|mvc|mva|crash|vs|nb|sb|eb|wb|northbound|southbound|and|from|runs?|takes?|took|past|across|onto)[ ]+$",
            right=r",? ?(?:near|at|mile|mp|mm|km|exit|&|and|south|north|east|west|overpass|ramp|box)",
            width=16,
        ),
    ),
    Pattern(
        "state road",
        rf"\b((?:FM|RM|NM|LA|KY|BIA|SR|CR|TR|US|SH|PR|CTH|STH|VT|NH|ME|MT|WY|TX|UT|CO|NC|SC|GA|AL|MS|TN|VA|WV|OH|IN|IL|MI|WI|MN|IA|MO|KS|NE|ND|SD|OK|AR|AZ|NV|ID|OR|WA|CA|NY|NJ|FL)[ -]\d{{1,4}}{WHERE})\b",
        STREET,
        0.5,
        after="0-9.%/-",
        check=no_marker,
        context=Context(
            left=r"(?:\b(?:on|off|along|down|up|via|nb|sb|eb|wb|northbound|southbound|eastbound|westbound|take|crash on|between|near|mm \d{1,3}|mp \d{1,3},?)[ ]+)$",
            right=r"(?:,? ?(?:near|at mile|mile|mp|mm|exit|&|south of|north of|east of|west of|overpass|ramp|washed))",
            width=16,
        ),
    ),
)
