"""How the sources combine: what rules and the model say of the same text.

Without a model a rule must reach `THRESHOLD` by itself. With one, a rule's score and the model's
support are added; a finding of the model needs what `protection` asks for such a value, less where
a rule agrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recognizers.decide.cover import Cover
from recognizers.decide.edges import PLACED, bridged, completed
from recognizers.decide.guards import DATE, NEVER, vetoed
from recognizers.decide.heads import stripped
from recognizers.decide.overlaps import rank
from recognizers.decide.protection import needed, unnamed
from recognizers.entities import ENTITIES, NUMBERED
from recognizers.evidence.names.cues import CREDENTIALS
from recognizers.finding import Finding
from recognizers.model.output import ModelOutput
from recognizers.text.ascii_text import normalize
from recognizers.text.measures import measured, without_units
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

# The least score of a rule without a model beside it.
THRESHOLD = 0.5
# With a model: score plus SWAY times its support must reach NEEDED.
SWAY = 1.1
NEEDED = 0.95
# A rule as sure as this does not ask the model.
SURE = 0.9
# What an agreeing rule is worth to a finding of the model.
AGREED = 0.4
# Below this the model denies a word.
DENIED = 0.03
WORDS = frozenset({"PERSON", "FACILITY", "EMPLOYER", "CITY", "COUNTY"})
FIGURES = DATE | NUMBERED
WORD = re.compile(r"[^\W_]+(?:[.'\u2019-][^\W_]+)*\.?")
OVERLONG = re.compile(r"\d{6,8}")
LEFT, RIGHT = 24, 16


def merge(
    page: NormalizedText, text: str, ruled: Sequence[Finding], reading: ModelOutput | None
) -> list[Finding]:
    """The findings to settle."""
    if reading is None:
        return [completed(text, f) for f in distinct(f for f in ruled if f.score >= THRESHOLD)]
    held_up = distinct(f for f in ruled if f.score and backed(f, reading))
    kept = [f for f in held_up if not barred(f, page, text)]
    covered = Cover(kept)
    # A rule's finding without any score says that the value is none of its kind.
    against = {(f.start, f.end, f.entity) for f in ruled if not f.score}
    free = (f for f in reading.findings if (f.start, f.end, f.entity) not in against)
    bared = (without_units(text, retyped(f, text)) for f in free)
    asked = [f for f in bared if f is not None]
    sure = (f for f in bridged(text, asked) if stands(f, page, text, covered))
    standing = [bare(f, text) for f in sure]
    seen = Cover(standing)
    held = distinct([*(narrowed(f, text, reading, seen) for f in kept), *standing])
    whole = [completed(text, f) for f in held]
    before = frozenset(f.end for f in whole)
    after = frozenset(f.start for f in whole if f.entity in PLACED)
    return [stripped(text, f, before, after) for f in whole]


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """One finding of those that say the same: the one that would rank first, as sure as any.

    A sure one and one that asked the model are two.
    """
    best: dict[tuple[int, int, str, bool], Finding] = {}
    for finding in findings:
        key = finding.start, finding.end, finding.entity, finding.score >= SURE
        other = best.get(key)
        if other is None:
            best[key] = finding
        elif rank(finding) > rank(other):
            del best[key]  # it takes its own place in their order
            best[key] = finding
        elif finding.score > other.score:
            best[key] = replace(other, score=finding.score)
    return list(best.values())


def retyped(finding: Finding, text: str) -> Finding:
    """Six digits to eight after a name are no ZIP code, but a number of somebody all the same."""
    if finding.entity == "US_ZIP_CODE" and OVERLONG.fullmatch(text, finding.start, finding.end):
        return replace(finding, entity="OTHER_ID", identifier=ENTITIES["OTHER_ID"])
    return finding


def narrowed(finding: Finding, text: str, reading: ModelOutput, seen: Cover) -> Finding:
    """A rule's words without those at its edges that the model, which found the rest, denies.

    Rules say that a name is there; where it ends the model says better. Figures stay whole.
    """
    if finding.entity not in WORDS or not seen.touches(finding.start, finding.end):
        return finding
    words = [(m.start(), m.end()) for m in WORD.finditer(text, finding.start, finding.end)]
    kept = [w for w in words if reading.support(*w) >= DENIED or given(finding, text[slice(*w)])]
    if not kept:
        return finding
    # The kind of a house (`urgent care`) is of its name, which the model may not see.
    sure = finding.entity == "EMPLOYER" and finding.score >= SURE
    end = finding.end if sure or finding.entity == "FACILITY" else kept[-1][1]
    if (kept[0][0], end) == (finding.start, finding.end):
        return finding
    return replace(finding, start=kept[0][0], end=end)


# What a person has learned stands behind the name and is not of it.
CREDENTIAL = re.compile(
    rf"(?<=[\w.])[ ]*(?:,[ ]*|[ ])(?:{CREDENTIALS}"
    r"|RNC|OTR|CCRC|CDCES|RDH|PHN|CCHT|RPSGT|SRNA|SNM|PCT|CTR|CIT|LCDP|LISW|CCTC|CSPI|CGC|LGC)$"
)


def bare(finding: Finding, text: str) -> Finding:
    """A person's name without the credential that the model took with it."""
    if finding.entity != "PERSON":
        return finding
    match = CREDENTIAL.search(text, finding.start, finding.end)
    if not match or match.start() - finding.start < len("Al"):
        return finding
    if surnamed(text[match.start() : finding.end], text[finding.start : match.start()]):
        return finding
    return replace(finding, end=match.start())


def surnamed(ending: str, before: str) -> bool:
    """Are the letters behind one given name a surname that many bear: `LINH MA`, `HANH DO`?"""
    if " " in before.strip() or not ending.startswith(" "):
        return False
    return gazetteers.surname(ending.strip()) > 8


def given(finding: Finding, text: str) -> bool:
    """Is a word of a person's name a given name? The model denies those that are words, too."""
    return finding.entity == "PERSON" and gazetteers.first_name(text) > 8


def backed(finding: Finding, reading: ModelOutput) -> bool:
    """Is a rule's finding sure by itself, or sure enough with what the model makes of it?"""
    if finding.score >= SURE:
        return True
    return finding.score + SWAY * reading.support(finding.start, finding.end) >= NEEDED


def stands(finding: Finding, page: NormalizedText, text: str, ruled: Cover) -> bool:
    """Is the model sure enough, for such a value in such a place?"""
    value, left, right = placed(finding, page, text)
    limit = needed(value, finding.entity, left, right)
    if limit >= NEVER:
        return False
    agreed = ruled.touches(finding.start, finding.end)
    return finding.score >= limit - (AGREED if agreed else 0.0)


def barred(finding: Finding, page: NormalizedText, text: str) -> bool:
    """Is it a figure, a unit or a code of medicine, which no rule that is not sure may take?"""
    if finding.entity == "PERSON":
        value = text[finding.start : finding.end]
        return measured(text, finding) or (" " in value and unnamed(value))
    if finding.score >= SURE or finding.entity not in FIGURES:
        return False
    if measured(text, finding):
        return True
    value, left, right = placed(finding, page, text)
    return vetoed(value, finding.entity, left, right)


def placed(finding: Finding, page: NormalizedText, text: str) -> tuple[str, str, str]:
    """The value, normalised, and what stands before and after it on its line."""
    start, end = finding.start, finding.end
    moved = page.normal.origin is not None
    value = normalize(text[start:end]).text if moved else page.text[start:end]
    left = text[max(0, start - LEFT) : start].rsplit("\n", 1)[-1]
    return value, left, text[end : end + RIGHT].split("\n", 1)[0]
