"""Searches a release that lies on disk, by whoever holds tables of the patients it may speak of."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from deid.comparison import compare
from deid.errors import UNREADABLE, DeidError
from deid.formats import Fault, ReadOptions, format_of, members_of, open_source
from deid.people import People, gather
from deid.release import FOLDER
from deid.residual import Owner, Residual, Search
from deid.residual_release import file_chunks


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in a release, and how it differs from its own account: `altered` are outputs
    of the manifest, `unlisted` files that it does not know, by their number in the search."""

    residual: Residual
    files: int
    unread: int
    altered: tuple[int, ...]
    unlisted: tuple[int, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Nothing was found, nothing was changed since the release, and nothing holds it."""
        return not (self.residual.hits or self.altered or self.unlisted or self.faults)

    def as_json(self) -> dict[str, Any]:
        """Value-free."""
        residual = self.residual
        return {
            "files": self.files,
            "searched_bytes": residual.searched_bytes,
            "known_values": residual.known_values,
            "hits": residual.hits,
            "by_word": {word.value: n for word, n in sorted(residual.by_word.items())},
            "places": [
                {"file": hit.file, "record": hit.record, "word": hit.word.value, "kind": hit.kind}
                for hit in residual.places
            ],
            "searched_as_bytes_only": self.unread,
            "altered_files": list(self.altered),
            "unlisted_files": list(self.unlisted),
            "account": list(self.faults),
        }


def check_release(
    out: Path, known: Sequence[Path], patient_key: str | None, *, linked_only: bool = False
) -> Checked:
    """Search every byte of `out`; records that name their patient are searched for that patient.

    A record that does not is searched for what is known of everybody, except, with `linked_only`,
    where only what is distinctive counts.

    Raises:
        DeidError: `input-missing`, `input-empty`, and what the known tables say.
    """
    if not out.exists():
        raise DeidError(
            "input-missing",
            "OUT does not exist",
            exit_code=UNREADABLE,
            hint="name the folder that `deid scrub -o` wrote",
        )
    files = [out] if out.is_file() else sorted(path for path in out.rglob("*") if path.is_file())
    if not files:
        raise DeidError(
            "input-empty",
            "OUT holds no file",
            exit_code=UNREADABLE,
            hint="name the folder that `deid scrub -o` wrote",
        )
    root = out.parent if out.is_file() else out
    people = gather([], list(known), patient_key)
    reference = released_on(root)
    run = Search(people.all(), everybody=not linked_only, reference=reference)
    unread = 0
    for number, path in enumerate(files, 1):
        name = path.relative_to(root).as_posix()
        if not name.startswith(f"{FOLDER}/"):
            unread += not _search_records(run, number, path, name, people)
        run.searched_bytes += path.stat().st_size
        run.sweep(number, name, file_chunks(path))
    differs = compare(root)
    faults = (*differs.faults, *(_unsearchable(out) if out.is_dir() else ()))
    unlisted = tuple(n for n, path in enumerate(files, 1) if path in differs.unlisted)
    return Checked(run.result(), len(files), unread, differs.altered, unlisted, faults)


def _unsearchable(out: Path) -> Iterator[str]:
    """Links to folders and to nothing, pipes, and folders that cannot be read: nobody looks in."""
    closed: list[OSError] = []
    left = 0
    for folder, folders, names in os.walk(out, onerror=closed.append):
        left += sum(Path(folder, name).is_symlink() for name in folders)
        left += sum(not Path(folder, name).is_file() for name in names)
    if left + len(closed):
        yield f"links, devices and closed folders in OUT were not searched: {left + len(closed)}"


def _search_records(run: Search, number: int, path: Path, name: str, people: People) -> bool:
    """Whether the file could be read as records."""
    if format_of(path) is None:
        return False
    try:
        for member in members_of(path):
            source = open_source(path, ReadOptions(), member)
            table = f"{name}/{member}" if member else name
            run.records(number, _rows(source.records(), table, people))
    except DeidError:
        return False
    return True


def _rows(records: Iterator[Any], name: str, people: People) -> Iterator[tuple[int, Any, Owner]]:
    for record in records:
        if not isinstance(record, Fault):
            owner = people.key_for(name, record.cells, record.patient)
            yield record.ordinal, record.cells, owner


def released_on(out: Path) -> date | None:
    """The reference date that a release's manifest names; None for one that names none."""
    try:
        manifest = json.loads((out / FOLDER / "manifest.json").read_text("utf-8"))
        return date.fromisoformat(manifest["reference_date"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
