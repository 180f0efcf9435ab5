"""Numbered keys, in about 12 bytes per key, so that millions of patients fit in memory.

The latest keys are kept in a dictionary. The others are distinguished by 63 bits of a hash, in
sorted arrays or pages: among ten million keys, the chance that two collide is 5 in a million.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

import numpy as np

from deid.people.sorted_pages import MISSING, PageLevels
from deid.spool import Spill

KEYS_HELD = 1 << 14
PlainKey = int | str
"""A key of at most 18 digits without leading zeros, or any other key."""


class PackedKeys:
    """A map from keys to numbers. Its `repr` shows a count."""

    def __init__(self, held: int = KEYS_HELD) -> None:
        self._most_held = held
        self._held: dict[str, int] = {}
        # Hashes and numbers; each pair of arrays is at most half as long as the pair before it.
        self._packed: list[tuple[np.ndarray, np.ndarray]] = []
        self._count = 0

    def __repr__(self) -> str:
        return f"PackedKeys({len(self)} keys)"

    def __len__(self) -> int:
        return self._count

    def find(self, key: str) -> int | None:
        """The number of a key; None for an unknown key."""
        if (number := self._held.get(key)) is not None or not self._packed:
            return number
        place = self._place(key)
        return None if place is None else int(place[0][place[1]])

    def put(self, key: str, number: int) -> None:
        """Set or replace the number of a key."""
        place = None if key in self._held or not self._packed else self._place(key)
        if place is not None:
            place[0][place[1]] = number
            return
        self._count += key not in self._held
        self._held[key] = number
        if len(self._held) > self._most_held:
            self._pack()

    def _place(self, key: str) -> tuple[np.ndarray, int] | None:
        """The array that holds the number of a packed key, and the index in it."""
        wanted = np.uint64(key_hash(key))
        for hashes, numbers in self._packed:
            at = int(hashes.searchsorted(wanted))
            if at < len(hashes) and hashes[at] == wanted:
                return numbers, at
        return None

    def _pack(self) -> None:
        hashes = np.fromiter(map(key_hash, self._held), np.uint64, len(self._held))
        numbers = np.fromiter(self._held.values(), np.int32, len(self._held))
        self._held = {}
        while self._packed and len(self._packed[-1][0]) < 2 * len(hashes):
            more, theirs = self._packed.pop()
            hashes, numbers = np.concatenate([more, hashes]), np.concatenate([theirs, numbers])
        order = np.argsort(hashes, kind="stable")
        self._packed.append((hashes[order], numbers[order]))


class PagedKeys:
    """A map from keys to numbers in encrypted pages, for keys that are looked up many at a time.

    Keys of digits are distinguished by all their digits. The `repr` shows a count.
    """

    def __init__(self, held: int | None = None) -> None:
        self._most_held = KEYS_HELD if held is None else held
        self._held: dict[PlainKey, int] = {}
        self._paged = {int: PageLevels(np.int32), str: PageLevels(np.int32)}

    def __repr__(self) -> str:
        return f"PagedKeys({len(self._held)} keys in memory)"

    def find_all(self, keys: Sequence[PlainKey | None]) -> list[int | None]:
        """The number of each key; None for an unknown key."""
        found = [None if key is None else self._held.get(key) for key in keys]
        for kind, pages in self._paged.items():
            asked = [n for n, key in enumerate(keys) if found[n] is None and isinstance(key, kind)]
            if len(pages) and asked:
                numbers = pages.find(_bits_of([keys[n] for n in asked])).tolist()
                for place, number in zip(asked, numbers, strict=True):
                    found[place] = None if number == MISSING else number
        return found

    def put_all(self, numbers: Mapping[PlainKey, int]) -> None:
        """Set or replace the numbers of keys."""
        self._held |= numbers
        if len(self._held) <= self._most_held:
            return
        for kind, pages in self._paged.items():
            own = {key: number for key, number in self._held.items() if isinstance(key, kind)}
            pages.add(_bits_of(list(own)), np.fromiter(own.values(), np.int32, len(own)))
        self._held = {}


def _bits_of(keys: Sequence[PlainKey | None]) -> np.ndarray:
    bits = (key if isinstance(key, int) else key_hash(key or "") for key in keys)
    return np.fromiter(bits, np.uint64, len(keys))


class PersonNumbers:
    """Numbers persons from 0, and finds the person of a number. Its `repr` shows a count."""

    def __init__(self) -> None:
        self._numbers = PackedKeys()
        self._names = Spill()
        self._places = array("q", [0])

    def __repr__(self) -> str:
        return f"PersonNumbers({len(self)} persons)"

    def __len__(self) -> int:
        return len(self._places) - 1

    def __iter__(self) -> Iterator[str]:
        return map(self.person, range(len(self)))

    def number(self, person: str) -> int:
        """The number of a person; a new person gets the next number."""
        number = self._numbers.find(person)
        if number is None:
            number = len(self)
            self._numbers.put(person, number)
            self._names.append(person.encode("utf-8", "surrogatepass"))
            self._places.append(len(self._names))
        return number

    def find(self, person: str) -> int | None:
        """The number of a person; None for an unknown one."""
        return self._numbers.find(person)

    def person(self, number: int) -> str:
        """The person of a number."""
        start, stop = self._places[number], self._places[number + 1]
        return self._names.read(start, stop - start).decode("utf-8", "surrogatepass")


def key_hash(key: str) -> int:
    """63 bits of a hash of the key."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
