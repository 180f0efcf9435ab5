"""The rules that approve cells of one kept column; all other cells are blanked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from deid.vocabularies import has_cdisc_terms, is_cdisc_term, system_named
from deid.vouching.published import (
    dates_somebody,
    is_measurement_within,
    is_published_cell,
    leads_with_zero,
    plain_number,
)
from deid.vouching.ranges import Range
from recognizers import (
    conforms,
    held_shape,
    is_filler_value,
    is_genomic,
    is_listed,
    is_null,
    may_be_somebody,
    names_house,
    names_somebody,
    word_evidence,
)
from safe_harbor import Identifier

# Why a cell was blanked; these keys and sentences appear in `changes.jsonl` and the manifest.
UNVOUCHED = {
    "known": "holds a known value of a person",
    "shape": "has the shape of an identifier, or does not fit the column",
    "name": "may be a person's name",
    "number": "a number outside the column's range or grammar",
    "genomic": "genomic data in a column that is not named for it",
    "value": "on no published list, and too few persons have the value",
}
# Types whose cells are numbers.
NUMERIC_SHAPES = frozenset(
    [
        *("number", "duration", "measure", "score", "reading", "wide_reading", "graded"),
        *("result", "sequence"),
    ]
)
# Types whose cells are numbers in some tables: those of a data model, and bare terms.
MIXED_SHAPES = frozenset(["term", "coded"])
_CODED_KINDS = frozenset(
    ["code", "short_code", "concept", "coded", "version", "sequence", "counter"]
)
# Types whose grammar alone approves a cell: consecutive numbers, the validity of vocabulary rows,
# and forms so narrow that no person's number or name has them.
_GRAMMAR_ALONE = frozenset(["counter", "validity", "yes_no", "digit", "percent", "time_point"])
# The most letters of an abbreviation: `PO` and `IM` are surnames, too.
SHORT_FORM = 3
RXNORM_DIGITS = 7
_WHOLE_FLOAT = re.compile(r"\d+\.0")
_DIGITS, _CAPITALS, _SMALLS = re.compile(r"\d"), re.compile(r"[A-Z]"), re.compile(r"[a-z]")
_FEW_DIGITS, _OF_OMOP = re.compile(r"[1-9]\d{0,3}"), re.compile(r"9{6,8}")
# `08` is a vaccine code (CVX): not an age, and too short to identify anybody.
_ZERO_AND_DIGIT = re.compile(r"0\d?")
_CONCEPT_ID = re.compile(r"0|[1-9]\d{0,3}|[1-9]\d{5,7}|2[01]\d{8}")
_BUILT = re.compile(r"(?=.*\d)[A-Za-z\d][A-Za-z\d./:_|+*%<>=#-]{0,19}")
# CDISC allows eight characters.
_SHORT_NAME = re.compile(r"[A-Z][A-Z\d]{1,7}")
_FOUR_LETTERS = re.compile(r"[A-Za-z]{5,}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of a cell: the identifier it may be, and the reason (a key of `UNVOUCHED`)."""

    identifier: Identifier
    why: str


@dataclass(frozen=True, slots=True)
class Voucher:
    """The cells that a kept column approves. The `repr` shows no values.

    `shape` is the type of the column, and `span` is the range of its numbers. `observed` are the
    values that many persons have, and `builds` the code patterns (`A99.9`) that many persons have.
    `lists` are the published lists that hold half of its cells. `is_named` is set if a policy keeps
    the column: then only person names and cells shaped like identifiers are refused. `is_small` is
    set if the table has too few rows to show its own codes. `variable` is the name of the column if
    CDISC publishes terms for it, else "".
    """

    shape: str
    span: Range = field(default_factory=Range)
    observed: frozenset[str] = field(default=frozenset(), repr=False)
    builds: frozenset[str] = field(default=frozenset(), repr=False)
    lists: tuple[str, ...] = ()
    is_named: bool = False
    is_small: bool = True
    variable: str = ""

    def of_variable(self, header: str) -> Voucher:
        """The voucher with the terms that CDISC publishes for a variable of this name, if any."""
        return replace(self, variable=header) if has_cdisc_terms(header) else self

    def refuses(self, value: str) -> Refusal | None:
        """Return why the cell must not be released; None if the cell is approved."""
        text = cell_text(self.shape, value)
        if is_empty_answer(text):
            return None
        if self.variable and is_cdisc_term(self.variable, text):
            return None
        if self.shape == "system":
            return None if system_named(text) else Refusal(Identifier.URLS, "value")
        if not self._fits(text):
            return Refusal(held_shape(text) or Identifier.OTHERS, "shape")
        if self.is_named:
            return self._refused_by_name(text)
        if self.shape in _GRAMMAR_ALONE or folded(text) in self.observed:
            return None
        if self.vouches(text):
            return None
        return Refusal(*_kind_of(text))

    def vouches(self, text: str) -> bool:
        """Whether published vocabulary, the column's range or its grammar approves the text."""
        if is_genomic(text):
            return False
        number = plain_number(text)
        if number is not None and self.has_range and self._accepts_number(text, number):
            return True
        if number is not None and self.shape in NUMERIC_SHAPES:
            return leads_with_zero(text) and code_pattern(text) in self.builds
        if is_published_cell(self.shape, text) or any(is_listed(name, text) for name in self.lists):
            return True
        if (build := code_pattern(text)) and build in self.builds:
            return True
        measured = self.shape in NUMERIC_SHAPES or (self.shape in MIXED_SHAPES and number is None)
        if measured and is_measurement_within(text, self.span.low, self.span.high):
            return True
        return self._is_small_code(text)

    def _fits(self, text: str) -> bool:
        """Whether the cell has the column's shape, or is a published term in a column of codes."""
        if conforms(self.shape, text) or self._is_long_code(text):
            return True
        coded = self.shape in _CODED_KINDS
        return coded and conforms("term", text) and is_published_cell("term", text)

    def _is_long_code(self, text: str) -> bool:
        """Whether the cell is a code of seven digits (RxNorm) in a column with many such codes."""
        return (
            self.shape == "code"
            and len(text) == RXNORM_DIGITS
            and code_pattern(text) in self.builds
        )

    @property
    def has_range(self) -> bool:
        """Whether the column has a range of numbers."""
        return self.shape in NUMERIC_SHAPES or (self.shape in MIXED_SHAPES and self.span.is_known)

    def _accepts_number(self, text: str, number: float) -> bool:
        figure = text.strip("<>=~≤≥±$% +-")
        if not self.span.has(number) or leads_with_zero(figure):
            return False
        return self.span.whole or not (figure.isdigit() and len(figure) > 4)

    def _is_small_code(self, text: str) -> bool:
        """Whether the cell is an OMOP concept or, in a small table, a code of few digits."""
        few = self.is_small and self.shape in _CODED_KINDS
        if self.shape == "concept" and (self.is_small or any(map(_OF_OMOP.fullmatch, self.builds))):
            return bool(_CONCEPT_ID.fullmatch(text))
        return bool(_ZERO_AND_DIGIT.fullmatch(text)) or (few and bool(_FEW_DIGITS.fullmatch(text)))

    def _refused_by_name(self, text: str) -> Refusal | None:
        named = names_somebody(text) or may_be_somebody(text)
        if not named or folded(text) in self.observed or is_published_cell("term", text):
            return None
        return Refusal(Identifier.NAMES, "name")


def cell_text(shape: str, value: str) -> str:
    """The cell without blanks around it.

    A code that was read as a float, `386516004.0`, loses its `.0`.
    """
    text = value.strip()
    return text[:-2] if shape in _CODED_KINDS and _WHOLE_FLOAT.fullmatch(text) else text


def is_empty_answer(text: str) -> bool:
    """Whether the cell is null or a word for a missing value, and not a dummy name or number."""
    if is_null(text):
        return True
    few = sum(map(str.isdigit, text)) <= SHORT_FORM
    return few and is_filler_value(text) and not is_suspicious(text)


def folded(text: str) -> str:
    """The value in the form that is counted: without case and repeated blanks."""
    return " ".join(text.casefold().split())


def code_pattern(text: str) -> str:
    """The pattern of a code: `A99.9` for `E11.9`; "" for other texts. A leading 0 stays visible."""
    if not _BUILT.fullmatch(text) or _FOUR_LETTERS.search(text):
        return ""
    zero = "0" if text[0] == "0" and len(text) > 1 else ""
    return zero + _SMALLS.sub("a", _CAPITALS.sub("A", _DIGITS.sub("9", text)))


def is_suspicious(text: str) -> bool:
    """Whether even a frequent value may identify a person: a name, an identifier, genomic data."""
    if held_shape(text) is not None or dates_somebody(text) or is_genomic(text):
        return True
    if names_house(text):
        return True
    return len(text) > SHORT_FORM and (names_somebody(text) or may_be_somebody(text))


def is_short_name(text: str) -> bool:
    """Whether the text is a short name of data standards (`DIABP`), not of a person or town."""
    word = word_evidence(text)
    return bool(_SHORT_NAME.fullmatch(text)) and (word.is_ordinary or not word.is_name)


def _kind_of(text: str) -> tuple[Identifier, str]:
    if is_genomic(text):
        return Identifier.OTHERS, "genomic"
    if plain_number(text) is not None:
        return Identifier.OTHERS, "number"
    if names_somebody(text) or may_be_somebody(text):
        return Identifier.NAMES, "name"
    return Identifier.OTHERS, "value"
