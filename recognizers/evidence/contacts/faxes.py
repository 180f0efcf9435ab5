# ruff: noqa: E501 -- a pattern reads best on one line
"""(E) Fax numbers: a telephone number that a label or a page header calls a fax."""

from __future__ import annotations

import re
from dataclasses import replace

from recognizers.entities import ENTITIES
from recognizers.evidence.rules import Label, Pattern, Rules
from recognizers.finding import Finding
from recognizers.text.shapes import SPOKEN_DIGIT

FAX = "FAX_NUMBER"
NUMBER = r"(?:\+?1[-. ])?\(?\d{3}\)?[ ]?[-./ ]{0,2}[ ]?\d{3}[ ]?[-. ]?[ ]?\d ?\d{3}"
WORDS = r"(?i:fax(?:ed|es|ing)?|fx|f|facsimile|efax|telefax)"


class Faxes(Rules):
    word = "faxes"
    patterns = (
        Pattern(
            "after fax",
            rf"\b{WORDS}(?i:[ ](?:to|at|no|number|is|#|line|copy))*[ ]*[:.#-]*[ \t]*({NUMBER})",
            FAX,
            0.95,
            after="0-9",
        ),
        Pattern(
            "after fax, with a few words between",
            rf"\b(?i:fax(?:ed|ing)?)\b[^\n0-9:;.]{{1,40}}[ :]({NUMBER})",
            FAX,
            0.9,
            after="0-9",
        ),
        Pattern("before fax", rf"({NUMBER}) ?\(?(?i:fax|\(f\)|f\b)", FAX, 0.9, before="0-9"),
        Pattern(
            "after a phone and a slash",
            r"\d{3}[-. ]\d{4} ?[/|] ?(\(?\d{3}\)?[-. /]\d{3}[-. ]\d{4})",
            FAX,
            0.55,
            after="0-9",
        ),
        Pattern(
            "fax spoken",
            rf"(?i)\bfax(?: number)?(?: is)?[ :,]+((?:{SPOKEN_DIGIT})(?:[ ,-]+{SPOKEN_DIGIT}){{6,}})",
            FAX,
            0.95,
        ),
        Pattern("transmission header", r"\b(?:FROM|TO):(\d{10})\b", FAX, 0.9),
    )
    labels = (
        Label("fax", r"fax|fx|facsimile|telefax", FAX, 0.95, value=NUMBER),
        Label("fax, short", r"fax|fx", FAX, 0.8, value=r"\d{3}[-. ]?\d{4}|\d{4}\b", column=False),
    )


# Right before a number; of `Tel/Fax` it is a telephone as well, and stays one.
CALLED = re.compile(
    r"(?<![A-Za-z/&])(?:(?i:e?fax(?:ed|es|ing)?|fx|facsimile|telefax)|F(?=[ .]?:))"
    r"(?: (?:to|at|no|number|is|line|#))*[ .:#-]{0,4}\(?$"
)
REACH = 24


def as_called(finding: Finding, text: str) -> Finding:
    """A telephone number that the words right before it call a fax is a fax number."""
    if finding.entity != "PHONE_NUMBER" or finding.source == "known_values":
        return finding
    if not CALLED.search(text[max(0, finding.start - REACH) : finding.start]):
        return finding
    return replace(finding, entity=FAX, identifier=ENTITIES[FAX])
