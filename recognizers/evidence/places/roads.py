# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) Addresses without a street's name: posts abroad, Puerto Rico, county roads, distances."""

from __future__ import annotations

import re

from recognizers.evidence.context import Context
from recognizers.evidence.places.streets import CAP, STREET
from recognizers.evidence.rules import Pattern, Rules
from recognizers.text.shapes import MEASURE

BOX = r"(?i:box|bx)[ #]{0,2}\d{1,6}[A-Z]?"
FORCES = r"(?:APO|FPO|DPO),?[ ](?:AE|AP|AA)(?:,?[ ]{1,3}\d{5}(?:-\d{4})?)?"
# What may follow the name of a development: its street, its block and its house.
CALLE = r"(?i:calle|c/|via|ave|avenida|paseo|camino)\.?[ ](?:\d{1,3}|[A-Z][A-Za-z]+(?:[ ][A-Z][A-Za-z]+)?)"
PLOT = r"(?:(?i:blq|blk|bloque|lote?|mza|manzana|casa|solar|apt|num|no)\.?[ ]?)?#?(?:\d{1,4}|[A-Z0-9]{1,3})(?:[ ]?-[ ]?[A-Z]?\d{1,4})?"
LAID = rf"(?:(?:,[ ]?|[ ]|[ ]*\n[ ]*)(?:{CALLE}|{PLOT}\b))"


# What a patient's condition is called: `Cond Stable`.
CONDITIONS = re.compile(
    r"(?i)cond\.? (?:stable|good|fair|poor|guarded|critical|serious|grave|improv|satisf|unchanged|same)"
)


def unwell(value: str) -> float:
    """Evidence against the condition of a patient."""
    return -0.95 if CONDITIONS.match(value) else 0.0


def breaths(value: str) -> float:
    """Evidence against a rate of breathing."""
    return -0.5 if re.search(r"[1-4]\d$", value) else 0.0


class PlacesRoads(Rules):
    word = "places_roads"
    patterns = (
        Pattern(
            "post abroad",
            rf"\b((?:(?i:psc|cmr|unit|umr)[ ]#?\d{{1,6}},?[ ]{BOX},?[ ]*(?:\n[ ]*)?)?{FORCES})\b",
            STREET,
            0.97,
        ),
        Pattern(
            "development with its plot",
            rf"\b((?i:urb|urbanizacion|bda|barriada|parcelas|reparto|colonia|col)\b\.?[ ](?:(?:{CAP}|de|del|la|las|los|el|DE|LA|LAS|LOS)[ ]?){{1,4}}{LAID}{{1,4}})\b",
            STREET,
            0.95,
            check=unwell,
        ),
        # `mm` is a mile marker on a road and a length of an aorta: `AAA 45 mm 6 months ago`.
        Pattern(
            "road to its mile",
            r"\b((?:[A-Z]{1,3}[ -]?\d{1,4}[A-Z]?,?[ ](?:to[ ])?(?i:milepost|mile post|mile marker|mp)|(?:I|US|SR|SH|CR|FM|RM|Hwy|HWY|Rte?|RT)[ -]?\d{1,4}[A-Z]?,?[ ](?:to[ ])?(?i:mm))[ ]?\d{1,3}(?:\.\d{1,2})?)\b",
            STREET,
            0.93,
        ),
        Pattern(
            "route by its figure",
            r"\b(?i:rollover on|crash on|wreck on|mvc on|mva on|off|trailer on)[ ](\d{2,4}[ ](?i:by|past|at|near|before)[ ](?:the[ ])?(?:[A-Za-z]+[ ]){0,2}(?i:turn|turnoff|exit|bridge|curve|church|store|chapter|casino|light))\b",
            STREET,
            0.93,
        ),
        Pattern(
            "street of the Netherlands or Germany",
            r"\b((?:[A-Z][a-z]+ )?[A-Z][a-z]{2,}(?:straat|strasse|laan|plein|gracht|kade|gasse|platz|allee|dijk|weg) \d{1,4}(?:[ ]?[a-zA-Z]\b|-\d{1,3})?)\b",
            STREET,
            0.93,
            after="0-9.%",
            context=Context(not_right=MEASURE),
        ),
        Pattern(
            "rural route alone",
            r"\b(R\.?R\.?[ ]?#[ ]?\d{1,2}|R\.R\.[ ]\d{1,2})\b",
            STREET,
            0.93,
            check=breaths,
        ),
    )
