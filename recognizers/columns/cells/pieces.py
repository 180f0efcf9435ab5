"""Numbers in pieces: `24-958433` and `649.427.853` may be a person's, `4500-11000` is a range."""

from __future__ import annotations

import re

from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.shapes import is_code

# Numbers in pieces with fewer digits are scores, grades and doses as often as persons' numbers.
LEAST_IN_PIECES = 6
# The limits of a range are round or have few digits: `4500-11000`, `1.005-1.030`.
LONGEST_WITH_ZERO = 3  # `001-139` are ICD-9 codes
_ROUND_FIGURES, _FRACTION_FIGURES, _ALIKE = 3, 5, 1000
_IN_PIECES = re.compile(r"\d+(?:[-–/._#:]\d+)+|\d+(?: \d+)+")
# Times, and alleles in fields of two or three digits.
_OF_COLONS = re.compile(r"\d{1,3}(?::\d{2,3})+(?:\.\d+)?")
_AMONG_WORDS = re.compile(
    r"(?<![\w.,/–-])\d+(?:[-–/._]\d+)+(?![\w/–-]|\.\d)"
    r"(?!\s?(?:UNT|units?|IU|MG|mg|MCG|mcg|ML|mL|ACTUAT|%))"
)
_PAIR_OF_FIGURES = re.compile(r"(\d{1,7}(?:\.\d{1,6})?)\s?([-–/:]|to|x)\s?(\d{1,7}(?:\.\d{1,6})?)")
_PRESSURES = re.compile(r"(?:[6-9]\d|1\d\d|2[0-6]\d)(?:/(?:[3-9]\d|1\d\d)){1,2}")
_YEARS = re.compile(r"(?:19|20)\d\d[-–/](?:19|20)?\d\d")
_CLOCKS = re.compile(r"(?:[01]\d|2[0-3])(?:[03]0|15|45)[-–](?:[01]\d|2[0-3])(?:[03]0|15|45)")
_RATIO_SIGNS = ("/", ":")
# Doses of two drugs have fewer digits: `Augmentin 875-125`.
_LONG_PIECE = re.compile(r"\d{4}|(?:\d+\D){2}")
_DECIMAL_CELL = re.compile(r"\d+\.\d+")


@remembered
def is_in_pieces(text: str) -> bool:
    """Whether the cell is a number in pieces that is neither a measurement nor a terminology code.

    >>> is_in_pieces("24-958433"), is_in_pieces("4500-11000"), is_in_pieces("2345-7")
    (True, False, False)
    """
    if not _IN_PIECES.fullmatch(text) or _count_of_digits(text) < LEAST_IN_PIECES:
        return False
    return not (_DECIMAL_CELL.fullmatch(text) or _is_measure_in_pieces(text) or is_code(text))


def holds_pieces(text: str) -> bool:
    """Whether the cell is a number in pieces, or has such a number among words (`Case
    2851-8933`).
    """
    if is_in_pieces(text):
        return True
    found = (match for match in _AMONG_WORDS.findall(text) if match != text)
    return any(_LONG_PIECE.search(match) and is_in_pieces(match) for match in found)


def is_measured_pair(text: str) -> bool:
    """Whether a pair of numbers may be a range, a ratio or a pressure; True if it has few
    digits.
    """
    if _count_of_digits(text) < LEAST_IN_PIECES:
        return True
    match = _PAIR_OF_FIGURES.search(text)
    return match is None or _is_measure_in_pieces(match.group())


def _is_measure_in_pieces(text: str) -> bool:
    if any(form.fullmatch(text) for form in (_PRESSURES, _CLOCKS, _OF_COLONS)):
        return True
    match = _PAIR_OF_FIGURES.fullmatch(text)
    if match is None:
        return False
    first, second = float(match[1]), float(match[3])
    if _YEARS.fullmatch(text):
        return first <= second or first % 100 + 1 == second
    if match[2] in _RATIO_SIGNS and first == 1:
        return True
    low, high = sorted((first, second))
    alike = low == 0 or high <= _ALIKE * low
    if match[2] == "x":
        return alike
    ordered = match[2] in _RATIO_SIGNS or first <= second
    return alike and ordered and _is_limit(match[1]) and _is_limit(match[3])


def _is_limit(figure: str) -> bool:
    """Whether the number may limit a range: it is round, or one below a round number (`74999`)."""
    if "." in figure:
        return len(figure.replace(".", "").strip("0")) <= _FRACTION_FIGURES
    if figure[0] == "0" and len(figure) > LONGEST_WITH_ZERO:
        return False
    nearest = (figure, str(int(figure) + 1))
    return any(len(number.lstrip("0").rstrip("0")) <= _ROUND_FIGURES for number in nearest)


def _count_of_digits(text: str) -> int:
    return sum(map(str.isdigit, text))
