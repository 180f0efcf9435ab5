"""Known numbers, codes, e-mail and web addresses and file names, with any punctuation and spacing.

The letters and digits of the text are joined to one stream. Known values are looked up by their
first four characters wherever a run of letters or digits begins.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property

from recognizers.known.codes.forms import Code, Tail
from recognizers.known.codes.spoken import spoken_digits
from recognizers.known.text import Text, without_remnants
from safe_harbor import Identifier

_SHORTEST_KEY, _LONG_NUMBER = 4, 8
_OCR_DIGITS = str.maketrans("oilsbz", "011582")
_MASK = re.compile(r"[x*#•.…_]{2,}[-\s]?$|(?:[x*#]{2,4}[-\s]){1,3}$", re.IGNORECASE)
_ENDING = re.compile(
    r"\b(?:ssn?|soc(?:ial)?|last|final|ends?|ending|ended|tail|digits|four|4)\b[^\n]{0,40}$"
    r"|\bss ?#",
    re.IGNORECASE,
)
_ENDS_IN = re.compile(
    r"\b(?:end(?:s|ing|ed)?\s+(?:in|with)|last\s+\w+(?:\s+digits)?|final\s+\w+)\b[^\n]{0,40}$|\b(?:ends|ending)\b[^\n]{0,12}$",
    re.I,
)
_UNIT_AFTER = re.compile(
    r"\s?(?:mg|mcg|g|kg|ml|l|cc|kcal|cal|mm|cm|m|iu|units?|u|bpm|%|hrs?|h|min|ng|pg|meq|steps)\b",
    re.I,
)
_EXTENSION = re.compile(r"[\s,]{0,3}(?:x|ext\.?|extension)[\s.:#]{0,2}\d{1,6}\b", re.IGNORECASE)
_LIKELY_YEARS = range(1900, 2036)


class CodeFinder:
    """Find known codes in the stream of a text's letters and digits; linear in the text."""

    def __init__(
        self,
        codes: Iterable[Code],
        tails: Iterable[Tail] = (),
        spoken: Callable[[], Iterable[Code]] = tuple,
    ) -> None:
        """`spoken` returns the codes that are used only if a text spells out numbers."""
        self._spoken = spoken
        self._every = tuple({_distinct_by(code): code for code in codes}.values())
        written = [code for code in self._every if not code.spoken]
        self._codes = _by_head(written)
        self._short = {code.form: code for code in written if len(code.form) < _SHORTEST_KEY}
        self._halves: dict[tuple[int, int, str], list[Code]] = defaultdict(list)
        for code in self._every:
            if len(code.form) >= _LONG_NUMBER and code.form.isdigit():
                half = len(code.form) // 2
                for place, part in enumerate((code.form[:half], code.form[half:])):
                    self._halves[len(code.form), place, part].append(code)
        self._lengths = sorted({key[0] for key in self._halves}, reverse=True)
        self._tails: dict[str, list[Tail]] = defaultdict(list)
        for tail in dict.fromkeys(tails):
            self._tails[tail.digits].append(tail)

    @cached_property
    def _read_out(self) -> dict[str, list[Code]]:
        """All codes by their first characters; built on demand, as few texts spell out numbers."""
        every = (*self._every, *self._spoken())
        return _by_head({_distinct_by(code): code for code in every}.values())

    def find(self, text: Text) -> list[tuple[int, int, Code | Tail]]:
        """Spans in the original text, each with the code or the last digits found there."""
        found: list[tuple[int, int, Code | Tail]] = []
        for words in self._readings(text):
            found += self._scan(text, *words)
        found = [_with_extension(text, *hit) for hit in found]
        if self._tails:
            found += self._ends(text)
        return found

    def _readings(self, text: Text) -> list[tuple[list[str], list[int], list[int]]]:
        readings = [(text.words, text.starts, text.ends)]
        if spoken := spoken_digits(text):
            readings.append(spoken)
        return readings

    def _scan(
        self, text: Text, words: list[str], starts: list[int], ends: list[int]
    ) -> list[tuple[int, int, Code | Tail]]:
        raw = "".join(words)
        stream = raw.translate(_OCR_DIGITS)
        offsets, total = [], 0
        for word in words:
            offsets.append(total)
            total += len(word)
        offsets.append(total)
        found: list[tuple[int, int, Code | Tail]] = []
        done = -1
        told = past_zeros(raw, offsets)
        for i, word in enumerate(words):
            if i < done:
                continue
            best = None
            for skip in {0, told[i] - offsets[i]}:
                best = self._at(text, words, starts, ends, raw, stream, offsets, i, skip) or best
            if best is None and word in self._short:
                best = (i + 1, self._short[word])
            if best:
                done = best[0]
                found.append((starts[i], ends[done - 1], best[1]))
        return found

    def _at(
        self, text: Text, words: list[str], starts: list[int], ends: list[int],
        raw: str, stream: str, offsets: list[int], i: int, skip: int,
    ) -> tuple[int, Code] | None:  # fmt: skip
        place = offsets[i] + skip
        codes = self._codes if words is text.words else self._read_out
        for code in codes.get(stream[place : place + _SHORTEST_KEY], ()):
            form = code.form.translate(_OCR_DIGITS)
            if not stream.startswith(form, place):
                continue
            stop = self._close(offsets, place + len(form))
            if stop and self._fits(text, words, starts, ends, raw, place, i, stop, code):
                return stop, code
        if self._lengths and stream[place : place + 1].isdigit():
            return self._near(text, words, starts, ends, raw, stream, offsets, i, place)
        return None

    @staticmethod
    def _close(offsets: list[int], end: int) -> int:
        """Return the number of tokens that end at an offset of the stream; 0 if it is inside a
        token.
        """
        stop = bisect_left(offsets, end)
        return stop if stop < len(offsets) and offsets[stop] == end else 0

    def _fits(
        self, text: Text, words: list[str], starts: list[int], ends: list[int],
        raw: str, place: int, i: int, stop: int, code: Code,
    ) -> bool:  # fmt: skip
        size = len(code.form)
        written = raw[place : place + size]
        same = sum(a == b for a, b in zip(written, code.form, strict=True))
        if written != code.form:
            digits = sum(c.isdigit() for c in written)
            if not code.form.isdigit() and size < 6:
                return False
            if same * 10 < size * 6 or digits * 2 < sum(c.isdigit() for c in code.form):
                return False
        gaps = [
            without_remnants(text.original[ends[k] : starts[k + 1]]) for k in range(i, stop - 1)
        ]
        limit = 2 if size < 7 else 4
        if code.word_like:
            return all(gap.strip("._-+ ") == "" and len(gap) < 4 for gap in gaps)
        return all(_light(gap, limit) for gap in gaps)

    def _near(
        self, text: Text, words: list[str], starts: list[int], ends: list[int],
        raw: str, stream: str, offsets: list[int], i: int, place: int,
    ) -> tuple[int, Code] | None:  # fmt: skip
        """Return the end and code of a long number with one digit wrong or two adjacent ones
        exchanged.
        """
        for size in self._lengths:
            window = stream[place : place + size]
            stop = self._close(offsets, place + size)
            if len(window) < size or not window.isdigit() or not stop:
                continue
            half = size // 2
            candidates = self._halves.get((size, 0, window[:half]), [])
            candidates = candidates + self._halves.get((size, 1, window[half:]), [])
            for code in candidates:
                if _one_off(window, code.form) and all(
                    _light(text.original[ends[k] : starts[k + 1]], 3) for k in range(i, stop - 1)
                ):
                    return stop, Code(code.form, code.identifier, code.entity, 0.8)
        return None

    def _ends(self, text: Text) -> list[tuple[int, int, Code | Tail]]:
        found: list[tuple[int, int, Code | Tail]] = []
        for i, word in enumerate(text.words):
            for tail in self._tails.get(word, ()):
                if self._quotes_end(text, i, tail):
                    found.append((text.starts[i], text.ends[i], tail))
                    break
        return found

    @staticmethod
    def _quotes_end(text: Text, i: int, tail: Tail) -> bool:
        raw = text.original
        before = raw[max(0, text.starts[i] - 60) : text.starts[i]]
        after = raw[text.ends[i] : text.ends[i] + 8]
        if _MASK.search(before):
            return True
        if tail.identifier is Identifier.SSNS and _ENDING.search(before):
            return True
        if _ENDS_IN.search(before):
            return True
        if not tail.alone or int(tail.digits) in _LIKELY_YEARS or _UNIT_AFTER.match(after):
            return False
        joined = before[-1:] in "-/.:,+$" and before[-2:-1].isalnum()
        return not (joined or before[-1:].isalnum() or re.match(r"[-/.:,]?[A-Za-z0-9%]", after))


def _distinct_by(code: Code) -> tuple[str, str, float, bool, bool]:
    """Return the fields that distinguish two codes; the entity determines the identifier."""
    return code.form, code.entity, code.score, code.word_like, code.spoken


def _by_head(codes: Iterable[Code]) -> dict[str, list[Code]]:
    """The codes by their first characters, longest first."""
    found: dict[str, list[Code]] = defaultdict(list)
    for code in codes:
        form = code.form.translate(_OCR_DIGITS)
        if len(form) >= _SHORTEST_KEY:
            found[form[:_SHORTEST_KEY]].append(code)
    for group in found.values():
        # If a number is known under two identifiers, the more specific one is reported.
        group.sort(key=lambda c: (-len(c.form), c.identifier is Identifier.OTHERS))
    return found


def _with_extension(
    text: Text, start: int, end: int, code: Code | Tail
) -> tuple[int, int, Code | Tail]:
    """Return the hit, extended by the telephone extension that follows it."""
    if code.identifier in (Identifier.PHONES, Identifier.FAXES):
        match = _EXTENSION.match(text.original, end)
        end = match.end() if match else end
    return start, end, code


def past_zeros(stream: str, offsets: list[int]) -> list[int]:
    """For each word of the stream, the offset of the first nonzero character at or after its start.

    `offsets` are the offsets at which the words begin, and the end of the stream.
    """
    places, place = [], len(stream)
    for first, last in zip(offsets[-2::-1], offsets[:0:-1], strict=True):
        told = len(stream[first:last].lstrip("0"))
        place = last - told if told else place
        places.append(place)
    return places[::-1]


def _light(gap: str, limit: int) -> bool:
    if len(gap) > limit and not ("\n" in gap and len(gap) < 24):
        return False
    return not any(c in ";?!" for c in gap) and gap.count("\n") < 2


def _one_off(left: str, right: str) -> bool:
    differ = [i for i, (a, b) in enumerate(zip(left, right, strict=True)) if a != b]
    if len(differ) == 1:
        return True
    return (
        len(differ) == 2
        and differ[1] == differ[0] + 1
        and (left[differ[0]] == right[differ[1]] and left[differ[1]] == right[differ[0]])
    )
