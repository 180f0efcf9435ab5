"""Sorted keys with numbers, in encrypted pages: on disk if they are many.

Memory holds the first key of each page only. All keys of a question are looked up together, so that
each page is read once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from deid.spool import Spill

PAGE_BYTES = 1 << 13
PAGES_AT_ONCE = 1 << 6
# The number of a key that is in no page.
MISSING = np.iinfo(np.int32).min
_BYTES_PER_KEY = 8
Entries = tuple[np.ndarray, np.ndarray]
"""Keys in ascending order, and the number of each."""


class SortedPages:
    """Entries that do not change. A key may have several numbers. The `repr` shows a count."""

    def __init__(self, kind: np.dtype, chunks: Iterable[Entries]) -> None:
        self._kind = np.dtype(kind)
        self._per_page = PAGE_BYTES // (_BYTES_PER_KEY + self._kind.itemsize)
        self._store = Spill()
        self._count = 0
        first = [self._append(*page) for page in self._paged(chunks)]
        self._first = np.array(first, np.uint64)

    def __repr__(self) -> str:
        return f"SortedPages({len(self)} entries)"

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """The memory that the first keys of the pages take, in bytes."""
        return int(self._first.nbytes)

    def _paged(self, chunks: Iterable[Entries]) -> Iterator[Entries]:
        left: Entries = np.zeros(0, np.uint64), np.zeros(0, self._kind)
        for chunk in chunks:
            keys, numbers = _concatenated([left, chunk])
            whole = len(keys) - len(keys) % self._per_page
            for at in range(0, whole, self._per_page):
                yield keys[at : at + self._per_page], numbers[at : at + self._per_page]
            left = keys[whole:], numbers[whole:]
        if len(left[0]):
            yield left

    def _append(self, keys: np.ndarray, numbers: np.ndarray) -> int:
        """Write one page; return its first key."""
        own = keys.astype(np.uint64).tobytes().ljust(_BYTES_PER_KEY * self._per_page, b"\0")
        page = own + numbers.astype(self._kind).tobytes()
        self._store.append(page.ljust(PAGE_BYTES, b"\0"))
        self._count += len(keys)
        return int(keys[0])

    def chunks(self) -> Iterator[Entries]:
        """All entries in order, some pages at a time."""
        pages = range(len(self._first))
        for at in range(0, len(pages), PAGES_AT_ONCE):
            yield self._read(pages[at : at + PAGES_AT_ONCE])

    def _read(self, pages: Sequence[int]) -> Entries:
        data = b"".join(self._store.read(PAGE_BYTES * page, PAGE_BYTES) for page in pages)
        rows = np.frombuffer(data, np.uint8).reshape(len(pages), PAGE_BYTES)
        split = _BYTES_PER_KEY * self._per_page
        stop = split + self._kind.itemsize * self._per_page
        last_page = len(self._first) - 1
        count = self._per_page * len(pages)
        if pages[-1] == last_page:
            count -= self._per_page * (last_page + 1) - self._count
        keys = np.ascontiguousarray(rows[:, :split]).view(np.uint64).ravel()
        numbers = np.ascontiguousarray(rows[:, split:stop]).view(self._kind).ravel()
        return keys[:count], numbers[:count]

    def find(self, asked: np.ndarray) -> Entries:
        """The entries of these keys, which are distinct and in order.

        The result is, for each entry, the index of its key in `asked`, and its number.
        """
        found: list[Entries] = [(np.zeros(0, np.int64), np.zeros(0, self._kind))]
        pages = self._pages_of(asked)
        for at in range(0, len(pages), PAGES_AT_ONCE):
            keys, numbers = self._read(pages[at : at + PAGES_AT_ONCE])
            places = np.minimum(np.searchsorted(asked, keys), len(asked) - 1)
            met = np.flatnonzero(asked[places] == keys)
            found.append((places[met], numbers[met]))
        return _concatenated(found)

    def _pages_of(self, asked: np.ndarray) -> list[int]:
        """The pages that may hold these keys."""
        if not len(asked) or not len(self._first):
            return []
        # A page that begins with the key may follow pages that end with it.
        before = np.maximum(np.searchsorted(self._first, asked, "left") - 1, 0)
        last = np.searchsorted(self._first, asked, "right")
        edges = np.zeros(len(self._first) + 1, np.int64)
        np.add.at(edges, before, 1)
        np.add.at(edges, np.maximum(last, before), -1)
        return np.flatnonzero(np.cumsum(edges[:-1])).tolist()


class PageLevels:
    """Entries that are added in portions; each level is at most half as long as the one before it.

    Of several numbers of one key, the last one added counts, or all do (`several`). The `repr`
    shows a count.
    """

    def __init__(self, kind: type[np.generic], *, several: bool = False) -> None:
        self._kind = np.dtype(kind)
        self._several = several
        self._levels: list[SortedPages] = []

    def __repr__(self) -> str:
        return f"PageLevels({len(self)} entries)"

    def __len__(self) -> int:
        return sum(map(len, self._levels))

    def add(self, keys: np.ndarray, numbers: np.ndarray) -> None:
        """Add entries in any order, without two numbers of one key if only one counts."""
        if len(keys):
            portion = _sorted_entries([(keys, numbers)], self._several)
            self._merge(iter([portion]), len(portion[0]))

    def _merge(self, portion: Iterator[Entries], size: int) -> None:
        while self._levels and len(self._levels[-1]) < 2 * size:
            older = self._levels.pop()
            size += len(older)
            portion = _merged(portion, older.chunks(), self._several)
        self._levels.append(SortedPages(self._kind, portion))

    def as_one(self) -> SortedPages:
        """All entries in one level."""
        while len(self._levels) > 1:
            newest = self._levels.pop()
            self._merge(newest.chunks(), max(len(newest), len(self._levels[-1])))
        return self._levels[0] if self._levels else SortedPages(self._kind, ())

    def find(self, asked: np.ndarray) -> np.ndarray:
        """The number of each of these keys; MISSING for an unknown key."""
        distinct, places = np.unique(asked, return_inverse=True)
        found = np.full(len(distinct), MISSING, np.int64)
        for level in reversed(self._levels):
            left = np.flatnonzero(found == MISSING)
            met, numbers = level.find(distinct[left])
            found[left[met]] = numbers
        return np.asarray(found[places])

    def entries(self, asked: np.ndarray) -> Entries:
        """The distinct entries of these keys, which are distinct and in order.

        The result is, for each entry, the index of its key in `asked`, and its number.
        """
        none = np.zeros(0, np.int64), np.zeros(0, self._kind)
        return _sorted_entries([none, *(level.find(asked) for level in self._levels)], several=True)

    def count(self, asked: np.ndarray) -> np.ndarray:
        """How many numbers each of these keys has."""
        return np.bincount(self.entries(asked)[0], minlength=len(asked))


def _merged(newer: Iterator[Entries], older: Iterator[Entries], several: bool) -> Iterator[Entries]:
    """The entries of both, in order, with only parts of them in memory."""
    sources = [(chunk for chunk in source if len(chunk[0])) for source in (newer, older)]
    held = [next(source, None) for source in sources]
    while (first := held[0]) is not None and (second := held[1]) is not None:
        short = int(second[0][-1] < first[0][-1])
        stop = min(first[0][-1], second[0][-1])
        cuts = [int(np.searchsorted(keys, stop)) for keys, _ in (first, second)]
        pairs = list(zip((first, second), cuts, strict=True))
        yield _sorted_entries(
            [(keys[:cut], numbers[:cut]) for (keys, numbers), cut in pairs], several
        )
        held = [(keys[cut:], numbers[cut:]) for (keys, numbers), cut in pairs]
        more = next(sources[short], None)
        if more is None:
            yield from _merged_to_end(held, 1 - short, sources[1 - short], several)
            return
        held[short] = _concatenated([held[short], more])  # type: ignore[list-item]
    yield from (entries for entries in held if entries is not None)
    for source in sources:
        yield from source


def _merged_to_end(
    held: list[Entries | None], longer: int, source: Iterator[Entries], several: bool
) -> Iterator[Entries]:
    """Merge the last entries of the shorter source, which all have one key, with the longer one."""
    left = [entries for entries in held if entries is not None]
    key = left[1 - longer][0][-1]
    while left[longer][0][-1] == key and (more := next(source, None)) is not None:
        left[longer] = _concatenated([left[longer], more])
    yield _sorted_entries(left, several)
    yield from source


def _sorted_entries(parts: Sequence[Entries], several: bool) -> Entries:
    """Sorted parts together in order; of equal entries, or of one key, only the first."""
    keys, numbers = _concatenated(parts)
    order = np.lexsort((numbers, keys)) if several else np.argsort(keys, kind="stable")
    keys, numbers = keys[order], numbers[order]
    fresh = np.ones(len(keys), bool)
    fresh[1:] = keys[1:] != keys[:-1]
    if several:
        fresh[1:] |= numbers[1:] != numbers[:-1]
    return keys[fresh], numbers[fresh]


def _concatenated(parts: Sequence[Entries]) -> Entries:
    keys, numbers = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return keys, numbers
