"""The values of a column in which the text search finds a person, place or organization."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deid.text.scrubber import TextFinder
from recognizers import Finding, is_town_name, word_evidence

# The least probability of a finding. A code such as `MCH RBC Qn` may look like a name, so a person
# needs more.
LEAST_PLACE, LEAST_PERSON = 0.85, 0.98
# Log2 of the ZIP codes of a town: of one that is recognized beside other words (`Arm A Toledo`),
# and of one that is recognized even if its name is a clinical word, too (`Boston`).
_LARGE, _WELL_KNOWN = 4, 5
_WORD = re.compile(r"[^\W\d_]{4,}")
_PLACE_ENTITIES = frozenset(["FACILITY", "EMPLOYER", "CITY", "COUNTY", "STREET_ADDRESS"])


def naming_values(finder: TextFinder, header: str, values: Sequence[str]) -> frozenset[str]:
    """Return the values that name somebody: `Transferred to Mercy General`, `Dr. Patel`, `Toledo`.

    Each value is searched behind its header, as if it stood in a note.
    """
    worded = [value for value in values if any(map(str.isalpha, value))]
    before = f"{header}: "
    found = finder.find_all([before + value for value in worded]) if worded else []
    return frozenset(
        value
        for value, findings in zip(worded, found, strict=True)
        if _names_town(value) or any(_names_surely(finding, len(before)) for finding in findings)
    )


def _names_surely(finding: Finding, start: int) -> bool:
    if finding.end <= start:
        return False
    least = LEAST_PERSON if finding.entity == "PERSON" else LEAST_PLACE
    return finding.entity in {"PERSON", *_PLACE_ENTITIES} and finding.score >= least


def _names_town(value: str) -> bool:
    """Whether the value is a town, or has the name of a large town among its words.

    A town does not count if its name is an everyday or clinical word, unless the town is well
    known.
    """
    words = [word_evidence(word) for word in _WORD.findall(value)]
    plain = [word for word in words if not word.is_ordinary]
    if any(word.place >= _LARGE for word in plain):
        return True
    if not words or not is_town_name(value) or any(word.rank is not None for word in words):
        return False
    return len(plain) == len(words) or word_evidence(value).place >= _WELL_KNOWN
