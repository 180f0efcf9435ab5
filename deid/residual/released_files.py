"""The independent search of a release. It reads the released files back from disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from deid.formats import ColumnSource, ReadOptions, Record, RecordFault, RecordSource, open_source
from deid.people.row_owners import RowOwners
from deid.residual.column_search import OwnRows
from deid.residual.hits import Residual, ResidualHit
from deid.residual.layers import BASE64_PART, is_tar, open_bytes
from deid.residual.linked_search import search_linked
from deid.residual.markup import PDF_START
from deid.residual.packed.searched_patients import KnownPatients
from deid.residual.search import (
    FILE_NAME,
    KIND_SEPARATOR,
    RECORD_SEPARATOR,
    Left,
    Owner,
    ResidualSearch,
    unreadable_output,
)
from deid.residual.sweep import FormIndex, Sighting
from deid.residual.table_search import forms_elsewhere, search_columns
from safe_harbor import Identifier

CHUNK_BYTES = 1 << 22
CHUNK_OVERLAP = 1 << 9
LARGEST_SHOWN = 1 << 26
RECORDS_AT_ONCE = 1 << 8


def search_release(
    folder: Path,
    outputs: Mapping[int, tuple[Path, Sequence[Owner] | RowOwners | OwnRows]],
    options: ReadOptions,
    people: KnownPatients,
    leave: Collection[Left] = (),
    stands: Mapping[int, Collection[int | str]] = MappingProxyType({}),
    compiled: ResidualSearch | None = None,
    members: Mapping[int, str] = MappingProxyType({}),
) -> Residual:
    """Read each output file back, search its records, then search every byte of the folder.

    `outputs` gives, for each file, its path and the owner of each record in order: the key of a
    patient, or the known values in the record itself. `leave` lists the values that the policy lets
    stay anywhere. `stands` gives the columns of a file that the policy lets stay: numbers from 0,
    as written, or paths for a tree. `compiled` is a search made for the same patients and the same
    `leave`, for a job that searches file by file. `members` names the table in a file that holds
    several.

    Raises:
        DeidError: `output-unreadable`, if an output file cannot be read back completely.
    """
    run = ResidualSearch(people, leave) if compiled is None else compiled.again()
    numbers: dict[Path, int] = {}
    for ordinal, (path, owners) in outputs.items():
        numbers[path] = ordinal
        source = open_source(path, options, members.get(ordinal, ""))
        standing = _positions(stands.get(ordinal, frozenset()), source)
        columns = source if isinstance(source, ColumnSource) and source.is_regular() else None
        if columns is not None and isinstance(owners, OwnRows):
            search_columns(run, ordinal, columns, owners, standing)
        elif columns is not None and isinstance(owners, RowOwners) and not run.has_everybody:
            search_linked(run, ordinal, columns, owners, standing)
        else:
            rows = _owned_rows(ordinal, source.records(), owners, standing)
            run.records(ordinal, rows, _published_paths(source))
            if source.columns == ("text",) and not isinstance(owners, OwnRows) and len(owners) == 1:
                run.shown(ordinal, _shown(path), next(iter(owners)))
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        run.searched_bytes += path.stat().st_size
        run.sweep(numbers.get(path, 0), path.relative_to(folder).as_posix(), file_chunks(path))
    return run.result()


def records_with_hits(
    hits: Iterable[ResidualHit],
    outputs: Mapping[int, tuple[Path, Sequence[Owner] | RowOwners | OwnRows]],
    options: ReadOptions,
    run: ResidualSearch,
    stands: Mapping[int, Collection[int | str]],
    members: Mapping[int, str],
) -> list[ResidualHit] | None:
    """The hits of `search_release`, each with its record.

    If a hit has no record, every record of the files is searched by itself for the kind of the hit.
    The result is None if a hit is in no record.

    Raises:
        DeidError: `output-unreadable`, if an output file cannot be read back completely.
    """
    told: list[ResidualHit] = []
    wide: list[ResidualHit] = []
    for hit in hits:
        (wide if hit.record is None else told).append(hit)
    sought = _HitKinds.of(wide)
    if sought is None:
        return None
    found: list[ResidualHit] = []
    for ordinal, (path, owners) in outputs.items() if wide else ():
        source = open_source(path, options, members.get(ordinal, ""))
        found += _hits_of_records(run, sought, ordinal, source)
        if isinstance(source, ColumnSource) and isinstance(owners, OwnRows):
            standing = _positions(stands.get(ordinal, frozenset()), source)
            forms = forms_elsewhere(run, ordinal, source, owners, standing)
            found += _hits_of_records(run, sought, ordinal, source, standing, forms)
    return told + found if sought.told_by(found) else None


@dataclass(frozen=True, slots=True)
class _HitKinds:
    """The (identifier, kind) pairs of hits without a record.

    For kinds in `opened`, bare numbers count, too: the column of a number in a packed file is not
    known.
    """

    wanted: frozenset[tuple[Identifier, str]]
    opened: frozenset[tuple[Identifier, str]]

    @classmethod
    def of(cls, hits: Iterable[ResidualHit]) -> _HitKinds | None:
        """Return the kinds of these hits; None if a hit is in the name of a file."""
        wanted, opened = set(), set()
        for hit in hits:
            kind, *layers = hit.kind.split(KIND_SEPARATOR)
            if FILE_NAME in layers:
                return None
            wanted.add((hit.word, kind))
            if layers:
                opened.add((hit.word, kind))
        return cls(frozenset(wanted), frozenset(opened))

    def among(self, sightings: Iterable[tuple[Sighting, str]]) -> frozenset[tuple[Identifier, str]]:
        """Return the wanted kinds that occur in these sightings."""
        shown = set()
        for sighting, layer in sightings:
            kind = sighting.word, sighting.kind
            counts = layer or not sighting.bare_digits or kind in self.opened
            if counts and kind in self.wanted:
                shown.add(kind)
        return frozenset(shown)

    def told_by(self, hits: Iterable[ResidualHit]) -> bool:
        """Whether these hits of records include each wanted kind."""
        return self.wanted <= {(hit.word, hit.kind) for hit in hits}


def _hits_of_records(
    run: ResidualSearch,
    sought: _HitKinds,
    file: int,
    source: RecordSource,
    stands: Collection[int] = (),
    forms: FormIndex | None = None,
) -> Iterator[ResidualHit]:
    """The hits of these kinds in the records of a table, each record by itself."""

    def look(text: str) -> frozenset[tuple[Identifier, str]]:
        return sought.among(run.distinctive(text, forms))

    texts = ((n, _record_text(record, stands)) for n, record in numbered_records(source))
    while group := list(islice(texts, RECORDS_AT_ONCE)):
        for ordinal, shown in _shown_by(group, look):
            yield from (ResidualHit(file, ordinal, *kind) for kind in sorted(shown))


def _shown_by(
    texts: Sequence[tuple[int, str]], look: Callable[[str], frozenset[tuple[Identifier, str]]]
) -> Iterator[tuple[int, frozenset[tuple[Identifier, str]]]]:
    """The kinds found in each record of a group. The group is halved until single records remain.

    Most groups hold no hit and are searched only once.
    """
    shown = look(RECORD_SEPARATOR.join(text for _, text in texts))
    if not shown:
        return
    if len(texts) == 1:
        yield texts[0][0], shown
        return
    half = len(texts) // 2
    yield from _shown_by(texts[:half], look)
    yield from _shown_by(texts[half:], look)


def _record_text(record: Record, stands: Collection[int]) -> str:
    """A record as text: first its cells apart, then joined, as a hit may span two cells."""
    cells = [cell for n, cell in enumerate(record.cells) if cell and n not in stands]
    return RECORD_SEPARATOR.join([*cells, ",".join(cells)])


def numbered_records(source: RecordSource) -> Iterator[tuple[int, Record]]:
    """The readable records of a table, with the ordinals that a job and the search use."""
    by_column = isinstance(source, ColumnSource) and source.is_regular()
    for number, record in enumerate(source.records(), 1):
        if isinstance(record, Record):
            yield number if by_column else record.ordinal, record


def _positions(stands: Collection[int | str], source: RecordSource) -> frozenset[int]:
    named = {n for n, column in enumerate(source.columns) if column in stands}
    return frozenset(n for n in stands if isinstance(n, int)) | named


def _published_paths(source: RecordSource) -> list[str]:
    """The published path of each column, "" for a path that no table lists; else empty."""
    return [locus.path if locus else "" for locus in getattr(source, "loci", None) or ()]


def _shown(path: Path) -> str:
    """The text that a document's markup shows, read from its bytes without a format reader."""
    texts = open_bytes(path.read_bytes()) if path.stat().st_size <= LARGEST_SHOWN else ()
    return "\n\n".join(text for kind, text in texts if kind.endswith("markup"))


def _owned_rows(
    file: int,
    records: Iterator[Record | RecordFault],
    owners: Iterable[Owner],
    stands: Collection[int],
) -> Iterator[tuple[int, Sequence[str | None], Owner]]:
    for owner in owners:
        record = next(records, None)
        if record is None or isinstance(record, RecordFault):
            raise unreadable_output(file)
        cells = [None if n in stands else cell for n, cell in enumerate(record.cells)]
        yield record.ordinal, cells if stands else record.cells, owner
    if next(records, None) is not None:
        raise unreadable_output(file)


def file_chunks(path: Path) -> Iterator[bytes]:
    """A file in overlapping chunks, cut at line ends or spaces; archives and PDFs in one chunk."""
    with path.open("rb") as stream:
        data = stream.read(CHUNK_BYTES)
        packed = data[:2] == b"\x1f\x8b" or data[:4] == b"PK\x03\x04" or is_tar(data)
        if packed or data[:5] == PDF_START or BASE64_PART in data.lower():
            yield data + stream.read()
            return
        while data:
            rest = stream.read(CHUNK_BYTES)
            cut = max(data.rfind(b"\n"), data.rfind(b" ")) + 1 if rest else len(data)
            cut = cut or len(data)
            yield data[:cut]
            data = data[max(0, cut - CHUNK_OVERLAP) if rest else cut :] + rest
