# ruff: noqa: E501 -- a pattern reads best on one line
"""(G) Social Security numbers, their last four digits and the taxpayer's number in their place.

Ranges the Social Security Administration never issues lower the score, they do not veto:
a mistyped SSN is still an SSN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Hit, Label, Pattern, Rules
from recognizers.text.normalized_text import NormalizedText

SSN = "US_SSN"


def issued(value: str) -> float:
    """Evidence from the SSA's ranges (SSA, randomization of 2011): negative for a number unissued."""
    digits = "".join(c for c in value if c.isdigit())
    if len(digits) != 9:
        return 0.0
    bad = (
        digits[:3] in {"000", "666"}
        or digits[0] == "9"
        or digits[3:5] == "00"
        or digits[5:] == "0000"
    )
    return -0.15 if bad else 0.05


SOCIAL = r"ssn?s?\b|social(?: sec(?:urity)?)?|soc\.? ?sec|\bss ?#|itin"


class Ssns(Rules):
    word = "ssns"
    around = Context(
        left=SOCIAL, not_left=r"(?:member|policy|plan|subscriber|claim|serial|lot)[ #:a-z]{0,12}"
    )
    patterns = (
        Pattern(
            "last four, with its letter",
            r"(?i)\b(?:last|ultimos)[ -]?(?:4|four|cuatro)\)?[ :=#(]{1,4}([A-Z]?\d{4})\b",
            SSN,
            0.9,
            after="0-9-/",
        ),
        Pattern(
            "dashed",
            r"(\d{3}-\d{2}-\d{4})",
            SSN,
            0.85,
            before="0-9A-Za-z-",
            after="0-9-",
            check=issued,
        ),
        Pattern(
            "spaced",
            r"(\d{3}[ .]\d{2}[ .]\d{4})",
            SSN,
            0.6,
            before="0-9A-Za-z.-",
            after="0-9-",
            check=issued,
        ),
        Pattern(
            "spaced dashes",
            r"(\d{3} ?- ?\d{2} ?- ?\d{4})",
            SSN,
            0.85,
            before="0-9A-Za-z-",
            after="0-9-",
            check=issued,
        ),
        Pattern(
            "broken over a line",
            r"(\d{3}-\d{2}-[ ]*\n[ \t|]*\d{4})",
            SSN,
            0.75,
            before="0-9-",
            after="0-9-",
        ),
        Pattern("masked", r"([xX*#]{3}[- ]?[xX*#]{2}[- ]?\d{4})", SSN, 0.9, after="0-9"),
        Pattern(
            "last four",
            r"(?i)\b(?:ssn?|social(?: security)?(?: number)?)[^\n0-9]{0,25}(?:last|final|ending|ends)[^\n0-9]{0,18}(\d{4})",
            SSN,
            0.95,
            after="0-9",
        ),
        Pattern(
            "last four, bare",
            r"(?i)\blast ?-?(?:4|four)(?: ?(?:of|ssn|ss|social|digits|on|the|form|file|#))*[ :=#(]*(\d{4})\b",
            SSN,
            0.9,
            after="0-9-/",
        ),
        Pattern(
            "veteran's last four",
            r"[A-Z][A-Za-z'-]+, ?[A-Z][A-Za-z]+(?: [A-Z][A-Za-z.]*)?[ ]{2,}([A-Z]?\d{4})\b",
            SSN,
            0.45,
        ),
    )
    labels = (
        Label(
            "ssn",
            r"ssn?|s\.s\.n?\.?|soc(?:ial)?\.? ?sec(?:urity)?(?: (?:number|no\.?))?|social|itin|ss",
            SSN,
            0.95,
            value=r"[xX*#]{3}[- ]?[xX*#]{2}[- ]?\d{4}|[0-9A-Z]{3}[-. ]?[0-9A-Z]{2}[-. ]?\d{4}|[A-Z]?\d{4}\b",
            glued=True,
            keep=lambda v: sum(c.isdigit() for c in v) in {4, 5, 8, 9},
        ),
    )

    def hits(self, page: NormalizedText) -> Iterator[Hit]:
        """Without the summary stage of a tumour, which has the year of its manual: `SS2018`."""
        for hit in super().hits(page):
            if not SUMMARY_STAGE.fullmatch(page.text, max(0, hit.start - 2), hit.end):
                yield hit


SUMMARY_STAGE = re.compile(r"SS(?:1977|2000|2018)")
