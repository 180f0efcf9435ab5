"""The independent search of a release, whose files are read back from disk."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from deid.formats import ColumnSource, ReadOptions, Record, RecordFault, RecordSource, open_source
from deid.people.row_owners import RowOwners
from deid.residual.column_search import OwnRows
from deid.residual.layers import BASE64_PART, is_tar, open_bytes
from deid.residual.linked_search import search_linked
from deid.residual.pdf_pages import PDF_START
from deid.residual.search import (
    KnownPatients,
    Left,
    Owner,
    Residual,
    ResidualSearch,
    unreadable_output,
)
from deid.residual.table_search import search_columns

CHUNK_BYTES = 1 << 22
CHUNK_OVERLAP = 1 << 9
LARGEST_SHOWN = 1 << 26


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

    `outputs` gives, for each file, the key of the patient of each record in order (or what the
    record itself tells of its patient). `leave` is what may stay anywhere. `stands` gives the
    columns of a file (from 0, as written; paths for a tree) whose cells may stay by policy.
    `compiled` is a search made for the same patients and the same `leave`, for a job that searches
    file by file. `members` are the tables within files that hold several.

    Raises:
        DeidError: `output-unreadable`, when what was written does not read back whole.
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
            run.records(ordinal, _owned_rows(ordinal, source.records(), owners, standing))
            if source.columns == ("text",) and not isinstance(owners, OwnRows) and len(owners) == 1:
                run.shown(ordinal, _shown(path), next(iter(owners)))
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        run.searched_bytes += path.stat().st_size
        run.sweep(numbers.get(path, 0), path.relative_to(folder).as_posix(), file_chunks(path))
    return run.result()


def _positions(stands: Collection[int | str], source: RecordSource) -> frozenset[int]:
    named = {n for n, column in enumerate(source.columns) if column in stands}
    return frozenset(n for n in stands if isinstance(n, int)) | named


def _shown(path: Path) -> str:
    """What the markup of a document shows, read from its bytes and not by its format."""
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
    """A file in chunks cut at line ends where possible; files that hold files, and PDFs, in one."""
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
