"""The forms of all patients, looked up in a text: sorted arrays, however many patients there are.

Of each form, 64 bits of a hash of its letters and digits are held, and a number for what kind of
form it is. The hashes of all stretches of a text that could be a form are computed and looked up
together. Equal letters have equal hashes, so no form is missed. A stretch that is no form has the
hash of one with odds of 1 to 5,000 for a million patients and a gigabyte; that holds the release.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from deid.residual.forms import ValueForm, cased_and_folded
from deid.residual.sweep import LONGEST_JOIN, Sighting, digests_of, digests_shown, shown_form
from deid.spool import Spill
from safe_harbor import Identifier

FormShape = tuple[Identifier, str, str, str, bool]
"""A form without its key."""
CHUNK, BUCKETS = 1 << 14, 16
RUNS_AT_ONCE = 1 << 13  # runs whose stretches are looked up together
BITS_PER_FORM = 16
_FACTOR = 0x9E3779B97F4A7C15
_CHARACTER_KINDS = np.zeros(256, np.int8)
_CHARACTER_KINDS[ord("a") : ord("z") + 1] = 1
_CHARACTER_KINDS[ord("0") : ord("9") + 1] = 2


class PackedForms:
    """The forms of many patients. The `repr` shows a count."""

    def __init__(self, forms: Iterable[ValueForm]) -> None:
        self._shapes: dict[FormShape, int] = {}
        self._longest = 0
        self._keys = Spill()
        self._chunks: list[tuple[int, int, int]] = []
        pieces: list[list[tuple[np.ndarray, np.ndarray]]] = [[] for _ in range(BUCKETS)]
        source = iter(forms)
        while chunk := list(islice(source, CHUNK)):
            self._add(chunk, pieces)
        self._hashes, self._codes = _sorted(pieces)
        self._bits, self._shift = _filter_bits(self._hashes)
        self._asked: dict[str, FormShape | None] = {}

    def __repr__(self) -> str:
        return f"PackedForms({len(self)} forms)"

    def __len__(self) -> int:
        return len(self._hashes)

    def _add(
        self, forms: list[ValueForm], pieces: list[list[tuple[np.ndarray, np.ndarray]]]
    ) -> None:
        numbers = self._shapes
        codes = np.array(
            [numbers.setdefault(_form_shape(f), len(numbers)) for f in forms], np.uint16
        )
        keys = [form.key for form in forms]
        joined = "\n".join(keys).encode("ascii")
        self._chunks.append((self._keys.append(codes.tobytes() + joined), len(keys), len(joined)))
        sizes = np.fromiter(map(len, keys), np.int64, len(keys))
        self._longest = max(self._longest, int(sizes.max()))
        stops = np.cumsum(sizes)
        hashes = _Hashes("".join(keys).encode("ascii")).of(stops - sizes, stops)
        order = np.argsort(hashes, kind="stable")
        hashes, codes = hashes[order], codes[order]
        bounds = np.searchsorted(hashes, _bucket_starts()).tolist()
        for own, start, stop in zip(pieces, bounds, [*bounds[1:], len(hashes)], strict=True):
            own.append((hashes[start:stop].copy(), codes[start:stop].copy()))

    def look(self, text: str) -> list[Sighting]:
        """The forms in a text as it is: the longest at each place that has its evidence."""
        if not len(self):
            return []
        cased, folded = cased_and_folded(text)
        runs = _Runs.of(folded)
        seen: list[Sighting] = []
        done = -1
        for i, joins, hashed in self._matches(runs):
            if i == done:
                continue
            spans = runs.spans(i, joins)
            key = "".join(folded[start:stop] for start, stop in spans)
            form = shown_form(self._forms(key, hashed), key, cased, folded, spans)
            if form is not None:
                done = i
                seen.append(
                    Sighting(spans[0][0], form.word, form.kind, key.isdigit() and joins == 1)
                )
        return seen

    def _matches(self, runs: _Runs) -> Iterator[tuple[int, int, int]]:
        """First run, number of runs and hash of the stretches that are forms, longest first."""
        count = len(runs.starts)
        for first in range(0, count, RUNS_AT_ONCE):
            last = min(first + RUNS_AT_ONCE, count)
            stops = runs.stops[first : min(last + LONGEST_JOIN, count) + 1]
            hashes = _Hashes(runs.stream[stops[0] : stops[-1]])
            stops = stops - stops[0]
            found: list[tuple[int, int, int]] = []
            for joins in range(1, LONGEST_JOIN + 1):
                begun = stops[: max(min(last - first, len(stops) - joins), 0)]
                ends = stops[joins : joins + len(begun)]
                places = np.flatnonzero(ends - begun <= self._longest)
                asked = hashes.of(begun[places], ends[places])
                for place in self._known(asked).tolist():
                    found.append((first + int(places[place]), -joins, int(asked[place])))
            yield from ((i, -joins, hashed) for i, joins, hashed in sorted(found))

    def _known(self, asked: np.ndarray) -> np.ndarray:
        """The places of the hashes that are those of forms."""
        bits = asked >> self._shift
        maybe = np.flatnonzero(self._bits[bits >> np.uint64(3)] >> (bits & np.uint64(7)) & 1)
        some = asked[maybe]
        at = np.minimum(np.searchsorted(self._hashes, some), len(self._hashes) - 1)
        return np.asarray(maybe[self._hashes[at] == some])

    def _forms(self, key: str, hashed: int) -> list[ValueForm]:
        shapes, wanted = list(self._shapes), np.uint64(hashed)
        start = int(np.searchsorted(self._hashes, wanted))
        stop = int(np.searchsorted(self._hashes, wanted, "right"))
        return [ValueForm(key, *shapes[code]) for code in self._codes[start:stop].tolist()]

    def look_for_digests(self, text: str) -> list[Sighting]:
        """Unkeyed hashes (MD5, SHA-1, SHA-256) of a form: a code derived from the value."""
        shown = digests_shown(text)
        self._ask({digest for _, digest in shown} - self._asked.keys())
        return [
            Sighting(offset, shape[0], "hash of a value", False)
            for offset, digest in shown
            if (shape := self._asked[digest]) is not None
        ]

    def _ask(self, digests: set[str]) -> None:
        """Compute the digests of every key, which are held nowhere, and note which are asked."""
        if not digests:
            return
        self._asked |= dict.fromkeys(digests)
        sizes = {len(digest) for digest in digests}
        shapes = list(self._shapes)
        for code, key in self._all_keys():
            for digest in digests_of(key, sizes):
                if digest in digests:
                    self._asked[digest] = shapes[code]

    def _all_keys(self) -> Iterator[tuple[int, str]]:
        for place, count, size in self._chunks:
            codes = np.frombuffer(self._keys.read(place, 2 * count), np.uint16).tolist()
            joined = self._keys.read(place + 2 * count, size).decode("ascii")
            yield from zip(codes, joined.split("\n"), strict=True)


def _form_shape(form: ValueForm) -> FormShape:
    return form.word, form.scope, form.needs, form.kind, form.whole


def _bucket_starts() -> np.ndarray:
    return np.arange(BUCKETS, dtype=np.uint64) << np.uint64(60)


def _sorted(
    pieces: list[list[tuple[np.ndarray, np.ndarray]]],
) -> tuple[np.ndarray, np.ndarray]:
    """All hashes in order with their numbers, without repetitions; empties the pieces."""
    size = sum(len(hashes) for bucket in pieces for hashes, _ in bucket)
    all_hashes, all_codes = np.empty(size, np.uint64), np.empty(size, np.uint16)
    at = 0
    for bucket in pieces:
        if not bucket:
            continue
        hashes = np.concatenate([own for own, _ in bucket])
        codes = np.concatenate([own for _, own in bucket])
        bucket.clear()
        order = np.lexsort((codes, hashes))
        hashes, codes = hashes[order], codes[order]
        fresh = np.ones(len(hashes), bool)
        fresh[1:] = (hashes[1:] != hashes[:-1]) | (codes[1:] != codes[:-1])
        stop = at + int(fresh.sum())
        all_hashes[at:stop], all_codes[at:stop] = hashes[fresh], codes[fresh]
        at = stop
    return all_hashes[:at], all_codes[:at]


def _filter_bits(hashes: np.ndarray) -> tuple[np.ndarray, np.uint64]:
    """A bit for the first bits of each hash, and by how much a hash is shifted to its bit."""
    width = max((BITS_PER_FORM * len(hashes)).bit_length(), 16)
    shift = np.uint64(64 - width)
    bits = np.zeros(1 << (width - 3), np.uint8)
    part = len(bits) // BUCKETS
    bounds = [*np.searchsorted(hashes, _bucket_starts()).tolist(), len(hashes)]
    for bucket in range(BUCKETS):
        own = (hashes[bounds[bucket] : bounds[bucket + 1]] >> shift).astype(np.int64)
        flags = np.zeros(8 * part, bool)
        flags[own - 8 * part * bucket] = True
        bits[part * bucket : part * (bucket + 1)] = np.packbits(flags, bitorder="little")
    return bits, shift


@dataclass(frozen=True, slots=True)
class _Runs:
    """The runs of letters and of digits of a folded text: bounds, the runs joined, their stops."""

    starts: np.ndarray = field(repr=False)
    ends: np.ndarray = field(repr=False)
    stream: np.ndarray = field(repr=False)
    stops: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, folded: str) -> _Runs:
        # A character that is not ASCII becomes one mark, so that places stay.
        codes = np.frombuffer(folded.encode("ascii", "replace"), np.uint8)
        kinds = _CHARACTER_KINDS[codes]
        edges = np.flatnonzero(np.diff(kinds, prepend=0, append=0))
        told = kinds[np.minimum(edges, len(kinds) - 1)] > 0
        starts = edges[told & (edges < len(kinds))]
        ends = edges[np.searchsorted(edges, starts) + 1]
        stops = np.concatenate([[0], np.cumsum(ends - starts)])
        return cls(starts, ends, codes[kinds > 0], stops)

    def spans(self, first: int, count: int) -> list[tuple[int, int]]:
        """The bounds of some runs."""
        own = slice(first, first + count)
        return list(zip(self.starts[own].tolist(), self.ends[own].tolist(), strict=True))


class _Hashes:
    """The hashes of all stretches of some bytes: a polynomial, so that each takes one step."""

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
    """The first powers of a factor, modulo 2 to the 64."""
    factors = np.full(count, factor, np.uint64)
    factors[0] = 1
    return np.cumprod(factors)
