"""Known numbers, codes, addresses of the net and file names, in any punctuation and spacing.

Letters and digits of the text are read as one stream; a known value is looked up by its first
four characters wherever a run of letters or digits begins.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from recognizers.known_text import Text, squeeze, without_remnants, words_of
from recognizers.known_words import is_word
from safe_harbor import Identifier

_KEY = 4
_OCR = str.maketrans("oilsbz", "011582")
_MASK = re.compile(r"[x*#•.…_]{2,}[-\s]?$|(?:[x*#]{2,4}[-\s]){1,3}$", re.IGNORECASE)
_ENDING = re.compile(
    r"\b(?:ssn?|soc(?:ial)?|last|final|ends?|ending|ended|tail|digits|four|4)\b[^\n]{0,40}$|\bss ?#",
    re.IGNORECASE,
)
_ENDS_IN = re.compile(
    r"\b(?:end(?:s|ing|ed)?\s+(?:in|with)|last\s+\w+(?:\s+digits)?|final\s+\w+)\b[^\n]{0,40}$|\bending\b[^\n]{0,12}$",
    re.I,
)
_UNIT = re.compile(
    r"\s?(?:mg|mcg|g|kg|ml|l|cc|kcal|cal|mm|cm|m|iu|units?|u|bpm|%|hrs?|h|min|ng|pg|meq|steps)\b",
    re.I,
)
_YEARS = range(1900, 2036)
_LOOSE_ENDS = frozenset(["phone", "fax"])
_LABELLED = re.compile(r"[A-Za-z#:№]")


@dataclass(frozen=True, slots=True)
class Code:
    """A squeezed form of a value: letters and digits alone, lower case.

    `tail` is looked for only where the text says that it quotes the end of a number.
    """

    form: str = field(repr=False)
    identifier: Identifier
    entity: str
    score: float
    word_like: bool = False
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class Tail:
    """The last digits of a number, looked for where the text says that it quotes its end."""

    digits: str = field(repr=False)
    identifier: Identifier
    entity: str
    alone: bool


def _strip(digits: str) -> str:
    return digits.lstrip("0")


def code_forms(value: str, identifier: Identifier, entity: str) -> list[Code]:
    """The squeezed forms under which an id may be written: whole, less its prefix, less its zeros."""
    whole = squeeze(value)
    forms = {whole: 0.99}
    pieces = words_of(value)
    for cut in range(1, len(pieces)):
        rest = "".join(pieces[cut:])
        lead = "".join(pieces[:cut])
        digits = sum(c.isdigit() for c in rest)
        if (
            len(rest) >= 5
            and digits >= 3
            and len(lead) <= 4
            and (not lead.isdigit() or len(rest) >= 6)
        ):
            forms.setdefault(rest, 0.9)
    for form, score in list(forms.items()):
        if form.isdigit() and len(_strip(form)) >= 5:
            forms.setdefault(_strip(form), score)
    return [Code(form, identifier, entity, score) for form, score in forms.items() if _usable(form)]


def _usable(form: str) -> bool:
    digits = sum(c.isdigit() for c in form)
    return (
        len(form) >= 4 and digits > 0 and len(set(form)) > 1 and (digits < len(form) or digits > 4)
    )


def phone_forms(value: str, identifier: Identifier, entity: str) -> list[Code]:
    """With and without country code and area code; an extension by itself is left out."""
    main = re.split(r"(?i)\s*(?:ext?\.?|extension|x)\s*\d+\s*$", value)[0]
    digits = "".join(words_of(main)).lstrip("0")
    if not digits.isdigit() or len(digits) < 7:
        return []
    foreign = value.strip().startswith(("+", "00", "011")) and not digits.startswith("1")
    forms = {digits: 0.99}
    if foreign:
        forms |= {digits[cut:]: 0.95 for cut in (1, 2, 3) if len(digits) - cut >= 7}
    else:
        national = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
        forms |= {national: 0.99, "1" + national: 0.99, national[-7:]: 0.9}
    return [
        Code(form, identifier, entity, score) for form, score in forms.items() if len(form) >= 7
    ]


def email_forms(value: str) -> list[Code]:
    """The address, the same spoken (`dot`, `at`), and its local part."""
    address = value.strip().removeprefix("mailto:")
    local, _, domain = address.partition("@")
    local_spoken, domain_spoken = (
        re.sub(r"[._+-]", lambda m: _SPOKEN[m.group()], side) for side in (local, domain)
    )
    bare = squeeze(local)
    forms = {squeeze(address): 0.99}
    if domain:
        forms |= {
            squeeze(left + at + right): 0.99
            for left in (local, local_spoken)
            for at in ("", "at")
            for right in (domain, domain_spoken)
        }
    if len(bare) > 3 and not (bare.isalpha() and is_word(bare)):
        forms |= {bare: 0.95, squeeze(local_spoken): 0.95}
    return [
        Code(form, Identifier.EMAILS, "EMAIL_ADDRESS", score, form in {bare})
        for form, score in forms.items()
        if len(form) > 3
    ]


_SPOKEN = {".": "dot", "_": "underscore", "-": "dash", "+": "plus"}


def url_forms(value: str) -> list[Code]:
    """The address with and without scheme, and the user name at its end."""
    bare = re.sub(r"(?i)^[a-z][a-z0-9+.-]{1,9}://(?:www\.)?|^www\.", "", value.strip()).rstrip("/")
    forms = {squeeze(value): 0.99, squeeze(bare): 0.99}
    tail = squeeze(re.split(r"[/=@:]", bare)[-1])
    if len(tail) > 3 and not is_word(tail) and ("/" not in bare or len(tail) > 4):
        forms.setdefault(tail, 0.9)
    return [
        Code(form, Identifier.URLS, "URL", score, "." not in value or form == tail)
        for form, score in forms.items()
        if len(form) > 2
    ]


def file_forms(value: str, identifier: Identifier, entity: str) -> list[Code]:
    """A file name, with and without folder and ending."""
    name = re.split(r"[/\\]", value.strip())[-1]
    stem = re.sub(r"\.[A-Za-z0-9]{2,5}$", "", name)
    forms = {squeeze(value), squeeze(name)} | ({squeeze(stem)} if len(squeeze(stem)) > 6 else set())
    return [Code(form, identifier, entity, 0.99) for form in forms if len(form) > 4]


class CodeFinder:
    """Looks the known codes up in the stream of a text's letters and digits; linear in the text."""

    def __init__(self, codes: Iterable[Code], tails: Iterable[Tail] = ()) -> None:
        self._codes: dict[str, list[Code]] = defaultdict(list)
        self._short: dict[str, Code] = {}
        self._halves: dict[tuple[int, int, str], list[Code]] = defaultdict(list)
        for code in set(codes):
            form = code.form.translate(_OCR)
            if len(form) < _KEY:
                self._short[code.form] = code
                continue
            self._codes[form[:_KEY]].append(code)
            if form.isdigit() and code.form.isdigit() and len(form) >= 8:
                half = len(form) // 2
                self._halves[len(form), 0, form[:half]].append(code)
                self._halves[len(form), 1, form[half:]].append(code)
        for group in self._codes.values():
            group.sort(key=lambda code: -len(code.form))
        self._lengths = sorted({key[0] for key in self._halves}, reverse=True)
        self._tails: dict[str, list[Tail]] = defaultdict(list)
        for tail in set(tails):
            self._tails[tail.digits].append(tail)

    def find(self, text: Text) -> list[tuple[int, int, Code | Tail]]:
        """Spans in the original text with what stands there."""
        found: list[tuple[int, int, Code | Tail]] = []
        for words in self._readings(text):
            found += self._scan(text, *words)
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
        stream = raw.translate(_OCR)
        offsets, total = [], 0
        for word in words:
            offsets.append(total)
            total += len(word)
        offsets.append(total)
        found: list[tuple[int, int, Code | Tail]] = []
        done = -1
        for i, word in enumerate(words):
            if i < done:
                continue
            zeros = _zeros(raw, offsets[i])
            best = None
            for skip in {0, zeros}:
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
        for code in self._codes.get(stream[place : place + _KEY], ()):
            if code.spoken and words is text.words:
                continue
            form = code.form.translate(_OCR)
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
        """The token boundary at a stream offset, 0 where it falls inside a token."""
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
        """A long number with one digit wrong or two neighbours exchanged."""
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
        if not tail.alone or int(tail.digits) in _YEARS or _UNIT.match(after):
            return False
        joined = before[-1:] in "-/.:,+$" and before[-2:-1].isalnum()
        return not (joined or before[-1:].isalnum() or re.match(r"[-/.:,]?[A-Za-z0-9%]", after))


def _zeros(stream: str, place: int) -> int:
    """How many zeros begin here."""
    end = place
    while end < len(stream) and stream[end] == "0":
        end += 1
    return end - place


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


_UNITS = {
    w: str(n)
    for n, w in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    )
}
_UNITS |= {"oh": "0", "o": "0", "niner": "9", "nought": "0", "naught": "0"}
_TEENS = {
    w: str(n + 10)
    for n, w in enumerate(
        [
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS = {
    w: str(n + 2)
    for n, w in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    )
} | {"fourty": "4"}
_REPEAT = {"double": 2, "triple": 3, "treble": 3}
_SKIPPED = frozenset(["dash", "hyphen", "dot", "point", "slash", "space", "and", "area", "code"])


def spoken_digits(text: Text) -> tuple[list[str], list[int], list[int]] | None:
    """The tokens with number words turned to digits, or None where fewer than two stand together."""
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    i, size, spoken = 0, len(text), 0
    while i < size:
        word = text.words[i]
        nxt = text.words[i + 1] if i + 1 < size else ""
        step, digits = 1, ""
        if word in _REPEAT and (nxt in _UNITS or (nxt.isdigit() and len(nxt) == 1)):
            digits, step = _UNITS.get(nxt, nxt) * _REPEAT[word], 2
        elif word in _TENS:
            joined = nxt in _UNITS and nxt not in {"o", "oh", "zero"}
            digits, step = (_TENS[word] + _UNITS[nxt], 2) if joined else (_TENS[word] + "0", 1)
        elif word in _TEENS:
            digits = _TEENS[word]
        elif word in _UNITS and (word != "o" or words):
            digits = _UNITS[word]
        elif word == "hundred" and words and words[-1].isdigit() and len(words[-1]) == 1:
            digits = "00"
        if not digits and word in _SKIPPED and words and words[-1].isdigit():
            i += 1
            continue
        spoken += bool(digits)
        words.append(digits or word)
        starts.append(text.starts[i])
        ends.append(text.ends[i + step - 1])
        i += step
    return (words, starts, ends) if spoken > 1 else None
