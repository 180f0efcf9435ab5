"""Known ZIP codes, also as ZIP+4 or without a leading zero."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from recognizers.known.places.organizations import STATE_WORDS
from recognizers.known.text import Text


@dataclass(frozen=True, slots=True)
class Zip:
    """A ZIP code: five digits, and the four after them if known."""

    five: str = field(repr=False)
    four: str = field(default="", repr=False)

    @classmethod
    def of(cls, value: str) -> Zip | None:
        """Parse a ZIP (zeros lost, ZIP+4, nine digits, or as a decimal number); None for others."""
        match = re.fullmatch(r"\s*(\d{3,5})(?:\.0)?(?:\s?-\s?(\d{4}))?\s*", value)
        if match:
            return cls(match[1].zfill(5), match[2] or "")
        match = re.fullmatch(r"\s*(\d{8,9})(?:\.0)?\s*", value)
        return cls(match[1].zfill(9)[:5], match[1].zfill(9)[5:]) if match else None


_STATE = (
    r"(?:a[klrz]|c[aot]|d[ce]|fl|ga|hi|i[adln]|k[sy]|la|m[adeinost]|n[cdehjmvy]|o[hkr]|p[ar]|ri"
    r"|s[cd]|t[nx]|ut|v[ait]|w[aivy])"
)
_ZIP_BEFORE = re.compile(
    rf"(?:\bzip\b(?:\s*code)?\W*|\b{_STATE}\.?,?\s+|\b(?:{'|'.join(sorted(STATE_WORDS))}),?\s+)$"
)
_NOT_ZIP = re.compile(r"(?:\bcpt|\bhcpcs|\bplatelets?|\bplt|\bwbc|\bndc|[$#])\W*$")


class ZipFinder:
    """Find known ZIP codes, even if the text adds four digits or omits a leading zero."""

    def __init__(self, zips: Iterable[Zip]) -> None:
        self._zips = {z.five: z for z in zips}
        self._nine = {z.five + z.four for z in self._zips.values() if z.four}

    def find(self, text: Text) -> list[tuple[int, int]]:
        """Token ranges of the ZIP codes found."""
        found = []
        for i, word in enumerate(text.words if self._zips else ()):
            if not word.isdigit() or not 3 <= len(word) <= 9:
                continue
            if len(word) == 5 and word in self._zips and self._is_zip(text, i):
                found.append((i, self._plus_four(text, i)))
            elif len(word) == 9 and (
                word in self._nine or (word[:5] in self._zips and self._labelled(text, i))
            ):
                found.append((i, i + 1))
            elif len(word) < 5 and word.zfill(5) in self._zips and self._labelled(text, i):
                found.append((i, self._plus_four(text, i)))
        return found

    @staticmethod
    def _before(text: Text, i: int) -> str:
        return text.original[max(0, text.starts[i] - 24) : text.starts[i]].lower()

    def _labelled(self, text: Text, i: int) -> bool:
        return bool(_ZIP_BEFORE.search(self._before(text, i)))

    def _is_zip(self, text: Text, i: int) -> bool:
        gap = text.gap(i - 1) if i else ""
        if gap.endswith((".", ",")) and gap == gap.strip() and text.words[i - 1].isdigit():
            return False
        return not _NOT_ZIP.search(self._before(text, i))

    @staticmethod
    def _plus_four(text: Text, i: int) -> int:
        nxt = i + 1
        four = nxt < len(text) and len(text.words[nxt]) == 4 and text.words[nxt].isdigit()
        return nxt + (four and text.gap(i).strip() == "-")
