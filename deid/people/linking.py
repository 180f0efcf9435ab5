"""Whose row is it? The columns that lead from a table to its patients, and the keys they hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from deid.columns.column_profiles import DescribedColumn
from recognizers import header_words, is_placeholder

# Numbers this short count rows of anything: they link only columns that both name the patient.
LEAST_STRONG = 4
LEAST_OVERLAP = 0.8
# A key that rows of more people hold is that of a place or a plan: it tells nothing of any of them.
MOST_SHARING = 4
_BARE = frozenset(
    {"id", "key", "number", "no", "identifier", "code", "sequence", "source", "value"}
)


@lru_cache(maxsize=1 << 16)
def normal_key(value: str) -> str:
    """A key as it is compared: case, punctuation and lost leading zeros do not matter."""
    text = re.sub(r"^(\d+)\.0+$", r"\1", value.strip().casefold())
    text = re.sub(r"[\s./_-]+", "", text)
    return text.lstrip("0") if text.isdigit() else text


@dataclass(slots=True)
class KeyBook:
    """Keys and the person each belongs to. Its `repr` shows counts only.

    Names of the patient (`patient`) and numbers of their visits, claims and plans (`other`) are
    kept apart: a visit 21 is not the patient 21. A key that two persons share leads to nobody.
    """

    _patient: dict[str, str] = field(default_factory=dict, repr=False)
    _other: dict[str, str | None] = field(default_factory=dict, repr=False)
    _held: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict, repr=False)

    def add(self, key: str, person: str) -> None:
        """Another key of that person; the first owner of a key keeps it."""
        self._patient.setdefault(normal_key(key), person)

    def add_other(self, key: str, person: str) -> None:
        """A number of something of that person's."""
        norm = normal_key(key)
        if len(norm) >= LEAST_STRONG and self._other.setdefault(norm, person) != person:
            self._other[norm] = None

    def hold(self, header: str, key: str, person: str) -> None:
        """A row of that person's holds the key under that header."""
        place = header, normal_key(key)
        holders = self._held.get(place, ())
        if person not in holders and len(holders) <= MOST_SHARING:
            self._held[place] = (*holders, person)

    def holders(self, header: str, key: str | None) -> tuple[str, ...]:
        """Whose rows hold the key under that header; nobody's where too many do."""
        if key is None or is_placeholder(key):
            return ()
        holders = self._held.get((header, normal_key(key)), ())
        return holders if len(holders) <= MOST_SHARING else ()

    def person(self, key: str | None) -> str | None:
        """The person that a patient key leads to."""
        if key is None or is_placeholder(key):
            return None
        return self._patient.get(normal_key(key))

    def owner(self, key: str | None) -> str | None:
        """The person that any strong key leads to."""
        if key is None or is_placeholder(key):
            return None
        norm = normal_key(key)
        strong = len(norm) >= LEAST_STRONG
        return (self._patient.get(norm) or self._other.get(norm)) if strong else None

    def __len__(self) -> int:
        return len(self._patient)


@dataclass(frozen=True, slots=True)
class Link:
    """The columns of one table that lead to a person: patient keys first, then anything else.

    `shared` are keys under a header that tables of patients have, too: the note of what was found
    in it, the address of whoever lives there.
    """

    keys: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    shared: tuple[tuple[int, str], ...] = ()

    def person(self, cells: Sequence[str | None], book: KeyBook) -> str | None:
        """The person the row leads to, None if none of its keys is known."""
        for index in self.keys:
            if (found := book.person(cells[index])) is not None:
                return found
        for index in self.others:
            if (found := book.owner(cells[index])) is not None:
                return found
        holders = self.holders(cells, book)
        return holders[0] if len(holders) == 1 else None

    def holders(self, cells: Sequence[str | None], book: KeyBook) -> tuple[str, ...]:
        """The few people whose rows hold a key of this row."""
        found = (book.holders(header, cells[index]) for index, header in self.shared)
        return next(filter(None, found), ())


def key_columns(
    columns: Sequence[str], seen: Sequence[DescribedColumn], named: str | None
) -> list[int]:
    """The columns that hold keys of the row's own patient; the one the user named goes first."""
    first = [i for i, header in enumerate(columns) if header == named]
    own = [
        i
        for i, described in enumerate(seen)
        if described.profile.shape == "patient_key" and not described.profile.role
    ]
    return list(dict.fromkeys([*first, *own]))


def shared_columns(
    columns: Sequence[str], seen: Sequence[DescribedColumn]
) -> tuple[tuple[int, str], ...]:
    """The columns of keys whose header says of what, folded: `note_id`, but not `id`."""
    return tuple(
        (index, header.strip().casefold())
        for index, (header, d) in enumerate(zip(columns, seen, strict=True))
        if d.profile.shape in ("key", "account")
        and not d.profile.role
        and not d.path
        and set(header_words(header)) - _BARE
    )


def other_columns(seen: Sequence[DescribedColumn]) -> list[int]:
    """The columns whose numbers are one patient's each: visits, accounts, plans."""
    return [
        i
        for i, d in enumerate(seen)
        if d.profile.shape in ("account", "plan") and not d.profile.role
    ]


def overlapping(
    rows: Iterable[Sequence[str | None]], seen: Sequence[DescribedColumn], book: KeyBook
) -> list[int]:
    """Columns under other names whose values are, nearly all of them, keys already known."""
    hits: Counter[int] = Counter()
    totals: Counter[int] = Counter()
    candidates = [
        i
        for i, d in enumerate(seen)
        if d.profile.kind not in ("text", "quasi") and not d.profile.role
    ]
    for cells in rows:
        for index in candidates:
            cell = cells[index]
            if cell is not None and not is_placeholder(cell):
                totals[index] += 1
                hits[index] += book.owner(cell) is not None
    return [i for i in candidates if totals[i] and hits[i] >= LEAST_OVERLAP * totals[i]]
