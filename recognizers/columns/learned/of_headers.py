"""Features of a header's words as numbers, from word lists and labeled columns with these words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from pathlib import Path

from recognizers.columns.cells.shapes import is_listed, is_lone_name
from recognizers.columns.headers import header_words, is_header_word, rule_of
from recognizers.columns.learned.of_cells import UNASKED, ColumnFeatures
from recognizers.words.gazetteers import clinical_word, common_word
from safe_harbor import csv_rows

# A word in few columns is weak evidence: this many columns are added to each side of its odds.
HEADER_PRIOR = 1.0
# A word must occur in this many columns; a word that occurs once may be an ad hoc abbreviation.
LEAST_MET = 3
LEAST_TELLING = 0.5
LEAST_TERM_LETTERS = 3
SAYING_NOTHING = frozenset((
    "alt", "attr", "attribute", "col", "column", "data", "field", "fld", "info", "item", "misc",
    "number", "obx", "other", "source", "src", "text", "udf", "unnamed", "val", "value", "var",
    "variable",
))  # fmt: skip
_GRAM = 4
_RUNS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_KIND_NUMBERS = {None: 0.0, "keep": 1.0, "text": 2.0, "quasi": 3.0, "identifier": 4.0}


@dataclass(frozen=True)
class HeaderCounts:
    """For each word or run of letters, how many harmless and how many identifying columns
    have it.
    """

    counts: Mapping[str, tuple[float, float]]

    @classmethod
    def read(cls, path: Path) -> HeaderCounts:
        rows = csv_rows(path)
        return cls({r["word"]: (float(r["stays"]), float(r["identifies"])) for r in rows})

    def odds(self, word: str) -> float:
        """The natural log odds that a column with this word may be kept; 0 for an unknown word."""
        stays, identifies = self.counts.get(word, (0.0, 0.0))
        return log((stays + HEADER_PRIOR) / (identifies + HEADER_PRIOR))

    def met(self, word: str) -> float:
        """Return how many labeled columns have this word in their headers."""
        return sum(self.counts.get(word, (0.0, 0.0)))

    def _tells(self, term: str) -> bool:
        bare = term.removeprefix("=")
        if len(bare) < LEAST_TERM_LETTERS or bare in SAYING_NOTHING:
            return False
        return self.met(term) >= LEAST_MET and abs(self.odds(term)) >= LEAST_TELLING

    def knows(self, header: str) -> bool:
        """Whether a word of the header is in several labeled columns, nearly all kept or all
        identifying.
        """
        words, pieces, _ = header_terms(header)
        return any(map(self._tells, (*words, *pieces)))


@lru_cache(maxsize=1 << 14)
def header_terms(header: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the header's words spelled out, its pieces as written, and runs of letters
    (`^hgb`).
    """
    pieces = tuple(run.casefold() for run in _RUNS.findall(header) if not run.isdigit())
    grams = tuple(f"~{gram}" for piece in pieces for gram in _grams(f"^{piece}$"))
    words = header_words(header)
    return tuple(f"={word}" for word in words), pieces, grams


def _grams(text: str) -> Iterator[str]:
    for start in range(max(len(text) - _GRAM + 1, 1)):
        yield text[start : start + _GRAM]


def ends_in_unit(header: str) -> bool:
    """Whether the last piece of the header is a unit of measure: `carbs_g`, `mealPct`."""
    return any(is_listed("header_unit", piece) for piece in header_terms(header)[1][-1:])


def header_features(header: str, counts: HeaderCounts) -> ColumnFeatures:
    words, pieces, grams = header_terms(header)
    if not counts.knows(header):
        # Runs of letters in unknown words are evidence only by chance.
        grams = ()
    plain = [word[1:] for word in words]
    rule = rule_of(header)
    found: ColumnFeatures = {
        "header_length": len(header),
        "header_pieces": len(pieces),
        "header_digits": sum(map(str.isdigit, header)),
        "header_capitals": sum(map(str.isupper, header)) / max(len(header), 1),
        "header_blanks": sum(map(str.isspace, header)),
        "header_kind": _KIND_NUMBERS[None if rule is None else rule.kind],
        "header_weight": UNASKED if rule is None else rule.weight,
        "header_known": _mean_told([float(is_header_word(word)) for word in plain]),
        "header_clinical": _mean_told([float(clinical_word(word)) for word in plain]),
        "header_common": _mean_told([float(common_word(word)) for word in plain]),
        "header_name": _mean_told([float(is_lone_name(word)) for word in plain]),
        "header_unit": float(ends_in_unit(header)),
        "header_doubtful_unit": float(any(is_listed("doubtful_unit", p) for p in pieces[-1:])),
        "header_measured": float(any(is_listed("measured", piece) for piece in pieces)),
    }
    for name, terms in (("words", words), ("pieces", pieces), ("grams", grams)):
        told = [counts.odds(term) for term in terms]
        found[f"{name}_sum"] = sum(told)
        found[f"{name}_least"] = min(told, default=0.0)
        found[f"{name}_most"] = max(told, default=0.0)
        found[f"{name}_mean"] = sum(told) / max(len(told), 1)
        found[f"{name}_met"] = _mean_told([float(counts.met(term) > 0) for term in terms])
    found["piece_last"] = counts.odds(pieces[-1]) if pieces else 0.0
    found["piece_first"] = counts.odds(pieces[0]) if pieces else 0.0
    found["word_last"] = counts.odds(words[-1]) if words else 0.0
    return found


def _mean_told(told: Sequence[float]) -> float:
    return sum(told) / len(told) if told else UNASKED
