"""Split a text into words and numbers: `wtMar_2021` gives `wt`, `mar`, `2021`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# Words begin at capitals: `VitalSigns`, `GUIDValue`.
HUMP_PATTERN = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
HUMP = re.compile(HUMP_PATTERN)
# The characters of names. A name with any other character (`@`, `$`, an invisible mark) is not
# split.
_LEGAL = re.compile(r"[A-Za-z0-9\s_\-./()%#+:,&'*?\[\]<>=|!^~°\"]*")
_NUMBER_OR_HUMP = re.compile(rf"\d+|{HUMP_PATTERN}")
_RUN_OF_TEXT = re.compile(r"[^\W\d_]+|\d+")
_APOSTROPHE_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LETTERS_OF_CODE = re.compile(r"[A-Za-z]+(?:[ _-]+[A-Za-z]+)*")
# Header characters outside ASCII: Greek letters of units and proteins, powers, signs.
_GREEK_SIGNS = str.maketrans({"µ": "u", "μ": "u", "α": "alpha ", "β": "beta ", "γ": "gamma ",
                        "δ": "delta ", "κ": "kappa ", "λ": "lambda ", "²": "2", "³": "3",
                        "–": "-", "—": "-", "’": "'", "≥": ">=", "≤": "<="})  # fmt: skip
# Plurals of abbreviations are one word (`WBCs`, `IDs`), and so is `mmHg`.
_KEPT_TOGETHER = re.compile(
    r"([A-Z]{2,})s(?![a-z])|\b(mm)(Hg)\b|(?<![A-Za-z])([pemi])([A-Z]{1,3})(?![a-z])"
)


@dataclass(frozen=True, slots=True)
class TextWord:
    """A word or a number of a text; `between` is the text between it and the word before."""

    text: str
    between: str = " "

    @property
    def is_number(self) -> bool:
        """Whether the word is all digits."""
        return self.text.isdecimal()


def parts_of(name: str) -> tuple[TextWord, ...] | None:
    """The lowercase words and numbers of a name, in order; None if it holds a character that no
    name has.
    """
    text = unicodedata.normalize("NFC", name).translate(_GREEK_SIGNS)
    if not _LEGAL.fullmatch(text):
        return None
    text = _KEPT_TOGETHER.sub(
        lambda match: match[0].lower() if match[2] or match[4] else match[1], text
    )
    parts, place = [], 0
    for match in _NUMBER_OR_HUMP.finditer(text):
        parts.append(TextWord(match[0].casefold(), text[place : match.start()]))
        place = match.end()
    return tuple(parts)


def humps_of(text: str) -> tuple[TextWord, ...]:
    """The words and numbers of a text as written, split at capitals."""
    return tuple(map(TextWord, _NUMBER_OR_HUMP.findall(text)))


def words_of_code(text: str) -> tuple[TextWord, ...] | None:
    """The lowercase words of a code; None if it has more than letters and marks between them."""
    if _LETTERS_OF_CODE.fullmatch(text.strip()) is None:
        return None
    return tuple(TextWord(word.lower()) for word in HUMP.findall(text))


def runs_of_text(text: str) -> tuple[TextWord, ...]:
    """The runs of letters and of digits of a description, as written."""
    return tuple(map(TextWord, _RUN_OF_TEXT.findall(text)))


def words_of_term(text: str) -> tuple[TextWord, ...]:
    """The words of a term as written, without numbers; `Crohn's` is one word."""
    return tuple(map(TextWord, _APOSTROPHE_WORD.findall(text)))
