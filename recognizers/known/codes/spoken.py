"""Numbers dictated digit by digit: `eight oh two, five five five, oh one forty-three`."""

from __future__ import annotations

from recognizers.known.text import Text
from recognizers.words.expressions import SHARED

_SPOKEN_UNITS = {w: str(n) for n, w in enumerate(["zero", *SHARED.texts["UNITS"].split("|")])}
_SPOKEN_UNITS |= {"oh": "0", "o": "0", "niner": "9", "nought": "0", "naught": "0"}
_TEENS = {w: str(n) for n, w in enumerate(SHARED.texts["TEENS"].split("|"), 10)}
_SPOKEN_TENS = {w: str(n) for n, w in enumerate(SHARED.texts["TENS"].split("|"), 2)} | {
    "fourty": "4"
}
_REPEAT = {"double": 2, "triple": 3, "treble": 3}
_SKIPPED = frozenset(["dash", "hyphen", "dot", "point", "slash", "space", "and", "area", "code"])


def spoken_digits(text: Text) -> tuple[list[str], list[int], list[int]] | None:
    """The tokens with number words turned into digits; None if fewer than two are number words."""
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    i, size, spoken = 0, len(text), 0
    while i < size:
        word = text.words[i]
        nxt = text.words[i + 1] if i + 1 < size else ""
        step, digits = 1, ""
        if word in _REPEAT and (nxt in _SPOKEN_UNITS or (nxt.isdigit() and len(nxt) == 1)):
            digits, step = _SPOKEN_UNITS.get(nxt, nxt) * _REPEAT[word], 2
        elif word in _SPOKEN_TENS:
            joined = nxt in _SPOKEN_UNITS and nxt not in {"o", "oh", "zero"}
            digits, step = (
                (_SPOKEN_TENS[word] + _SPOKEN_UNITS[nxt], 2)
                if joined
                else (_SPOKEN_TENS[word] + "0", 1)
            )
        elif word in _TEENS:
            digits = _TEENS[word]
        elif word in _SPOKEN_UNITS and (word != "o" or words):
            digits = _SPOKEN_UNITS[word]
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
