"""The first three digits of a ZIP code, if enough people share them: 164.514(b)(2)(i)(B).

The tables list, for each census, the three-digit areas with more than 20,000 people. A prefix in no
table becomes `000`: military, post-office-box and single-firm prefixes have no population count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, get_args

from safe_harbor.numerals import plain_line
from safe_harbor.residues import Residue
from safe_harbor.states import NAMES_BY_STATE
from safe_harbor.tables import read_rows, sha256_of

Census = Literal["2000", "2010", "2020", "conservative"]
CENSUSES: tuple[Census, ...] = get_args(Census)
RESTRICTED = "000"


class ZipReason(StrEnum):
    """The reason for the result of reducing a ZIP code; it contains no digit of the code."""

    STAYS = "stays"
    SMALL = "20,000 people or fewer"
    UNKNOWN = "prefix in no census table"
    AMBIGUOUS = "three digits: a prefix, or a ZIP code that lost its zeros"
    FOREIGN = "foreign postal code"
    PLACEHOLDER = "placeholder"
    EMPTY = "empty"
    UNREADABLE = "not a ZIP code"


@dataclass(frozen=True)
class Zip3:
    """The permitted form of a ZIP code (three digits, `000` or empty) and the reason."""

    text: str
    reason: ZipReason

    def __str__(self) -> str:
        return self.text

    @property
    def residue(self) -> Residue:
        """The residue of the ZIP code in the result: `ZIP3` (also for `000`) or `NOTHING`."""
        return Residue.ZIP3 if self.text else Residue.NOTHING


@dataclass(frozen=True)
class Zip3Table:
    """The three-digit ZIP areas that may stay according to one census.

    `populations` lacks prefixes without a published count (all of 2000).
    """

    census: Census
    stays: frozenset[str]
    restricted: frozenset[str]
    populations: Mapping[str, int]
    sha256: str


def zip3_table(census: Census = "2020") -> Zip3Table:
    """The table of one census, or `conservative`: the prefixes that may stay in all three.

    Raises ValueError for a census not in `CENSUSES`.
    """
    if census not in CENSUSES:
        raise ValueError(f"census must be one of {', '.join(CENSUSES)}")
    return _conservative() if census == "conservative" else _one_zip3_table(census)


@lru_cache
def _one_zip3_table(census: Census) -> Zip3Table:
    name = f"zip3_{census}.csv"
    rows = read_rows(name)
    stays = frozenset(row["zip3"] for row in rows if row["outcome"] == "stays")
    counts = {row["zip3"]: int(row["population"]) for row in rows if row["population"]}
    return Zip3Table(
        census=census,
        stays=stays,
        restricted=frozenset(row["zip3"] for row in rows) - stays,
        populations=MappingProxyType(counts),
        sha256=sha256_of(name),
    )


@lru_cache
def _conservative() -> Zip3Table:
    parts = [_one_zip3_table(census) for census in CENSUSES if census != "conservative"]
    return Zip3Table(
        census="conservative",
        stays=frozenset.intersection(*(part.stays for part in parts)),
        restricted=frozenset.union(*(part.restricted for part in parts)),
        populations=_one_zip3_table("2020").populations,
        sha256=sha256_of(*(f"zip3_{part.census}.csv" for part in parts)),
    )


def zip3(value: object, census: Census = "2020", *, generalised: bool = False) -> Zip3:
    """Reduce a ZIP code from a record to its permitted form.

    The value may be a ZIP5, a ZIP+4, nine digits without a hyphen, or a code that lost leading
    zeros (`2139`, `53016712`). It may also be a number or its text (`02139.0`), have masked digits
    (`053**`), or be an address line that ends in a state and a ZIP (`Brattleboro, VT 05301`). No
    value raises an error.

    `generalised` means that the column already holds three digits. Otherwise `601`, possibly 00601
    in Puerto Rico, becomes `000`.
    """
    table = zip3_table(census)
    text = _as_text(value)
    if _NULLS.fullmatch(text):
        return Zip3("", ZipReason.EMPTY)
    if len(text) > _LONGEST_ADDRESS:
        return Zip3("", ZipReason.UNREADABLE)
    digits = _prefix(text, generalised, number=not isinstance(value, str))
    if isinstance(digits, ZipReason):
        return Zip3(RESTRICTED if digits is ZipReason.AMBIGUOUS else "", digits)
    if digits in table.stays:
        return Zip3(digits, ZipReason.STAYS)
    small = digits in table.restricted or digits == RESTRICTED
    return Zip3(RESTRICTED, ZipReason.SMALL if small else ZipReason.UNKNOWN)


_NULLS = re.compile(
    r"|null|none|nan|nat|nil|n ?/? ?a|n\.a\.|<na>|unk(?:nown)?|missing|not (?:available|known)|"
    r"no fixed address|homeless|refused|declined|[.?_-]+|x{3,5}",
    re.IGNORECASE,
)
_LONGEST_ADDRESS = 200
_FILLER_ZIPS = frozenset({"99999", "11111"})
_ZIP_LETTERS_AS_DIGITS = str.maketrans("oOilIl", "001111")
_MISREAD_ZIP = re.compile(r"(?=.*\d.*\d)[\doOilI]{5}(?:-?[\doOilI]{4})?|\d(?: \d){4}")
_MASKED = re.compile(r"(\d{3})(?:[*xX#]{2}|[*xX#]{6}|[*xX#]{2}-[*xX#]{4}|\d{2}-[*xX#_]{4})")
_PLUS_4 = re.compile(r"(\d{4,5}) ?[-+] ?(\d{4})|(\d{5}) (\d{4})")
_ZIP_LABEL = re.compile(
    r"^(?:(?:zip|postal)?[ -]?(?:code)?\s*(?:\+ ?4)?\s*[:#=]\s*|zip(?:[ -]?code)?\s+|USA?[\s-]+)",
    re.IGNORECASE,
)
_AFTER = re.compile(r"[\s,]+(?:USA?|U\.S\.A?\.?|United States(?: of America)?)\.?$", re.IGNORECASE)
_LAST = re.compile(r"(?:^|.*[\s,;:])(?P<zip>\d{4,5}(?: ?- ?\d{4}|\d{4})?|\d{3}[*xX]{2})", re.DOTALL)
_MILITARY = ("AA", "AE", "AP")
_STATE_WORDS = "|".join([*NAMES_BY_STATE, *NAMES_BY_STATE.values(), *_MILITARY, r"D\.C"])
_STATE_MENTION = re.compile(rf"\b(?:{_STATE_WORDS})\b\.?", re.IGNORECASE)
_STATE_AT_END = re.compile(_STATE_MENTION.pattern + r"[\s,.:;-]*$", re.IGNORECASE)


def _as_text(value: object) -> str:
    """The value as one line of digits, spaces and dashes; misread letters are repaired."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return value
    text = plain_line(value).strip("'\"`() ").rstrip("-_.,; ")
    if _MISREAD_ZIP.fullmatch(text):
        text = text.translate(_ZIP_LETTERS_AS_DIGITS).replace(" ", "")
    return re.sub(r"^(\d+)\.0*$", r"\1", text)


def _prefix(text: str, generalised: bool, number: bool) -> str | ZipReason:
    """The first three of five digits, or the reason why the text has none."""
    if text.isascii() and text.isdigit():
        return _from_digits(text, generalised, number)
    bare = _ZIP_LABEL.sub("", _AFTER.sub("", text).strip(" ,"), count=1)
    if masked := _MASKED.fullmatch(bare):
        return masked[1]
    if bare.isascii() and bare.isdigit():
        return _from_digits(bare, generalised, number)
    if plus := _PLUS_4.fullmatch(bare):
        return _from_digits((plus[1] or plus[3]).zfill(5) + (plus[2] or plus[4]), False, number)
    return _from_line(bare)


def _from_digits(digits: str, generalised: bool, number: bool) -> str | ZipReason:
    """The prefix from digits. A ZIP code that is stored as a number may have lost several leading
    zeros. A ZIP code that is stored as text may have lost one.
    """
    if generalised and len(digits) <= 3:
        return digits.zfill(3)
    if len(digits) == 3 and not number:
        return _three_digits(digits)
    whole = _with_zeros(digits, number)
    if whole is None:
        return ZipReason.FOREIGN if 3 < len(digits) < 9 else ZipReason.UNREADABLE
    filler = whole.startswith("000") or whole[:5] in _FILLER_ZIPS
    return ZipReason.PLACEHOLDER if filler else whole[:3]


def _with_zeros(digits: str, number: bool) -> str | None:
    """Return five, nine or (with the delivery point) eleven digits; None for any other count."""
    lost = len(digits) in (4, 8) and not digits.startswith("0")
    if len(digits) in (5, 9, 11):
        return digits
    if not lost and not (number and len(digits) < 5) and digits != "0":
        return None
    return digits.zfill(9 if len(digits) == 8 else 5)


def _three_digits(digits: str) -> str | ZipReason:
    """The prefix, unless it could be a full ZIP code without its leading zeros.

    ZIP codes that begin with two zeros: 00501, 00544 (New York); 006-009 (Puerto Rico, Virgin
    Islands).
    """
    number = int(digits)
    islands = 601 <= number <= 795 or 801 <= number <= 851 or 901 <= number <= 988
    return ZipReason.AMBIGUOUS if islands or number in (501, 544) else digits


def _from_line(text: str) -> str | ZipReason:
    """The ZIP at the end of an address line after a state, or alone before a state."""
    found = _LAST.fullmatch(text)
    if found and _STATE_AT_END.search(text[: found.start("zip")]):
        digits = found["zip"].replace(" ", "")
        head, _, tail = digits.partition("-")
        if head[3:] in ("**", "xx", "XX"):
            return head[:3]
        return _from_digits(head.zfill(5) + tail if tail else head, False, False)
    before_state = re.fullmatch(r"(\d{5})(?:-\d{4})?[\s,]+(.+)", text)
    if before_state and _STATE_MENTION.fullmatch(before_state[2]):
        return before_state[1][:3]
    odd = not any(c.isdigit() for c in text) or re.fullmatch(r"[\d.+,-]*[.+,][\d.+,-]*", text)
    return ZipReason.UNREADABLE if odd else ZipReason.FOREIGN
