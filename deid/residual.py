"""The independent search of what was written, for every known value and what is derived of it.

It shares no code with the recognizers that took the values out. Records are searched for what is
known of their own patient; every byte (contents, headers, file names, the release's own
documents) for what is distinctive of anybody: numbers, addresses, full names. A hit holds the
release; it says where and what kind, never the value. `docs/decisions/` says why it is scoped so.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import numpy as np
import pyarrow as pa

from deid.errors import HELD, DeidError
from deid.formats import ColumnSource, Fault, ReadOptions, Record, Source, open_source
from deid.residual_columns import MOST_CELLS, OwnRows, Sought
from deid.residual_forms import ANYWHERE, Form, forms_of
from deid.residual_sweep import Forms, Sighting, layers, open_bytes
from deid.sifting import ROWS, code, evenly
from recognizers import KnownValues
from safe_harbor import Identifier, is_state

# Between the cells of a record: no form of a value runs across it.
WALL = "\n\n¦¦¦\n\n"
CHUNK = 1 << 22
OVERLAP = 1 << 9
LARGEST_CACHE = 4096
LARGEST_MEMO = 1 << 17
# Below, a number of somebody met in a record of nobody known is chance.
SHORTEST_OF_ANYBODY = 7
# A column of numbers meets a short number of its patient by chance; one that holds it does always.
CHANCE = 0.02
_LEFT = re.compile(r"\[[A-Z][A-Z0-9-]*\]|(?<!\d)90\+")
# `ID-17` and its UUID are the number of a key where a format takes no brackets (FHIR).
_RESIDUE = re.compile(
    r"(?:\d{3,4}|90\+|\d{1,2}(?: ?[A-Za-z]{1,6}\.?)?|\[[A-Z0-9-]+\]|[-+]?\d{0,4}\.\d+|"
    r"ID-\d{1,12}|00000000-0000-4000-8000-\d{12}|)"
)
_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d*)?\s*")


Owner = str | KnownValues | None
Left = Identifier | tuple[Identifier, str]
"""A patient's key, or what a record itself says is known of its patient, or nobody."""


class Known(Protocol):
    """What the search needs to know of the patients."""

    def of(self, key: str | None) -> KnownValues | None: ...
    def all(self) -> Iterable[tuple[str, KnownValues]]: ...
    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a known value stands: file and record (1-based; None for the file as a whole)."""

    file: int
    record: int | None
    word: Identifier
    kind: str


@dataclass(frozen=True, slots=True)
class Residual:
    """What the search found: values looked for, bytes searched, hits by word. Holds no value."""

    known_values: int = 0
    searched_bytes: int = 0
    by_word: Mapping[Identifier, int] = field(default_factory=dict)
    places: tuple[Hit, ...] = ()

    @property
    def hits(self) -> int:
        """How many known values are still there."""
        return sum(self.by_word.values())


@dataclass(slots=True)
class _Batch:
    """What came of some rows: values known, hits, those on bare numbers, numbers by column."""

    known: int
    hits: list[Hit] = field(default_factory=list)
    bare: list[tuple[int, Hit]] = field(default_factory=list)
    numbers: Counter[int] = field(default_factory=Counter)


class Search:
    """The search of one release. `leave` is what the policy lets stand: words, or (word, kind).

    With `everybody`, a record without an owner is searched for what is known of every patient.
    """

    def __init__(
        self,
        known: Iterable[tuple[str, KnownValues]],
        leave: Collection[Left] = (),
        *,
        everybody: bool = False,
    ) -> None:
        self._leave = frozenset(leave)
        self._known = dict(known)
        self.looked_for = self.known_values = sum(map(len, self._known.values()))
        self._anywhere = Forms(
            form for values in self._known.values() for form in self._forms(values)
            if form.scope == ANYWHERE
        )  # fmt: skip
        self._everybody = Forms(
            form
            for values in self._known.values() if everybody
            for form in self._forms(values)
            if not (form.key.isdigit() and len(form.key) < SHORTEST_OF_ANYBODY)
        )  # fmt: skip
        self._own: OrderedDict[str, Forms] = OrderedDict()
        self._clean: set[tuple[Owner, str]] = set()
        self.hits: list[Hit] = []
        self.searched_bytes = 0

    def again(self) -> Search:
        """The same search, compiled once, with its own hits and counts: one for each file."""
        fresh = copy(self)
        fresh.known_values = self.looked_for
        fresh.hits, fresh.searched_bytes = [], 0
        return fresh

    def _forms(self, values: KnownValues) -> Iterator[Form]:
        return (
            form
            for form in forms_of(values)
            if form.word not in self._leave and (form.word, form.kind) not in self._leave
        )

    def _forms_of(self, owner: Owner) -> Forms | None:
        """The forms of one patient, or of what a record itself says is known."""
        if isinstance(owner, KnownValues):
            return Forms(self._forms(owner))
        if owner is None or owner not in self._known:
            return self._everybody if len(self._everybody) else None
        if owner not in self._own:
            self._own[owner] = Forms(self._forms(self._known[owner]))
            if len(self._own) > LARGEST_CACHE:
                self._own.popitem(last=False)
        self._own.move_to_end(owner)
        return self._own[owner]

    def _looks_for(self, owner: Owner) -> bool:
        """Is there anything to look for? Asked of every record, so nothing is compiled for it."""
        return isinstance(owner, KnownValues) or owner in self._known or len(self._everybody) > 0

    def in_text(self, text: str, owner: Owner) -> list[tuple[Sighting, str]]:
        """What of its patient stands in a text, in whatever layer; with the kind of layer."""
        forms = self._forms_of(owner)
        if forms is None or not text:
            return []
        seen: list[tuple[Sighting, str]] = []
        known: set[tuple[Identifier, str]] = set()
        for layer, plain in layers(mask(text)):
            found = [*forms.look(plain), *forms.look_for_digests(plain)]
            # An unescaped text shows again what stands in it unescaped.
            seen += [(s, layer) for s in found if not layer or (s.word, s.kind) not in known]
            known |= {(s.word, s.kind) for s in found}
        return seen

    def records(self, file: int, rows: Iterable[tuple[int, Sequence[str | None], Owner]]) -> None:
        """Search the records of one file, each for its own patient: (ordinal, cells, owner)."""
        chance: dict[int, list[Hit]] = defaultdict(list)
        searched: Counter[int] = Counter()
        for ordinal, cells, owner in rows:
            if isinstance(owner, KnownValues):
                self.known_values += len(owner)
            if not self._looks_for(owner):
                continue
            for column, cell in enumerate(cells):
                if cell and _NUMBER.fullmatch(cell):
                    searched[column] += 1
            for column, hit, bare in self._of_record(file, ordinal, cells, owner):
                (chance[column] if bare else self.hits).append(hit)
        for column, hits in chance.items():
            if len(hits) >= CHANCE * searched[column]:
                self.hits += hits

    def columns(
        self, file: int, source: ColumnSource, owners: OwnRows, stands: Collection[int]
    ) -> None:
        """Search a table by column, each row for what it told of its own person, and all rows for
        what is distinctive of those of whom anything might be left.

        Raises:
            ValueError, DeidError: the rows are not those of `owners`.
        """
        whole = _held(source, stands)
        pairs = partial(_pairs, source, owners.source)
        work = partial(self._batch, file, owners, whole, stands)
        chance: dict[int, list[Hit]] = defaultdict(list)
        searched: Counter[int] = Counter()
        for came in owners.spread(pairs, work):
            self.known_values += came.known
            self.hits += came.hits
            searched += came.numbers
            for column, hit in came.bare:
                chance[column].append(hit)
        for column, hits in chance.items():
            if len(hits) >= CHANCE * searched[column]:
                self.hits += hits

    def _batch(
        self,
        file: int,
        owners: OwnRows,
        whole: Sought | None,
        stands: Collection[int],
        number: int,
        pair: _Pair,
    ) -> _Batch:
        batch, told = pair
        sought = whole or Sought.of(_words([batch], stands))
        if batch.num_rows != told.num_rows:
            raise _unreadable(file)
        came = _Batch(owners.count(told))
        suspects = owners.suspects(told, sought)
        live = self._alive(batch, stands, sought, came.numbers)
        for place in map(int, np.flatnonzero(suspects | live)):
            known = owners.told([column[place].as_py() for column in told.columns])
            if known is None:
                continue
            cells = _cells(batch, place, stands)
            ordinal = number * ROWS + place + 1
            for column, hit, bare in self._of_record(file, ordinal, cells, known):
                if bare:
                    came.bare.append((column, hit))
                else:
                    came.hits.append(hit)
            if suspects[place]:
                came.hits += self._everywhere(file, WALL.join(sought.cells), known)
        return came

    def _alive(
        self,
        batch: pa.RecordBatch,
        stands: Collection[int],
        sought: Sought,
        searched: Counter[int],
    ) -> np.ndarray:
        """The rows with a cell in which anything may stand; numbers are counted on the way."""
        found = np.zeros(batch.num_rows, bool)
        for index in set(range(batch.num_columns)) - set(stands):
            words, places = code(batch.column(index))
            numbers = np.array([bool(w and _NUMBER.fullmatch(w)) for w in words], bool)
            searched[index] += int(numbers[places].sum())
            found |= np.array([w in sought.live for w in words], bool)[places]
        return found

    def _everywhere(self, file: int, text: str, known: KnownValues) -> list[Hit]:
        forms = Forms(form for form in self._forms(known) if form.scope == ANYWHERE)
        return [
            Hit(file, None, sighting.word, sighting.kind)
            for layer, plain in layers(text)
            for sighting in (*forms.look(plain), *forms.look_for_digests(plain))
            if not sighting.bare_digits or layer
        ]

    def _of_record(
        self, file: int, ordinal: int, cells: Sequence[str | None], owner: Owner
    ) -> Iterator[tuple[int, Hit, bool]]:
        texts, starts, place = [], [], 0
        for column, cell in enumerate(cells):
            if cell and not is_residue(cell) and (owner, cell) not in self._clean:
                texts.append(cell)
                starts.append((place, column))
                place += len(cell) + len(WALL)
        if not texts:
            return
        found = self.in_text(WALL.join(texts), owner)
        if not found and isinstance(owner, str) and len(self._clean) < LARGEST_MEMO:
            self._clean.update((owner, text) for text in texts if len(text) < 100)
        for sighting, layer in found:
            column = max((c for s, c in starts if s <= sighting.offset), default=0)
            cell = cells[column] or ""
            bare = sighting.bare_digits and not layer and bool(_NUMBER.fullmatch(cell))
            kind = f"{sighting.kind}, {layer}" if layer else sighting.kind
            yield column, Hit(file, ordinal, sighting.word, kind), bare

    def sweep(self, file: int, name: str, chunks: Iterable[bytes]) -> None:
        """Search every byte of a file, and its name, for what is distinctive of anybody."""
        if not len(self._anywhere):
            return
        self._sweep_text(file, name.replace("/", "\n\n"), "file name")
        for data in chunks:
            for opened, text in open_bytes(data):
                self._sweep_text(file, text, opened)

    def _sweep_text(self, file: int, text: str, opened: str) -> None:
        seen: set[tuple[Identifier, str]] = set()
        for layer, plain in layers(mask(text)):
            for sighting in (*self._anywhere.look(plain), *self._anywhere.look_for_digests(plain)):
                if sighting.bare_digits and not layer and not opened:
                    continue  # a number in a cell: judged with its column, by its own patient
                kind = ", ".join(filter(None, (sighting.kind, layer, opened)))
                if (sighting.word, sighting.kind) not in seen:
                    seen.add((sighting.word, sighting.kind))
                    self.hits.append(Hit(file, None, sighting.word, kind))

    def result(self) -> Residual:
        """What was found so far."""
        by_word = Counter(hit.word for hit in self.hits)
        return Residual(self.known_values, self.searched_bytes, dict(by_word), tuple(self.hits))


def search(
    records: Iterable[tuple[int, str | None, str]],
    known: Iterable[tuple[str, KnownValues]],
    blobs: Iterable[tuple[str, bytes]] = (),
    leave: Collection[Left] = (),
) -> Residual:
    """Search texts given as (ordinal, patient's key, text) and blobs given as (name, bytes)."""
    run = Search(known, leave)
    rows = [(ordinal, (text,), owner) for ordinal, owner, text in records]
    run.searched_bytes += sum(len(cells[0].encode()) for _, cells, _ in rows)
    run.records(1, rows)
    for number, (name, data) in enumerate(blobs, 1):
        run.searched_bytes += len(data)
        run.sweep(number, name, [data])
    return run.result()


def search_release(
    folder: Path,
    outputs: Mapping[int, tuple[Path, Sequence[Owner] | OwnRows]],
    options: ReadOptions,
    people: Known,
    reference_date: date,
    leave: Collection[Left] = (),
    stands: Mapping[int, Collection[int | str]] = MappingProxyType({}),
    compiled: Search | None = None,
    members: Mapping[int, str] = MappingProxyType({}),
) -> Residual:
    """Read each output file as a stranger would; search its records, then every byte of the folder.

    `outputs` gives each file and, for each of its records in order, the patient's key (or what the
    record itself says is known of its patient). `leave` is what may stand anywhere, `stands` the
    columns of a file (from 0, as written; of a tree by their paths) whose cells stand by the
    policy. `compiled` is a search
    made of the same people and `leave`, for a job that searches file by file; `members` are the
    tables within files of several.

    Raises:
        DeidError: `output-unreadable`, when what was written does not read back whole.
    """
    run = Search(people.all(), leave) if compiled is None else compiled.again()
    numbers: dict[Path, int] = {}
    for ordinal, (path, owners) in outputs.items():
        numbers[path] = ordinal
        source = open_source(path, options, members.get(ordinal, ""))
        standing = _positions(stands.get(ordinal, frozenset()), source)
        if isinstance(owners, OwnRows) and isinstance(source, ColumnSource) and source.is_regular():
            _by_column(run, ordinal, source, owners, standing)
        else:
            run.records(ordinal, _rows(ordinal, source.records(), owners, standing))
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        run.searched_bytes += path.stat().st_size
        run.sweep(numbers.get(path, 0), path.relative_to(folder).as_posix(), file_chunks(path))
    return run.result()


def _positions(stands: Collection[int | str], source: Source) -> frozenset[int]:
    named = {n for n, column in enumerate(source.columns) if column in stands}
    return frozenset(n for n in stands if isinstance(n, int)) | named


def _by_column(
    run: Search, file: int, source: ColumnSource, owners: OwnRows, stands: Collection[int]
) -> None:
    try:
        run.columns(file, source, owners, stands)
    except ValueError:  # one of the two has rows that the other has not
        raise _unreadable(file) from None


_Pair = tuple[pa.RecordBatch, pa.RecordBatch]


def _pairs(source: ColumnSource, original: ColumnSource) -> Iterator[_Pair]:
    return zip(evenly(source.batches()), evenly(original.batches()), strict=True)


def _held(source: ColumnSource, stands: Collection[int]) -> Sought | None:
    """The different cells of a table; None where they are too many to be held at once."""
    cells: dict[str, None] = {}
    for batch in source.batches():
        cells.update(dict.fromkeys(_words([batch], stands)))
        if len(cells) > MOST_CELLS:
            return None
    return Sought.of(cells)


def _words(batches: Iterable[pa.RecordBatch], stands: Collection[int]) -> Iterator[str]:
    """The cells of a table that are no residue, those of each column once a batch."""
    for batch in batches:
        for index, column in enumerate(batch.columns):
            if index not in stands:
                yield from (word for word in code(column)[0] if word and not is_residue(word))


def _cells(batch: pa.RecordBatch, place: int, stands: Collection[int]) -> list[str | None]:
    return [None if n in stands else c[place].as_py() for n, c in enumerate(batch.columns)]


def _rows(
    file: int,
    records: Iterator[Record | Fault],
    owners: Iterable[Owner],
    stands: Collection[int],
) -> Iterator[tuple[int, Sequence[str | None], Owner]]:
    for owner in owners:
        record = next(records, None)
        if record is None or isinstance(record, Fault):
            raise _unreadable(file)
        cells = [None if n in stands else cell for n, cell in enumerate(record.cells)]
        yield record.ordinal, cells if stands else record.cells, owner
    if next(records, None) is not None:
        raise _unreadable(file)


def file_chunks(path: Path) -> Iterator[bytes]:
    """A file in pieces cut at line ends where there are any; compressed files come whole."""
    with path.open("rb") as stream:
        data = stream.read(CHUNK)
        if data[:2] == b"\x1f\x8b" or data[:4] == b"PK\x03\x04":
            yield data + stream.read()
            return
        while data:
            rest = stream.read(CHUNK)
            cut = max(data.rfind(b"\n"), data.rfind(b" ")) + 1 if rest else len(data)
            cut = cut or len(data)
            yield data[:cut]
            data = data[max(0, cut - OVERLAP) if rest else cut :] + rest


def mask(text: str) -> str:
    """Tags and `90+` blotted out: they are ours, not values."""
    if "[" not in text and "90+" not in text:
        return text
    return _LEFT.sub(lambda match: "¦" * len(match[0]), text)


@lru_cache(maxsize=1 << 14)
def is_residue(cell: str) -> bool:
    """Is the whole cell what a transform may leave: a year, ZIP3, age, state or tag?

    A cell of one or two characters names nobody by itself.
    """
    return (
        len(cell.strip()) < 3
        or bool(_RESIDUE.fullmatch(cell))
        or (len(cell) < 24 and is_state(cell))
    )


def _unreadable(ordinal: int) -> DeidError:
    return DeidError(
        "output-unreadable",
        "an output file does not read back whole; nothing was released",
        place=f"file {ordinal}",
        exit_code=HELD,
    )
