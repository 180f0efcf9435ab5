"""A name parted into its words and numbers: `wtMar_2021` is `wt`, `mar`, `2021`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# What may stand between the parts. Anything else (`@`, `$`, an invisible mark) belongs to no name.
_LEGAL = re.compile(r"[A-Za-z0-9\s_\-./()%#+:,&'*?\[\]<>=|!^~°\"]*")
_CAMEL = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+"
_PART = re.compile(rf"(?P<number>\d+)|(?P<word>{_CAMEL})")
# Signs of headers that are no letters of ASCII: Greek letters of units and of proteins, powers.
_SIGNS = str.maketrans({"µ": "u", "μ": "u", "α": "alpha ", "β": "beta ", "γ": "gamma ",
                        "δ": "delta ", "κ": "kappa ", "λ": "lambda ", "²": "2", "³": "3",
                        "–": "-", "—": "-", "’": "'", "≥": ">=", "≤": "<="})  # fmt: skip
# Plurals of short forms are one word: `WBCs`, `IDs`; and so is `mmHg`.
_WHOLE = re.compile(
    r"([A-Z]{2,})s(?![a-z])|\b(mm)(Hg)\b|(?<![A-Za-z])([pemi])([A-Z]{1,3})(?![a-z])"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A word in small letters or a number; `between` stands before it, "" where nothing does."""

    text: str
    between: str

    @property
    def is_number(self) -> bool:
        """Is it all digits?"""
        return self.text.isdigit()


def parts_of(name: str) -> tuple[Part, ...] | None:
    """The words and numbers of a name, in order; None if it holds what no name is written with."""
    text = unicodedata.normalize("NFC", name).translate(_SIGNS)
    if not _LEGAL.fullmatch(text):
        return None
    text = _WHOLE.sub(lambda match: match[0].lower() if match[2] or match[4] else match[1], text)
    parts, place = [], 0
    for match in _PART.finditer(text):
        parts.append(Part(match[0].casefold(), text[place : match.start()]))
        place = match.end()
    return tuple(parts)
