"""Search a release on disk for the known values in tables of patients."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from deid.errors import DeidError, unreadable
from deid.formats import ReadOptions, RecordFault, format_of, members_of, open_source
from deid.people.gathering import gather_people
from deid.people.patients import People
from deid.release.account_check import Discrepancy, compare_account
from deid.release.file_layers import LARGEST_LAYER, Layer, layers_of_file
from deid.release.sealing import RELEASE_FOLDER, read_manifest
from deid.residual.hits import Residual
from deid.residual.markup import PDF_START
from deid.residual.released_files import file_chunks
from deid.residual.search import Owner, ResidualSearch


@dataclass(frozen=True, slots=True)
class Checked:
    """The known values found in a release, and its differences from the manifest.

    `altered` are ordinals of changed outputs. `unlisted` are files that are not in the manifest,
    `unsearched` files that could not be searched completely, both by their number in the search.
    `unread` counts files that could not be read as records and were searched as text without a
    known patient.
    """

    residual: Residual
    files: int
    unread: int
    altered: tuple[int, ...]
    unlisted: tuple[int, ...] = ()
    unsearched: tuple[int, ...] = ()
    faults: tuple[Discrepancy, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether everything was searched, no known value was found, and no file was changed."""
        differs = self.altered or self.unlisted or self.faults
        return not (self.residual.hits or self.unsearched or differs)

    def as_json(self) -> dict[str, Any]:
        """The result for JSON, without values."""
        residual = self.residual
        return {
            "clean": self.clean,
            "files": self.files,
            "searched_bytes": residual.searched_bytes,
            "known_values": residual.known_values,
            "hits": residual.hits,
            "by_word": {word.value: n for word, n in sorted(residual.by_word.items())},
            "places": [
                {"file": hit.file, "record": hit.record, "word": hit.word.value, "kind": hit.kind}
                for hit in residual.places
            ],
            "unlinked_records": residual.unlinked,
            "searched_as_bytes_only": self.unread,
            "not_searched": list(self.unsearched),
            "altered_files": list(self.altered),
            "unlisted_files": list(self.unlisted),
            "account": [fault.sentence for fault in self.faults],
            "codes": sorted({fault.code for fault in self.faults}),
        }


def check_release(
    out: Path, known: Sequence[Path], patient_key: str | None, *, linked_only: bool = False
) -> Checked:
    """Search every byte of `out`, and each record for the known values of its patient.

    A record that names no known patient is searched for the known values of every patient; with
    `linked_only`, only for distinctive values. The job already searched the files that match the
    manifest; in those files, a single word counts only with evidence that it is a name.

    Raises:
        DeidError: `input-missing`, `input-empty`, and errors of the known tables.
    """
    if not out.exists():
        raise unreadable(
            "input-missing", "OUT does not exist", hint="give the folder that `deid scrub -o` wrote"
        )
    files = [out] if out.is_file() else sorted(path for path in out.rglob("*") if path.is_file())
    if not files:
        raise unreadable(
            "input-empty", "OUT holds no file", hint="give the folder that `deid scrub -o` wrote"
        )
    root = out.parent if out.is_file() else out
    people = gather_people([], list(known), patient_key)
    run = ResidualSearch(people, everybody=not linked_only, reference=released_on(root))
    differs = compare_account(root)
    unread, unsearched = 0, []
    for number, path in enumerate(files, 1):
        run.vouched = path in differs.vouched
        searched = _search_file(run, number, path, path.relative_to(root).as_posix(), people)
        unread += not searched.as_records
        unsearched += [] if searched.whole else [number]
    faults = (*differs.faults, *(_unsearchable(out) if out.is_dir() else ()))
    unlisted = tuple(n for n, path in enumerate(files, 1) if path in differs.unlisted)
    return Checked(
        run.result(), len(files), unread, differs.altered, unlisted, tuple(unsearched), faults
    )


@dataclass(frozen=True, slots=True)
class _Searched:
    """Whether a file was read as records of its format, and whether all of it was searched."""

    as_records: bool
    whole: bool


def _search_file(
    run: ResidualSearch, number: int, path: Path, name: str, people: People
) -> _Searched:
    """Search the records of a file, its bytes, and every layer that can be unpacked."""
    document = name.startswith(f"{RELEASE_FOLDER}/")
    tables = [] if document else _search_records(run, number, path, name, people)
    run.searched_bytes += path.stat().st_size
    run.sweep(number, name, file_chunks(path))
    whole = True
    for layer in layers_of_file(path):
        if layer.text is None:
            own = run.vouched and tables == [""] and next(file_chunks(path))[:5] == PDF_START
            whole = whole and tables is not None and (own or _is_read(layer, tables))
        elif not layer.plain:
            run.sweep(number, "\n".join(layer.names), [layer.text.encode("utf-8", "replace")])
        if layer.text and tables is None:
            run.records(number, [(1, (layer.text,), None)])
    if tables is None and path.stat().st_size > LARGEST_LAYER:
        whole = False
    return _Searched(tables is not None, whole)


def _is_read(layer: Layer, tables: Sequence[str]) -> bool:
    """Whether a layer without a text was read as one of the file's tables."""
    inside = "/".join(layer.names)
    return not layer.closed and any(
        not inside or table == inside or table.startswith(f"{inside}/") for table in tables
    )


def _unsearchable(out: Path) -> Iterator[Discrepancy]:
    """Report what is not searched: links to folders, broken links, pipes, unreadable folders."""
    closed: list[OSError] = []
    left = 0
    for folder, folders, names in os.walk(out, onerror=closed.append):
        left += sum(Path(folder, name).is_symlink() for name in folders)
        left += sum(not Path(folder, name).is_file() for name in names)
    if left + len(closed):
        yield Discrepancy(
            "not-searched",
            f"links, devices and unreadable folders in OUT were not searched: {left + len(closed)}",
        )


def _search_records(
    run: ResidualSearch, number: int, path: Path, name: str, people: People
) -> list[str] | None:
    """Search the records of a file; return its tables, or None if any record is unreadable."""
    if format_of(path) is None:
        return None
    tables, broken = [], 0
    try:
        for member in members_of(path):
            source = open_source(path, ReadOptions(), member)
            table = f"{name}/{member}" if member else name
            rows = _Rows(source.records(), table, people)
            run.records(number, rows)
            broken += rows.broken
            tables.append(member)
    except DeidError:
        return None
    return None if broken else tables


@dataclass(slots=True)
class _Rows:
    """The records of a table, each with its patient; `broken` counts unreadable records."""

    records: Iterator[Any] = field(repr=False)
    name: str = field(repr=False)
    people: People
    broken: int = 0

    def __iter__(self) -> Iterator[tuple[int, Any, Owner]]:
        for record in self.records:
            if isinstance(record, RecordFault):
                self.broken += 1
                continue
            owner = self.people.key_for(self.name, record.cells, record.patient)
            yield record.ordinal, record.cells, owner


def released_on(out: Path) -> date | None:
    """The reference date in a release's manifest, or None."""
    try:
        return date.fromisoformat(read_manifest(out)["reference_date"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
