"""What is said or written on beside a found value, without a mark between.

Sentences of transcripts go on behind a name, a road or a day; rows of a chart name a disease before
the one who has it, and the side of the body behind the one who was pricked there.
"""

from __future__ import annotations

import re

from recognizers import gazetteers
from recognizers.names_evidence import SHORT_FORMS
from recognizers.places_streets import SURE

# A disease before the name of one who has it: `COPD, Jane D.`, `MS like Jane D.`
LIKENED = re.compile(r"([A-Z]{2,5})(?:, | like )(?=[A-Z][a-z]+ [A-Z])")


def likened(text: str, start: int, end: int) -> int:
    """The start of a name without the short form of the clinic before it."""
    head = LIKENED.match(text, start, end)
    if not head or head.group(1).lower() not in SHORT_FORMS:
        return start
    listed = head.group().endswith("e ") or not gazetteers.surname(head.group(1))
    return head.end() if listed else start


# What is said in between, before and behind a name of a transcript, which has no capitals.
HEMS = (
    "um|uh|uhm|er|ah|oh|okay|ok|hey|hi|so|well|yeah|yes|right|alright|great|huh|hmm|dragon|listen"
)
HEM_BEFORE = re.compile(rf"(?:(?:{HEMS}),? )+(?=[a-z]{{2}})")
HEM_AFTER = re.compile(rf"(?:,? (?:{HEMS}))+$")


# Oh, So, Huh are families, too: `patient is oh sung min`.
CALLED = re.compile(r"\b(?:patient|mrs?|ms|miss|mister|dr|doctor|nurse|named?)[.,]?(?: is)? $")
PRONOUN = re.compile(r" (?:he|she|they|who|it)$")


def unhemmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A name in small letters without such words at its edges: `terri um`, `malik he`'s."""
    if not text[start:end].islower():
        return start, end
    own = PRONOUN.search(text, start, end) if text[end : end + 1] in {"'", "\u2019"} else None
    end = own.start() if own else end
    before = None if called(text, start) else HEM_BEFORE.match(text, start, end)
    first = before.end() if before else start
    after = HEM_AFTER.search(text, first, end)
    return first, after.start() if after and not called(text, after.start() + 1) else end


def called(text: str, start: int) -> bool:
    """Does a title or a word of the clinic say that a name begins here?"""
    return CALLED.search(text, max(0, start - 24), start) is not None


# A side and where the shot or the sample is of, behind a name in a row.
SIDE = re.compile(r"[a-z]( [LR])$")
SIDED = re.compile(
    r" (?:breast|br|delt(?:oid)?|arm|forearm|fa|leg|knee|hip|eye|ear|ax(?:illa)?|hand|foot|wrist|"
    r"shoulder|ankle|elbow|thigh|glut\w*|lung|kidney|ovary|ac|ij|lat)\b"
)


# The days of somebody's week, behind the name.
WEEKLY = re.compile(r" (?:M-F|M-Th|T-F|MWF|TTS|TTHS|TThS|M/W/F)$")


def unsided(text: str, start: int, end: int) -> int:
    """The end of a name without the side of the body behind it, `Odum L delt`, or the days."""
    days = WEEKLY.search(text, start, end)
    end = days.start() if days else end
    side = SIDE.search(text, start, end)
    return side.start(1) if side and SIDED.match(text, end) else end


# A sentence that goes on without marks behind a road or a day.
FLOWING = frozenset(["STREET_ADDRESS", "DATE_TIME"])
FLOW = re.compile(
    r"(?<=[a-z]) (?:for|so|but|because|when|if|then|where|that|happy|thanks?|okay|great|is|was)\b"
    r".*$"
)


ROADS = re.compile(rf" {SURE}\b")


def unflowed(text: str, start: int, end: int) -> int:
    """The end of a road or a day in small letters before the rest of what was said.

    Of `1200 n great neck road` it is the road's own.
    """
    flow = FLOW.search(text, start, end) if text[start:end].islower() else None
    if not flow or flow.start() - start <= 4 or ROADS.search(text, flow.start(), end):
        return end
    return flow.start()


DANGLING = re.compile(r" (?:for|of|and)$")
SAID_ON = re.compile(r"[ \t]+[^A-Z\s]")
TITLED = re.compile(r" (?:Drs?|Mrs?|Ms|Prof|Rev)\.?$")
NAMED = re.compile(r"\.? [A-Z]")


def dangling(text: str, start: int, end: int) -> int:
    """The end of a house before `for` of the sentence, before `Dr` of the next name.

    Of `Home for` Aged Women it is the name's own.
    """
    for last, right in ((DANGLING, SAID_ON), (TITLED, NAMED)):
        match = last.search(text, start, end)
        if match and right.match(text, end):
            return match.start()
    return end
