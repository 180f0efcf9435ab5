"""Reads a release, one note at a time, with the originals if they are given.

Originals are matched by their hash in the manifest and read in place; nothing is copied.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any

from deid.errors import unreadable
from deid.formats import ReadOptions, Record, open_source
from deid.release.sealing import RELEASE_FOLDER
from deid.text.change import Change
from safe_harbor import Identifier, Residue

NotePlace = tuple[int, int]
"""File and record ordinals of the job."""


@dataclass(frozen=True, slots=True)
class ReviewedCell:
    """One released cell of a note. `before` is None without originals."""

    column: int
    header: str
    before: str | None = field(repr=False)
    after: str = field(repr=False)
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ReviewedNote:
    """A note as listed, value-free. `at` is the position of its changes in the log."""

    file: int
    record: int
    name: str
    changes: int = 0
    words: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    lowest: float = 1.0
    at: tuple[int, ...] = ()

    @property
    def place(self) -> NotePlace:
        return self.file, self.record


@dataclass(frozen=True, slots=True)
class _Column:
    position: int
    header: str | None


@dataclass(slots=True, repr=False)
class ReviewBatch:
    """An opened release. Its `repr` shows counts."""

    out: Path = field(repr=False)
    manifest: Mapping[str, Any] = field(repr=False)
    notes: tuple[ReviewedNote, ...] = field(repr=False)
    options: ReadOptions = field(repr=False)
    _outputs: Mapping[int, Path] = field(repr=False)
    _originals: Mapping[int, Path] = field(repr=False)
    _columns: Mapping[int, tuple[_Column, ...]] = field(repr=False)
    _kept: dict[tuple[bool, int], tuple[tuple[str, ...], dict[int, Record]]] = field(
        default_factory=dict, repr=False
    )
    _index: dict[NotePlace, int] = field(default_factory=dict, repr=False)
    _ordinals: dict[int, list[int]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._index = {note.place: number for number, note in enumerate(self.notes)}
        for note in self.notes:
            self._ordinals.setdefault(note.file, []).append(note.record)

    def __repr__(self) -> str:
        return f"ReviewBatch({len(self.notes)} notes)"

    @property
    def has_originals(self) -> bool:
        """Whether the originals were given."""
        return bool(self._originals)

    @property
    def digest(self) -> str:
        """The identity of the release: a hash of the outputs in its manifest."""
        text = json.dumps(self.manifest["outputs"], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def number(self, place: NotePlace) -> int:
        """The index of a note in the batch, from 0. Raises `KeyError` if there is none."""
        return self._index[place]

    def cells(self, note: ReviewedNote) -> tuple[ReviewedCell, ...]:
        """The released cells of a note, in order.

        Raises:
            DeidError: `release-changed` if the file no longer holds the record.
        """
        headers, records = self._records(note.file, after=True)
        record = records.get(note.record)
        if record is None:
            raise unreadable(
                "release-changed",
                "a released file no longer holds the record of this note",
                hint="give OUT as `deid scrub` wrote it",
            )
        before = self._before(note)
        changes = self._changes(note)
        columns = _match(self._columns.get(note.file, ()), headers)
        return tuple(
            ReviewedCell(column, header, before.get(column), value, changes.get(column, ()))
            for (column, header), value in zip(columns, record.cells, strict=True)
            if value is not None
        )

    def value(self, note: ReviewedNote, header: str) -> str:
        """The released value of one column, or "" if the file lacks the column."""
        headers, records = self._records(note.file, after=True)
        record = records.get(note.record)
        if record is None or header not in headers:
            return ""
        return record.cells[headers.index(header)] or ""

    def original(self, note: ReviewedNote) -> tuple[Path, Record] | None:
        """The original record and its file, or None without originals."""
        if note.file not in self._originals:
            return None
        record = self._records(note.file, after=False)[1].get(note.record)
        return None if record is None else (self._originals[note.file], record)

    def originals(self) -> Mapping[int, Path]:
        """The original files, by their ordinals in the job."""
        return self._originals

    def _before(self, note: ReviewedNote) -> dict[int, str]:
        found = self.original(note)
        if found is None:
            return {}
        return {i: value for i, value in enumerate(found[1].cells, 1) if value is not None}

    def _changes(self, note: ReviewedNote) -> dict[int, tuple[Change, ...]]:
        found: dict[int, tuple[Change, ...]] = {}
        with (self.out / RELEASE_FOLDER / "changes.jsonl").open("rb") as log:
            for at in note.at:
                log.seek(at)
                line = json.loads(log.readline())
                found[line["column"]] = tuple(_change(change) for change in line["changes"])
        return found

    def _records(self, file: int, *, after: bool) -> tuple[tuple[str, ...], dict[int, Record]]:
        key = (after, file)
        if key not in self._kept:
            if len(self._kept) > 4096:
                self._kept.pop(next(iter(self._kept)))
            path = (self._outputs if after else self._originals)[file]
            source = open_source(path, self.options)
            records = [r for r in source.records() if isinstance(r, Record)]
            ordinals = self._ordinals[file] if after else [r.ordinal for r in records]
            self._kept[key] = (source.columns, dict(zip(ordinals, records, strict=False)))
        return self._kept[key]


def open_batch(
    out: Path, originals: Sequence[Path] = (), options: ReadOptions | None = None
) -> ReviewBatch:
    """Read the manifest of a release and match its files and the originals by their hashes.

    Raises:
        DeidError: `no-release`, `release-changed`, `originals-differ`.
    """
    manifest = _manifest(out)
    outputs = _told_by_hash(_below(out), manifest["outputs"])
    if len(outputs) != len(manifest["outputs"]):
        raise unreadable(
            "release-changed",
            "a file of the release is missing or differs from the manifest",
            hint="give OUT as `deid scrub` wrote it, or scrub again",
        )
    found: dict[int, Path] = {}
    if originals:
        found = _told_by_hash(_files_below(originals), manifest["inputs"])
        if set(outputs) - set(found):
            raise unreadable(
                "originals-differ",
                "an original that --originals should hold is missing or has changed",
                place=f"file {min(set(outputs) - set(found))}",
                hint="give --originals the unchanged files that were the inputs of `deid scrub`",
            )
    notes = tuple(_notes_of_release(out, manifest, outputs))
    columns = defaultdict[int, list[_Column]](list)
    for column in manifest["columns"]:
        if column["action"] not in ("drop", "withhold"):
            columns[column["file"]].append(_Column(column["position"], column["header"]))
    return ReviewBatch(
        out,
        manifest,
        notes,
        options or ReadOptions(),
        outputs,
        found,
        {file: tuple(c) for file, c in columns.items()},
    )


def _manifest(out: Path) -> Mapping[str, Any]:
    try:
        manifest = json.loads((out / RELEASE_FOLDER / "manifest.json").read_text("utf-8"))
        if {"inputs", "outputs", "columns"} <= manifest.keys():
            return dict(manifest)
    except (OSError, ValueError, AttributeError):
        pass
    raise unreadable(
        "no-release",
        "OUT is not a release folder",
        hint="give the folder that `deid scrub -o OUT` wrote",
    )


def _below(out: Path) -> Iterator[Path]:
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.relative_to(out).parts[0] != RELEASE_FOLDER:
            yield path


def _files_below(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        if not root.exists():
            raise unreadable(
                "input-missing",
                "a path that --originals names does not exist",
                hint="check the path",
            )
        yield from sorted(p for p in root.rglob("*") if p.is_file()) if root.is_dir() else [root]


def _told_by_hash(
    paths: Iterable[Path], accounts: Mapping[str, Mapping[str, Any]]
) -> dict[int, Path]:
    """Return the file of each ordinal, by its hash; identical files are matched by order."""
    wanted = defaultdict[str, list[int]](list)
    for ordinal in sorted(accounts, key=int):
        wanted[accounts[ordinal]["sha256"]].append(int(ordinal))
    sizes = {account["bytes"] for account in accounts.values()}
    found: dict[int, Path] = {}
    for path in paths:
        if path.stat().st_size not in sizes:
            continue
        with path.open("rb") as file:
            ordinals = wanted.get(hashlib.file_digest(file, "sha256").hexdigest())
        if ordinals:
            found[ordinals.pop(0)] = path
    return found


def _notes_of_release(
    out: Path, manifest: Mapping[str, Any], outputs: Mapping[int, Path]
) -> Iterator[ReviewedNote]:
    fallen = defaultdict[int, set[int]](set)
    for _, line in _jsonl_lines(out / RELEASE_FOLDER / "quarantine.jsonl"):
        if line["record"] is not None:
            fallen[line["file"]].add(line["record"])
    told = defaultdict[NotePlace, list[tuple[int, Mapping[str, Any]]]](list)
    for at, line in _jsonl_lines(out / RELEASE_FOLDER / "changes.jsonl"):
        if "record" not in line:  # changes of whole columns, not of notes
            continue
        told[line["file"], line["record"]].append((at, _summary(line["changes"])))
    for file in sorted(outputs):
        name = outputs[file].relative_to(out).as_posix()
        for record in range(1, manifest["inputs"][str(file)]["records"] + 1):
            if record not in fallen[file]:
                yield _reviewed_note(file, record, name, told.get((file, record), ()))


def _reviewed_note(
    file: int, record: int, name: str, told: Sequence[tuple[int, Mapping[str, Any]]]
) -> ReviewedNote:
    return ReviewedNote(
        file,
        record,
        name,
        sum(s["changes"] for _, s in told),
        frozenset(word for _, s in told for word in s["words"]),
        frozenset(source for _, s in told for source in s["sources"]),
        min((s["lowest"] for _, s in told), default=1.0),
        tuple(at for at, _ in told),
    )


def _summary(changes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return {
        "changes": len(changes),
        "words": {change["identifier"] for change in changes},
        "sources": {change["source"] for change in changes},
        "lowest": min((change["score"] for change in changes), default=1.0),
    }


def _jsonl_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Each line of a JSONL file and the byte it begins at."""
    at = 0
    with path.open("rb") as file:
        for raw in file:
            yield at, json.loads(raw)
            at += len(raw)


def _change(line: Mapping[str, Any]) -> Change:
    told = {each.name: line[each.name] for each in fields(Change)}
    told |= {"identifier": Identifier(line["identifier"]), "residue": Residue(line["residue"])}
    return Change(**told)


def _match(columns: Sequence[_Column], headers: Sequence[str]) -> list[tuple[int, str]]:
    """The original position and the header of each output column, by name or else in order."""
    names = {column.header: column.position for column in columns if column.header is not None}
    if len(columns) == len(headers):
        return [(c.position, h) for c, h in zip(columns, headers, strict=True)]
    rest = iter(column.position for column in columns if column.header not in headers)
    return [(names[h] if h in names else next(rest, 0), h) for h in headers]


def folder_of(note: ReviewedNote) -> str:
    """The folder of a note's file, or "" at the top of the release."""
    parent = PurePosixPath(note.name).parent.as_posix()
    return "" if parent == "." else parent
