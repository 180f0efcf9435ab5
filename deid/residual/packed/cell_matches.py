"""Find the cells that hold a form of the patient of their row.

All stretches of letters and digits of the distinct cells are looked up, as hashes, among the forms
of all patients of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from deid.residual.folding import fold_text
from deid.residual.layers import LEAST_FOLDED, long_runs, text_layers
from deid.residual.packed.hashed_runs import SIDES, HashSet, TextRuns, stretch_hashes
from deid.residual.residues import mask_residues
from deid.residual.sweep import LONGEST_JOIN, digests_shown
from deid.residual.value_forms import day_keys

CHARACTERS = 1 << 18
# The largest number of days whose hashes are kept: the same days occur in many tables.
DAYS_HELD = 1 << 15
# A day is written as three numbers, or as one number of eight digits.
_NUMBERS, _DIGITS = 3, 8
_LONGEST_DAY = 24
_SHORTEST_DIGEST = 32


@dataclass(frozen=True, slots=True)
class SearchedCells:
    """The distinct cells of some rows.

    `columns` has, for each column, the number of each row's cell in `words`, or -1. `codes` has the
    number of each row's patient, or -1.
    """

    words: Sequence[str] = field(repr=False)
    columns: Sequence[np.ndarray] = field(repr=False)
    codes: np.ndarray = field(repr=False)


@dataclass(frozen=True, slots=True)
class WantedForms:
    """The forms and days of a batch's patients, which are looked for in its cells.

    `forms` and `days` are pairs of arrays: the first has the hashes of the forms, or the days, and
    the second has the number of the patient of each. `day_hashes` holds the hash of each form of
    each day, the day, and whether the form has digits only.
    """

    forms: tuple[np.ndarray, np.ndarray]
    days: tuple[np.ndarray, np.ndarray]
    day_hashes: tuple[np.ndarray, np.ndarray, np.ndarray]

    @classmethod
    def of(cls, packed: Sequence[tuple[np.ndarray, np.ndarray]]) -> WantedForms:
        """Collect the wanted forms from the packed forms and days of each patient."""
        forms, days = ([pair[n] for pair in packed] for n in (0, 1))
        distinct = _sorted_distinct(np.concatenate(days))
        told = [_hashes_of_day(day) for day in distinct.tolist()]
        none = np.zeros(0, np.uint64), np.zeros(0, bool)
        hashes, digits = map(np.concatenate, zip(none, *told, strict=True))
        dated = np.repeat(distinct, [len(some) for some, _ in told])
        return cls(
            (np.concatenate(forms), _array_numbers(forms)),
            (np.concatenate(days), _array_numbers(days)),
            (hashes, dated, digits),
        )


@lru_cache(maxsize=DAYS_HELD)
def _hashes_of_day(day: int) -> tuple[np.ndarray, np.ndarray]:
    """The hash of each form of a day, and whether the form has digits only."""
    keys = list(day_keys(day))
    return stretch_hashes(keys), np.fromiter(map(str.isdigit, keys), bool, len(keys))


def _array_numbers(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return np.repeat(np.arange(len(arrays)), [len(array) for array in arrays])


@dataclass(frozen=True, slots=True)
class CellMatches:
    """The stretches of cells that are forms of any patient in the batch.

    `cells` and `hashes` have the cell and hash of each stretch; `dated` says whether its digits may
    be a day. `whole` are cells whose rows are searched in any case.
    """

    cells: np.ndarray
    hashes: np.ndarray
    dated: np.ndarray
    whole: np.ndarray

    @classmethod
    def of(cls, words: Sequence[str], wanted: WantedForms, longest: int) -> CellMatches:
        """Find the known stretches in these cells; only days are longer than `longest`."""
        known = HashSet(_sorted_distinct(np.concatenate([wanted.forms[0], wanted.day_hashes[0]])))
        parts = [_looked_up(*some, known, max(longest, _LONGEST_DAY)) for some in _layers(words)]
        none = (np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, bool))
        cells, hashes, dated = map(np.concatenate, zip(none, *parts, strict=True))
        whole = [number for number, word in enumerate(words) if _needs_whole_row(word)]
        return cls(cells, hashes, dated, np.array(whole, np.int64))

    def rows_met(self, cells: SearchedCells, wanted: WantedForms) -> Iterator[int]:
        """The rows with a form of their own patient, or with a cell in `whole`."""
        hashes, patients = wanted.forms
        known = _sorted_distinct(hashes)
        at, is_form = _places_in(known, self.hashes)
        pairs = np.searchsorted(known, hashes), patients
        for row, _ in _own_pairs(cells, (self.cells[is_form], at[is_form]), pairs):
            yield row
        for column in cells.columns:
            yield from np.flatnonzero(np.isin(column, self.whole) & (cells.codes >= 0)).tolist()

    def days_met(self, cells: SearchedCells, wanted: WantedForms) -> Iterator[tuple[int, int]]:
        """The rows with a day of their own patient, each with that day."""
        order = np.argsort(wanted.day_hashes[0], kind="stable")
        hashes, days, digits = (column[order] for column in wanted.day_hashes)
        low, high = (np.searchsorted(hashes, self.hashes, side) for side in SIDES)
        stretches = np.repeat(np.arange(len(low)), high - low)
        told = _ranges(low, high)
        is_day = ~digits[told] | self.dated[stretches]
        found = self.cells[stretches[is_day]], days[told[is_day]]
        return _own_pairs(cells, found, wanted.days)


def _own_pairs(
    cells: SearchedCells,
    found: tuple[np.ndarray, np.ndarray],
    wanted: tuple[np.ndarray, np.ndarray],
) -> Iterator[tuple[int, int]]:
    """Yield each row with a form or day of its patient that one of its cells holds.

    `found` pairs each cell with a form or day that it holds; `wanted` pairs each form or day with
    its patient.
    """
    patients = int(cells.codes.max(initial=-1)) + 1
    pairs = np.sort(wanted[0].astype(np.int64) * patients + wanted[1])
    own, held = (np.asarray(column) for column in found)
    order = np.argsort(own, kind="stable")
    own, held = own[order], held[order].astype(np.int64)
    for column in cells.columns:
        low, high = (np.searchsorted(own, column, side) for side in SIDES)
        high = np.where((column >= 0) & (cells.codes >= 0), high, low)
        rows = np.repeat(np.arange(len(column)), high - low)
        told = held[_ranges(low, high)]
        _, met = _places_in(pairs, told * patients + cells.codes[rows])
        yield from zip(rows[met].tolist(), told[met].tolist(), strict=True)


def _sorted_distinct(values: np.ndarray) -> np.ndarray:
    """The distinct values in order. For so many, sorting is faster than `np.unique`."""
    values = np.sort(values)
    fresh = np.ones(len(values), bool)
    fresh[1:] = values[1:] != values[:-1]
    return values[fresh]


def _places_in(known: np.ndarray, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each value would stand among the sorted `known`, and whether it is one of them."""
    at = np.searchsorted(known, asked)
    held = at < len(known)
    held[held] = known[at[held]] == asked[held]
    return at, held


def _ranges(starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """Return the numbers of all ranges from `starts` to `stops`, one range after another."""
    sizes = stops - starts
    first = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return np.asarray(first + np.arange(len(first)))


def _layers(words: Sequence[str]) -> Iterator[tuple[list[int], list[str]]]:
    """The folded layers of the cells and the numbers of their cells, in chunks."""
    numbers: list[int] = []
    layers: list[str] = []
    size = 0
    for number, word in enumerate(words):
        for _, plain in text_layers(mask_residues(word)):
            numbers.append(number)
            layers.append(_folded_layer(plain))
            size += len(plain)
        if size > CHARACTERS:
            yield numbers, layers
            numbers, layers, size = [], [], 0
    if layers:
        yield numbers, layers


def _folded_layer(text: str) -> str:
    """The text, folded like the forms. Each remaining non-ASCII character becomes one "?"."""
    return fold_text(text).lower().encode("ascii", "replace").decode("ascii")


def _looked_up(
    numbers: Sequence[int], layers: Sequence[str], known: HashSet, longest: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The known stretches of some layers: the cell and hash of each, and if it may be a day."""
    runs = TextRuns.of("\n".join(layers))
    ends = np.cumsum([len(layer) + 1 for layer in layers])
    whose = np.searchsorted(ends, runs.starts, "right")
    digits = runs.stream[runs.stops[:-1]] <= ord("9") if len(runs.starts) else runs.starts
    found: list[list[np.ndarray]] = [[], [], []]
    for first, count, hashes in runs.look_up(known, longest, LONGEST_JOIN):
        stop = np.minimum(first + count, len(runs.starts))
        within = whose[first] == whose[stop - 1]
        first, stop, count = first[within], stop[within], count[within]
        size = runs.stops[stop] - runs.stops[first]
        whole = (count == 1) & (size == _DIGITS)
        found[0].append(np.asarray(numbers, np.int64)[whose[first]])
        found[1].append(hashes[within])
        found[2].append(digits[first] & (whole | (count == _NUMBERS)))
    empty = (np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, bool))
    cells, hashed, dated = (np.concatenate([e, *f]) for e, f in zip(empty, found, strict=True))
    return cells, hashed, dated


def _needs_whole_row(word: str) -> bool:
    """Whether the cell's whole row must be searched.

    This is so for a possible digest, and for long lines that may continue in other cells.
    """
    text = mask_residues(word)
    if len(text) < _SHORTEST_DIGEST:
        return False
    if long_runs(text, LEAST_FOLDED):
        return True
    return any(digests_shown(plain) for _, plain in text_layers(text))
