"""A telephone number that is called a fax."""

from __future__ import annotations

import re
from dataclasses import replace

from recognizers.entities import ENTITIES
from recognizers.finding import Finding

FAX = "FAX_NUMBER"
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
