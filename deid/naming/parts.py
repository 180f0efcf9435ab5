"""Split a name into words and numbers: `wtMar_2021` gives `wt`, `mar`, `2021`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# The characters of names. A name with any other character (`@`, `$`, an invisible mark) is not
# split.
_LEGAL = re.compile(r"[A-Za-z0-9\s_\-./()%#+:,&'*?\[\]<>=|!^~°\"]*")
_CAMEL = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+"
_NAME_PART = re.compile(rf"(?P<number>\d+)|(?P<word>{_CAMEL})")
# Header characters outside ASCII: Greek letters of units and proteins, powers, signs.
_GREEK_SIGNS = str.maketrans({"µ": "u", "μ": "u", "α": "alpha ", "β": "beta ", "γ": "gamma ",
                        "δ": "delta ", "κ": "kappa ", "λ": "lambda ", "²": "2", "³": "3",
                        "–": "-", "—": "-", "’": "'", "≥": ">=", "≤": "<="})  # fmt: skip
# Plurals of abbreviations are one word (`WBCs`, `IDs`), and so is `mmHg`.
_KEPT_TOGETHER = re.compile(
    r"([A-Z]{2,})s(?![a-z])|\b(mm)(Hg)\b|(?<![A-Za-z])([pemi])([A-Z]{1,3})(?![a-z])"
)


@dataclass(frozen=True, slots=True)
class NamePart:
    """A lowercase word or a number of a name; `between` is the text between it and the
    part before.
    """

    text: str
    between: str

    @property
    def is_number(self) -> bool:
        """Whether the part is all digits."""
        return self.text.isdigit()


def parts_of(name: str) -> tuple[NamePart, ...] | None:
    """The words and numbers of a name, in order; None if it holds a character that no name has."""
    text = unicodedata.normalize("NFC", name).translate(_GREEK_SIGNS)
    if not _LEGAL.fullmatch(text):
        return None
    text = _KEPT_TOGETHER.sub(
        lambda match: match[0].lower() if match[2] or match[4] else match[1], text
    )
    parts, place = [], 0
    for match in _NAME_PART.finditer(text):
        parts.append(NamePart(match[0].casefold(), text[place : match.start()]))
        place = match.end()
    return tuple(parts)
