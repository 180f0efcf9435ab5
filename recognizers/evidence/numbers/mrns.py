# ruff: noqa: E501 -- a pattern reads best on one line
"""(H) Medical record numbers, under the many names a chart number goes by."""

from __future__ import annotations

import re

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Label, Pattern, Rules
from recognizers.text.shapes import CLOCK, MEASURE, three_digits

MRN = "MEDICAL_RECORD_NUMBER"
WORDS = (
    r"e?mrns?|m\.r\.n\.?|mr|med(?:ical)?\.? rec(?:ord)?s?\.?(?: (?:no|num|number))?|medrec|mrno|emr|ehr id|hrn|"
    r"chart|health record|hospital (?:no|number|id|#)|hosp(?: id| no| number|#)?|unit(?: (?:no|number|rec(?:ord)?))? ?#|unit no|unit number|"
    r"patient (?:id|no|number|#)|pt\.? ?(?:id|no|#)|pat ?id|clinic (?:id|no|#)|record (?:no|number|#)|"
    r"client (?:no|id|#)|resident (?:no|id|#)|mpi|empi|pid|cmrn|prior mrn|old mrn|expediente|doc ?#|such#"
)


def numbered(value: str) -> bool:
    """Three digits at least, no year and no time of day: `HOSP 0302`, `chart, 2018`."""
    if re.fullmatch(rf"(?:19|20)\d\d|{CLOCK}", value):
        return False
    return three_digits(value)


def no_order(value: str) -> float:
    """Evidence against what somebody recommends: `Rec CPAP 14`, `Rec: TNK 16 mg`."""
    return -0.92 if re.fullmatch(r"[A-Z]{2,4} \d{1,3}", value) else 0.0


class Mrns(Rules):
    word = "mrns"
    patterns = (
        Pattern(
            "glued to its label",
            r"(?i)(?:MRN|MR#|MRNO|chartMRN)[#: -]?([A-Z]{0,3}-?\d[\d-]{3,})\b",
            MRN,
            0.95,
        ),
        Pattern(
            "health record, three pairs", r"\b(?:HR|H\.R\.)[ #:.]{0,3}(\d\d-\d\d-\d\d)\b", MRN, 0.95
        ),
        # No ZIP code and no telephone stands so after a name in a list of patients.
        Pattern(
            "after a name in a list",
            r"\b[A-Z][A-Za-z'-]+, ?[A-Z][A-Za-z'-]+(?: [A-Z][A-Za-z]*\.?)? {1,6}(\d{6,9})\b",
            MRN,
            0.92,
            after="0-9/:.-",
            context=Context(not_right=MEASURE),
        ),
        Pattern(
            "after a name and an initial",
            r"\b[A-Za-z][a-z'-]+, ?[A-Za-z]\.? {1,4}(\d{6,9})\b",
            MRN,
            0.92,
            after="0-9/:.-",
            context=Context(not_right=MEASURE),
        ),
        Pattern(
            "record by itself",
            r"\b(?:Record|Rec|RECORD|REC)\.?:? ([A-Z]{1,4} ?\d{2,5}(?:[ -]\d{2,4}){0,2}|\d{4,9}|[A-Z]{1,3}-\d{3,8})\b",
            MRN,
            0.92,
            after="0-9/:.-",
            check=no_order,
            context=Context(not_right=MEASURE),
        ),
        Pattern("hl7 identifier", r"\|([A-Za-z0-9-]{4,20})\^\^\^[A-Za-z0-9&.]*\^MR", MRN, 0.95),
    )
    labels = (
        Label(
            "record number",
            WORDS,
            MRN,
            0.92,
            glued=True,
            keep=numbered,
        ),
        Label("record number, short", r"mrn|medical record(?: number)?", MRN, 0.9, column=False),
    )
