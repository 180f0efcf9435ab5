"""Link rows to patients by the keys in the columns that identify a patient."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np

from deid.columns.column_profiles import DescribedColumn
from deid.people.packed_keys import PackedKeys, PagedKeys, PersonNumbers, PlainKey, key_hash
from deid.people.sorted_pages import PageLevels
from recognizers import header_words, is_filler_value

# Shorter keys are often plain counters. They link two columns only if both hold patient keys.
MIN_KEY_LENGTH = 4
LEAST_OVERLAP = 0.8
# A key in rows of more patients than this identifies a place or a plan, not a patient.
MOST_SHARING = 4
# The smallest group of patients that is not told apart: CMS shows no smaller cell in a table.
LEAST_GROUP = 11
# The number that stands for "several patients".
_SHARED = -1
_KEY_SUFFIXES = frozenset(
    {"id", "key", "number", "no", "identifier", "code", "sequence", "source", "value"}
)
# What is left of the header of a plain patient key without these words; `patient_site_id` has more.
_WORDS_FOR_KEYS = frozenset({"id", "key", "number", "identifier", "code"})
_PLAIN_KEYS = ({"patient"}, {"mrn"}, {"medical", "record"})


@lru_cache(maxsize=1 << 16)
def normal_key(value: str) -> str:
    """The key in the form for comparison: case, punctuation and leading zeros do not matter."""
    text = re.sub(r"^(\d+)\.0+$", r"\1", value.strip().casefold())
    text = re.sub(r"[\s./_-]+", "", text)
    return text.lstrip("0") if text.isdigit() else text


def _holder_pages() -> PageLevels:
    return PageLevels(np.int32, several=True)


def _holder_hash(header: str, key: str) -> int:
    return key_hash(f"{header}\n{normal_key(key)}")


@dataclass(slots=True)
class KeyBook:
    """Keys, each with the patient that it belongs to. Its `repr` shows counts only.

    Patient keys (`patient`) and numbers of visits, claims and plans (`other`) are kept apart: visit
    21 is not patient 21. If two patients share a number, it identifies neither of them.
    """

    persons: PersonNumbers = field(default_factory=PersonNumbers)
    _patient: PackedKeys = field(default_factory=PackedKeys, repr=False)
    _other: PagedKeys = field(default_factory=PagedKeys, repr=False)
    _holders: PageLevels = field(default_factory=_holder_pages, repr=False)

    def add(self, key: str, person: str) -> None:
        """Add a patient key. A key stays with its first patient."""
        norm = normal_key(key)
        if self._patient.find(norm) is None:
            self._patient.put(norm, self.persons.number(person))

    def add_others(self, told: Iterable[tuple[str, str]]) -> None:
        """Add numbers of visits, claims or plans, each with its patient."""
        pairs = [
            (norm, self.persons.number(person))
            for key, person in told
            if len(norm := normal_key(key)) >= MIN_KEY_LENGTH
        ]
        norms = list(dict.fromkeys(norm for norm, _ in pairs))
        known = dict(zip(norms, self._other.find_all(norms), strict=True))
        changed: dict[PlainKey, int] = {}
        for norm, number in pairs:
            if (found := known[norm]) not in (number, _SHARED):
                known[norm] = changed[norm] = number if found is None else _SHARED
        self._other.put_all(changed)

    def _person(self, number: int | None) -> str | None:
        return None if number is None or number == _SHARED else self.persons.person(number)

    def add_holders(self, header: str, told: Iterable[tuple[str, str]]) -> None:
        """Record that rows of these patients hold the keys under that header."""
        pairs = [(_holder_hash(header, key), self.persons.number(person)) for key, person in told]
        keys = np.array([hashed for hashed, _ in pairs], np.uint64)
        distinct, places = np.unique(keys, return_inverse=True)
        is_open = (self._holders.count(distinct) <= MOST_SHARING)[places]
        numbers = np.array([number for _, number in pairs], np.int32)
        self._holders.add(keys[is_open], numbers[is_open])

    def holders(self, header: str, keys: Sequence[str | None]) -> list[tuple[str, ...]]:
        """The patients with each key under that header in their rows; none if too many."""
        some = [None if k is None or is_filler_value(k) else _holder_hash(header, k) for k in keys]
        asked = np.unique(np.array([hashed for hashed in some if hashed is not None], np.uint64))
        found: dict[int, list[int]] = {}
        for place, number in zip(*(a.tolist() for a in self._holders.entries(asked)), strict=True):
            found.setdefault(int(asked[place]), []).append(number)
        held = [found.get(hashed, []) if hashed is not None else [] for hashed in some]
        return [
            tuple(map(self.persons.person, own)) if len(own) <= MOST_SHARING else () for own in held
        ]

    def person(self, key: str | None) -> str | None:
        """The patient whom a patient key identifies."""
        if key is None or is_filler_value(key):
            return None
        norm = normal_key(key)
        return self._person(self._patient.find(norm)) if norm else None

    def owner(self, key: str | None) -> str | None:
        """The patient whom a key of any kind identifies, if it is long enough."""
        return self.owners([key])[0]

    def owners(self, keys: Sequence[str | None]) -> list[str | None]:
        """The patient of each key, as `owner` finds it."""
        norms = [None if not key or is_filler_value(key) else normal_key(key) for key in keys]
        long = [norm if norm and len(norm) >= MIN_KEY_LENGTH else None for norm in norms]
        own = [None if norm is None else self._person(self._patient.find(norm)) for norm in long]
        left = [norm if own[n] is None else None for n, norm in enumerate(long)]
        others = map(self._person, self._other.find_all(left))
        return [first or second for first, second in zip(own, others, strict=True)]

    def __len__(self) -> int:
        return len(self._patient)


class CodedRows(Protocol):
    """Rows whose columns are read as distinct cells and the index of each row's cell."""

    def __len__(self) -> int: ...
    def words(self, index: int, /) -> tuple[Sequence[str | None], np.ndarray]: ...


@dataclass(frozen=True, slots=True)
class Owners:
    """The patients of some rows: distinct keys, each row's index in them, each key's first row.

    The `repr` shows a count.
    """

    people: Sequence[str | None] = field(repr=False)
    codes: np.ndarray = field(repr=False)
    first: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, keys: Sequence[str | None]) -> Owners:
        """Build the owners from the patient key of each row."""
        known: dict[str | None, int] = {}
        first: list[int] = []
        for place, key in enumerate(keys):
            if known.setdefault(key, len(first)) == len(first):
                first.append(place)
        codes = np.fromiter((known[key] for key in keys), np.int64, len(keys))
        return cls(list(known), codes, np.array(first, np.int64))

    def key(self, place: int) -> str | None:
        """The key of the patient of one row."""
        return self.people[int(self.codes[place])]


@dataclass(frozen=True, slots=True)
class Link:
    """The columns of one table that identify a patient: patient keys first, then other numbers.

    `shared` are key columns whose header also occurs in tables of patients. Examples are the key of
    a note in a table of findings, and the key of a person's address in a table of addresses.
    """

    keys: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    shared: tuple[tuple[int, str], ...] = ()

    def person(self, cells: Sequence[str | None], book: KeyBook) -> str | None:
        """The patient of a row; None if no key of it is known."""
        for index in self.keys:
            if (found := book.person(cells[index])) is not None:
                return found
        for index in self.others:
            if (found := book.owner(cells[index])) is not None:
                return found
        holders = self.holders(cells, book)
        return holders[0] if len(holders) == 1 else None

    def people_of(self, rows: CodedRows, book: KeyBook) -> list[str | None]:
        """The patient of each row, as `person` finds it; each distinct key is looked up once."""
        people: list[str | None] = [None] * len(rows)
        for index in (*self.keys, *self.others):
            words, places = rows.words(index)
            found = [*map(book.person, words)] if index in self.keys else book.owners(words)
            pairs = zip(people, places.tolist(), strict=True)
            people = [found[place] if key is None else key for key, place in pairs]
        is_left = [key is None for key in people]
        for row, holders in self.holders_of_rows(rows, book, np.flatnonzero(is_left)):
            people[row] = holders[0] if len(holders) == 1 else None
        return people

    def holders_of_rows(
        self, rows: CodedRows, book: KeyBook, some: np.ndarray
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Some rows, each with the patients that have a key of the row in their rows, if few."""
        columns = []
        for index, header in self.shared if len(some) else ():
            words, places = rows.words(index)
            columns.append((book.holders(header, words), places))
        for row in some.tolist() if columns else ():
            found = (holders[int(places[row])] for holders, places in columns)
            yield row, next(filter(None, found), ())

    def holders(self, cells: Sequence[str | None], book: KeyBook) -> tuple[str, ...]:
        """The patients with a key of this row in their rows, if they are few."""
        found = (book.holders(header, [cells[index]])[0] for index, header in self.shared)
        return next(filter(None, found), ())


def key_columns(
    columns: Sequence[str], seen: Sequence[DescribedColumn], named: str | None
) -> list[int]:
    """Columns that hold the key of the row's patient; the one the user named comes first."""
    first = [i for i, header in enumerate(columns) if header == named]
    own = [
        i
        for i, described in enumerate(seen)
        if described.profile.shape == "patient_key" and not described.profile.role
    ]
    return list(dict.fromkeys([*first, *own]))


def plain_keys(
    columns: Sequence[str], seen: Sequence[DescribedColumn], keys: Sequence[int]
) -> list[int]:
    """Return the key columns that surely tell patients apart: a published model or the whole header
    says so (`USUBJID`, `patient_id`, but not `patient_event_id`).
    """
    return [
        i
        for i in keys
        if seen[i].by_schema or set(header_words(columns[i])) - _WORDS_FOR_KEYS in _PLAIN_KEYS
    ]


def group_columns(
    keys: Sequence[int], plain: Sequence[int], rows: Iterable[Sequence[str | None]]
) -> set[int]:
    """Return the key columns that hold the number of a group of patients: `patient_site_id`.

    They are not plain keys, and on average each of their values stands beside at least
    `LEAST_GROUP` plain keys.
    """
    others = [i for i in keys if i not in plain] if plain else []
    beside: dict[int, dict[str, set[str]]] = {i: {} for i in others}
    for cells in rows if others else ():
        held = {i: cell for i in keys if (cell := cells[i]) and not is_filler_value(cell)}
        patient = next((normal_key(held[i]) for i in plain if i in held), None)
        for i in others:
            if i in held and patient is not None:
                beside[i].setdefault(normal_key(held[i]), set()).add(patient)
    return {i for i, of in beside.items() if of and _mean_size(of.values()) >= LEAST_GROUP}


def _mean_size(groups: Collection[set[str]]) -> float:
    return sum(map(len, groups)) / len(groups)


def shared_key_columns(
    columns: Sequence[str], seen: Sequence[DescribedColumn]
) -> tuple[tuple[int, str], ...]:
    """Return the key columns with headers that say what the key identifies: `note_id`, not `id`."""
    return tuple(
        (index, header.strip().casefold())
        for index, (header, d) in enumerate(zip(columns, seen, strict=True))
        if d.profile.shape in ("key", "account")
        and not d.profile.role
        and not d.path
        and set(header_words(header)) - _KEY_SUFFIXES
    )


def other_columns(seen: Sequence[DescribedColumn]) -> list[int]:
    """Return the columns in which each number belongs to one patient: visits, accounts, plans."""
    return [
        i
        for i, d in enumerate(seen)
        if d.profile.shape in ("account", "plan") and not d.profile.role
    ]


def overlapping_columns(
    rows: Iterable[Sequence[str | None]], seen: Sequence[DescribedColumn], book: KeyBook
) -> list[int]:
    """Return the columns in which nearly all values are known keys, whatever their headers are."""
    candidates = [
        i
        for i, d in enumerate(seen)
        if d.profile.kind not in ("text", "quasi") and not d.profile.role
    ]
    sample = list(rows)
    return [i for i in candidates if _are_known_keys([cells[i] for cells in sample], book)]


def _are_known_keys(column: Sequence[str | None], book: KeyBook) -> bool:
    cells = [cell for cell in column if cell is not None and not is_filler_value(cell)]
    known = sum(owner is not None for owner in book.owners(cells))
    return bool(cells) and known >= LEAST_OVERLAP * len(cells)
