"""Look up forms in a text at the start of each run of letters or digits.

The text is folded into a stream of letters and digits. At the start of each run, the next
characters are looked up in a dictionary, so the cost grows with the length of the text, not with
the number of values.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from string import hexdigits

from deid.residual.folding import cased_and_folded
from deid.residual.forms import (
    CODE,
    DATED,
    INVERTED,
    LABELED,
    PLAIN,
    POSTAL,
    RAISED,
    SPLIT,
    TITLED,
    ValueForm,
    are_everyday,
)
from deid.residual.layers import long_runs
from safe_harbor import Identifier

HEAD_LENGTH = 5
LONGEST_JOIN = 14
_LETTERS_OR_DIGITS = re.compile(r"[a-z]+|[0-9]+")
_HEX_RUN = re.compile(r"[0-9a-fA-F]{32,}")
_DIGEST_SIZES = (32, 40, 64)
_AS_HEX_DIGITS = bytes(ord("h" if chr(code) in hexdigits else " ") for code in range(256))
_TITLE_BEFORE = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Mx|Sr|Sra|MR|MRS|MS|MISS)\b\.?\s+$")
_LAST_FOUR_LABEL = re.compile(
    r"(?:ssn|ss ?#|social|last (?:4|four)|ending|ends in|[x*]{2,}-?)\D{0,24}$"
)
_SEPARATOR = re.compile(r"\n\s*\n|[|;]")
_LINE_END = re.compile(r"\s*[\r\n]\s*")
_IN_A_ROW = re.compile(r"\d[-/.] | [-/.]\d")
_AFTER_CODE_OR_COUNT = re.compile(r"(?:\b(?:cpt|hcpcs|ndc|platelets?|plt|wbc)|[$#])\W*$|\d[.,/]$")
_OF_A_FIGURE = re.compile(r"[.,/]\d|\d")
# Two letters before the mark: a period after an initial does not end a sentence.
_SENTENCE_END = re.compile(r"[A-Za-z]{2}[.;:?!]\s")
_WIDEST_GAP = 6


@dataclass(frozen=True, slots=True)
class Sighting:
    """A form found in a layer of a text. `bare_digits`: the form is a single run of digits."""

    offset: int
    word: Identifier
    kind: str
    bare_digits: bool


class FormIndex:
    """A dictionary of forms, looked up by their first characters."""

    def __init__(self, forms: Iterable[ValueForm]) -> None:
        self._exact: dict[str, list[ValueForm]] = defaultdict(list)
        for form in forms:
            if form not in self._exact.get(form.key, ()):
                self._exact[form.key].append(form)
        self._heads = {key[:HEAD_LENGTH] for key in self._exact if len(key) >= HEAD_LENGTH}
        self._short = {key[:2] for key in self._exact if len(key) < HEAD_LENGTH}
        self._longest = max(map(len, self._exact), default=0)
        self._digests: dict[str, ValueForm] | None = None

    def __len__(self) -> int:
        return len(self._exact)

    def look(self, text: str) -> list[Sighting]:
        """The forms in a text, without decoding it."""
        if not self._exact:
            return []
        cased, folded = cased_and_folded(text)
        runs = _LETTERS_OR_DIGITS.findall(folded)
        stream = "".join(runs)
        stops = [0, *accumulate(map(len, runs))]
        heads, short = self._heads, self._short
        places = [
            i
            for i, start in enumerate(stops[:-1])
            if stream[start : start + HEAD_LENGTH] in heads or stream[start : start + 2] in short
        ]
        return self._confirm(cased, folded, stream, stops, places)

    def _confirm(
        self, cased: str, folded: str, stream: str, stops: list[int], places: list[int]
    ) -> list[Sighting]:
        """The longest form that has its evidence at each of `places`, which are numbers of runs."""
        spans: list[tuple[int, int]] = []
        seen: list[Sighting] = []
        for i in places:
            for j in range(min(i + LONGEST_JOIN, len(stops) - 1), i, -1):
                key = stream[stops[i] : stops[j]]
                if len(key) > self._longest or key not in self._exact:
                    continue
                spans = spans or [match.span() for match in _LETTERS_OR_DIGITS.finditer(folded)]
                form = shown_form(self._exact[key], key, cased, folded, spans[i:j])
                if form is not None:
                    bare = key.isdigit() and j == i + 1
                    seen.append(Sighting(spans[i][0], form.word, form.kind, bare))
                    break
        return seen

    def look_for_digests(self, text: str) -> list[Sighting]:
        """The unkeyed hashes (MD5, SHA-1, SHA-256) in a text that were computed from a form."""
        shown = digests_shown(text)
        if not shown:
            return []
        if self._digests is None:
            self._digests = {
                d: forms[0] for key, forms in self._exact.items() for d in digests_of(key)
            }
        return [
            Sighting(offset, form.word, "hash of a value", False)
            for offset, digest in shown
            if (form := self._digests.get(digest))
        ]


def digests_shown(text: str) -> list[tuple[int, str]]:
    """The possible unkeyed hashes in a text, in lower case, each with its offset.

    The offset counts in the joined long runs of the text.
    """
    if b"h" * min(_DIGEST_SIZES) not in text.encode("ascii", "replace").translate(_AS_HEX_DIGITS):
        return []
    found = _HEX_RUN.finditer("\n".join(long_runs(text, 32)))
    return [(m.start(), m.group().lower()) for m in found if len(m.group()) in _DIGEST_SIZES]


def digests_of(key: str, sizes: Collection[int] = _DIGEST_SIZES) -> Iterator[str]:
    """Yield the unkeyed hashes of a form's usual spellings, with these numbers of hex digits."""
    if len(key) < 6:
        return
    shapes = {key, key.upper()}
    if key.isdigit():
        shapes |= {
            f"{key[:3]}-{key[3:5]}-{key[5:]}",
            f"{key[:3]}-{key[3:6]}-{key[6:]}",
            key.zfill(8),
        }
    for shape in shapes:
        data = shape.encode()
        if 32 in sizes:
            yield hashlib.md5(data, usedforsecurity=False).hexdigest()
        if 40 in sizes:
            yield hashlib.sha1(data, usedforsecurity=False).hexdigest()
        if 64 in sizes:
            yield hashlib.sha256(data).hexdigest()


def shown_form(
    forms: Iterable[ValueForm], key: str, cased: str, folded: str, spans: list[tuple[int, int]]
) -> ValueForm | None:
    """Return the first of these forms that the text at `spans` is evidence of, or None."""
    if _is_interrupted(folded, spans) or (key.isdigit() and _are_separate_numbers(folded, spans)):
        return None
    loose = len(spans) > 1 and are_everyday(folded[start:stop] for start, stop in spans)
    broken = key.isalpha() and _is_over_lines(folded, spans)
    for form in forms:
        if (loose and form.whole) or (broken and form.kind == CODE):
            continue
        if _has_evidence(form, cased, spans):
            return form
    return None


def _gaps(folded: str, spans: list[tuple[int, int]]) -> list[str]:
    """The text between the runs."""
    return [folded[before[1] : after[0]] for before, after in pairwise(spans)]


def _is_over_lines(folded: str, spans: list[tuple[int, int]]) -> bool:
    """Whether a line ends between the runs, without a hyphen.

    A name may go over lines. A code of letters is written in one word, so its letters in two lines
    are in two cells or elements, such as a title and the first line below it.
    """
    return any(map(_LINE_END.fullmatch, _gaps(folded, spans)))


def _is_interrupted(folded: str, spans: list[tuple[int, int]]) -> bool:
    """Whether there is a separator, a blank line or a wide gap between the runs."""
    for gap in _gaps(folded, spans):
        if (len(gap) > _WIDEST_GAP and gap.strip()) or _SEPARATOR.search(gap) or len(gap) > 40:
            return True
    return False


def _are_separate_numbers(folded: str, spans: list[tuple[int, int]]) -> bool:
    """Whether the runs are several numbers.

    With spaces, only short groups and groupings such as 802 5550143 are one number.
    """
    sizes = tuple(stop - start for start, stop in spans)
    spaced = any(gap.isspace() for gap in _gaps(folded, spans))
    return spaced and max(sizes) > 4 and sizes not in {(3, 7), (1, 3, 7), (5, 4), (3, 6), (4, 5)}


def _has_evidence(form: ValueForm, cased: str, spans: list[tuple[int, int]]) -> bool:
    """Whether the text shows the evidence that the form needs."""
    if form.needs == PLAIN:
        return True
    start, end = spans[0][0], spans[-1][1]
    if form.needs == POSTAL:
        return _is_postal(cased.lower(), spans)
    if form.needs in (RAISED, INVERTED):
        value = cased[start:end]
        if form.needs == INVERTED and "," not in value and value.isupper():
            return False
        if _SENTENCE_END.search(value):
            return False
        runs = [cased[first:stop] for first, stop in spans if cased[first].isalpha()]
        long = [run for run in runs if len(run) > 2]
        return all(run[0].isupper() for run in (long or runs))
    around = cased[max(0, start - 2) : start] + " " + cased[end : end + 2]
    if form.needs in (SPLIT, DATED) and _IN_A_ROW.search(around):
        return False
    if form.needs == DATED and len(spans) != 3:
        return len(spans) == 1 and len(form.key) == 8
    if form.needs in (SPLIT, DATED):
        return len(spans) > 1 and any(c in "-/." for c in cased[start:end])
    if form.needs == TITLED:
        return cased[start].isupper() and bool(
            _TITLE_BEFORE.search(cased[max(0, start - 12) : start])
        )
    if form.needs == LABELED:
        return bool(_LAST_FOUR_LABEL.search(cased[max(0, start - 40) : start].lower()))
    return False


def _is_postal(folded: str, spans: list[tuple[int, int]]) -> bool:
    """Whether the runs are five digits, together or one by one, and not part of a longer number."""
    start, end = spans[0][0], spans[-1][1]
    if len(spans) > 1 and (len(spans) < 5 or not folded[start:end].replace(" ", "").isdigit()):
        return False
    counted = _AFTER_CODE_OR_COUNT.search(folded[max(0, start - 16) : start])
    return not counted and not _OF_A_FIGURE.match(folded, end)
