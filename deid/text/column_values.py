"""The values of a column that name a person, a place or an organization, by the text search."""

from __future__ import annotations

from collections.abc import Sequence

from deid.text.scrubber import TextFinder
from recognizers import Finding, is_town_name, word_evidence

# The least probability of a finding. A code such as `MCH RBC Qn` may look like a name, so a person
# needs more.
LEAST_PLACE, LEAST_PERSON = 0.85, 0.98
# Log2 of the ZIP codes of a town that is known even if its name is also a clinical word: `Boston`.
_WELL_KNOWN = 5
_PLACES = frozenset(["FACILITY", "EMPLOYER", "CITY", "COUNTY", "STREET_ADDRESS"])


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
        if _is_town(value) or any(_names(finding, len(before)) for finding in findings)
    )


def _names(finding: Finding, start: int) -> bool:
    if finding.end <= start:
        return False
    least = LEAST_PERSON if finding.entity == "PERSON" else LEAST_PLACE
    return finding.entity in {"PERSON", *_PLACES} and finding.score >= least


def _is_town(value: str) -> bool:
    """Whether the whole value is a town, and no word of it is an everyday word."""
    words = [word_evidence(word) for word in value.split()]
    if not is_town_name(value) or any(word.rank is not None for word in words):
        return False
    known = word_evidence(value).place >= _WELL_KNOWN
    return known or not any(word.clinical for word in words)
