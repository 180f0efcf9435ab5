"""The runs of letters and of digits in a text, and the hashes of all stretches of runs.

Equal stretches have equal hashes, so looking up hashes misses no form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

RUNS_AT_ONCE = 1 << 13  # runs whose stretches are looked up together
HEAD = 6  # the first characters of a long stretch, which are looked up before the whole stretch
SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
_BITS_PER_HASH = 16
_FACTOR = 0x9E3779B97F4A7C15
# The first bits of a hash, and those of its products with these factors, choose its bits in a
# filter.
_FILTER_FACTORS = (np.uint64(_FACTOR), np.uint64(0xC2B2AE3D27D4EB4F))
_LETTERS_AND_DIGITS = b"abcdefghijklmnopqrstuvwxyz0123456789"
# 1 for letters, 2 for digits, 0 for all other characters.
_CHARACTER_KINDS = bytes(
    0 if code not in _LETTERS_AND_DIGITS else 2 if chr(code).isdigit() else 1 for code in range(256)
)
_BETWEEN_RUNS = bytes(code for code in range(256) if not _CHARACTER_KINDS[code])


class HashFilter:
    """Hashes as two to four bytes each, which rule out nearly all other hashes.

    `count` is the number of the hashes, and each of the `chunks` is sorted. The `repr` shows a
    size. Of the hashes that were not given, at most 5 in a thousand pass.
    """

    def __init__(self, count: int, chunks: Iterable[np.ndarray]) -> None:
        width = max((_BITS_PER_HASH * count).bit_length(), 16)
        self._shift = np.uint64(64 - width)
        self._bits = np.zeros(1 << (width - 3), np.uint8)
        for hashes in chunks:
            self._add(hashes)
            for factor in _FILTER_FACTORS:
                self._add(np.sort(hashes * factor))

    def __repr__(self) -> str:
        return f"HashFilter({self.nbytes} bytes)"

    @property
    def nbytes(self) -> int:
        """The memory that the filter uses, in bytes."""
        return self._bits.nbytes

    def _add(self, numbers: np.ndarray) -> None:
        """Set the bit of each of these sorted numbers."""
        places, bits = self._bit_of(numbers)
        first = np.flatnonzero(np.diff(places, prepend=places[:1] + np.uint64(1)))
        if len(first):
            masks = np.left_shift(np.uint8(1), bits)
            self._bits[places[first]] |= np.bitwise_or.reduceat(masks, first)

    def _bit_of(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The byte of the filter for each number, and the bit in the byte."""
        first = numbers >> self._shift
        return first >> np.uint64(3), (first & np.uint64(7)).astype(np.uint8)

    def _has_bit(self, numbers: np.ndarray) -> np.ndarray:
        places, bits = self._bit_of(numbers)
        return np.flatnonzero(self._bits[places] >> bits & 1)

    def places(self, asked: np.ndarray) -> np.ndarray:
        """The indexes of the hashes in `asked` that may have been given."""
        maybe = self._has_bit(asked)
        for factor in _FILTER_FACTORS:
            maybe = maybe[self._has_bit(asked[maybe] * factor)]
        return maybe


class KnownHashes(Protocol):
    """A set of hashes."""

    def places(self, asked: np.ndarray) -> np.ndarray:
        """The indexes of the hashes in `asked` that are in the set."""
        ...


class HashSet:
    """A set of sorted hashes. The `repr` shows a count."""

    def __init__(self, hashes: np.ndarray) -> None:
        self.hashes = hashes
        self._filter = HashFilter(len(hashes), [hashes])

    def __repr__(self) -> str:
        return f"HashSet({len(self)} hashes)"

    def __len__(self) -> int:
        return len(self.hashes)

    @property
    def nbytes(self) -> int:
        """The memory that the set uses, in bytes."""
        return self.hashes.nbytes + self._filter.nbytes

    def places(self, asked: np.ndarray) -> np.ndarray:
        """The indexes of the hashes in `asked` that are in the set."""
        if not len(self):
            return np.zeros(0, np.int64)
        maybe = self._filter.places(asked)
        some = asked[maybe]
        at = np.minimum(np.searchsorted(self.hashes, some), len(self.hashes) - 1)
        return np.asarray(maybe[self.hashes[at] == some])


@dataclass(frozen=True, slots=True)
class TextRuns:
    """The runs of letters and of digits in a folded text.

    `starts` and `ends` bound the runs in the text; `stream` is the joined runs, `stops` their
    bounds in it.
    """

    starts: np.ndarray = field(repr=False)
    ends: np.ndarray = field(repr=False)
    stream: np.ndarray = field(repr=False)
    stops: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, folded: str) -> TextRuns:
        # Each non-ASCII character becomes one "?", so that offsets do not change.
        data = folded.encode("ascii", "replace")
        kinds = np.frombuffer(data.translate(_CHARACTER_KINDS), np.int8)
        edges = np.flatnonzero(kinds[1:] != kinds[:-1]) + 1
        begins = np.concatenate([np.zeros(min(len(kinds), 1), np.int64), edges])
        is_run = kinds[begins] > 0
        starts = begins[is_run]
        ends = np.append(edges, len(kinds))[: len(begins)][is_run]
        stops = np.concatenate([[0], np.cumsum(ends - starts)])
        return cls(
            starts, ends, np.frombuffer(data.translate(None, _BETWEEN_RUNS), np.uint8), stops
        )

    def spans(self, first: int, count: int) -> list[tuple[int, int]]:
        """Return the bounds of `count` runs from the run `first` on."""
        own = slice(first, first + count)
        return list(zip(self.starts[own].tolist(), self.ends[own].tolist(), strict=True))

    def look_up(
        self, known: KnownHashes, longest: int, joins: int, heads: HashFilter | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield the known stretches of at most `joins` runs and `longest` characters, in chunks.

        Each has its first run, its number of runs and its hash. Of the stretches that begin at the
        same run, the longest comes first. `heads`, if given, has the first `HEAD` characters of
        every known stretch that is as long: where a text shows none of them, only shorter stretches
        are looked up.
        """
        for first in range(0, len(self.starts), RUNS_AT_ONCE):
            last = min(first + RUNS_AT_ONCE, len(self.starts))
            stops = self.stops[first : min(last + joins, len(self.starts)) + 1]
            hashes = StretchHashes(self.stream[stops[0] : stops[-1]])
            stops = stops - stops[0]
            is_long = np.full(last - first, heads is None)
            if heads is not None:
                headed = _runs_with_head(hashes, stops[: last - first], int(stops[-1]), heads)
                is_long[headed] = True
            short, long = np.flatnonzero(~is_long), np.flatnonzero(is_long)
            found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
            for count in range(1, joins + 1):
                some = []
                for begun, limit in ((short, min(HEAD - 1, longest)), (long, longest)):
                    begun = begun[: np.searchsorted(begun, len(stops) - count)]
                    some.append(begun[stops[begun + count] - stops[begun] <= limit])
                short, long = some
                asked = np.concatenate(some)
                hashed = hashes.of(stops[asked], stops[asked + count])
                met = known.places(hashed)
                found.append((first + asked[met], np.full(len(met), count), hashed[met]))
            begins, counts, values = map(np.concatenate, zip(*found, strict=True))
            order = np.lexsort((-counts, begins))
            yield begins[order], counts[order], values[order]


def _runs_with_head(
    hashes: StretchHashes, begun: np.ndarray, size: int, heads: HashFilter
) -> np.ndarray:
    """The runs at which a long known stretch may begin, in a stream of `size` characters."""
    begun = begun[: np.searchsorted(begun, size - HEAD, "right")]
    return heads.places(hashes.of(begun, begun + HEAD))


class StretchHashes:
    """The hashes of all stretches of some bytes. A polynomial hash takes one step per stretch."""

    _powers: np.ndarray = np.ones(1, np.uint64)
    _inverse: np.ndarray = np.ones(1, np.uint64)

    def __init__(self, data: bytes | np.ndarray) -> None:
        codes = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
        self._grow(len(codes) + 1)
        self._sums = np.zeros(len(codes) + 1, np.uint64)
        np.cumsum(codes.astype(np.uint64) * self._powers[: len(codes)], out=self._sums[1:])

    @classmethod
    def _grow(cls, size: int) -> None:
        if len(cls._powers) < size:
            cls._powers = _powers(_FACTOR, 2 * size)
            cls._inverse = _powers(pow(_FACTOR, -1, 1 << 64), 2 * size)

    def of(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """The hash of each stretch."""
        hashes: np.ndarray = (self._sums[stops] - self._sums[starts]) * self._inverse[starts]
        hashes ^= hashes >> np.uint64(33)
        hashes *= np.uint64(0xFF51AFD7ED558CCD)
        hashes ^= hashes >> np.uint64(33)
        return hashes


def _powers(factor: int, count: int) -> np.ndarray:
    """Return the first `count` powers of a factor, modulo 2 to the power of 64."""
    factors = np.full(count, factor, np.uint64)
    factors[0] = 1
    return np.cumprod(factors)


def stretch_hashes(keys: Sequence[str]) -> np.ndarray:
    """The hash of each of these ASCII stretches."""
    sizes = np.fromiter(map(len, keys), np.int64, len(keys))
    stops = np.cumsum(sizes)
    return StretchHashes("".join(keys).encode("ascii")).of(stops - sizes, stops)
