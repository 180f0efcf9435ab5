"""Searches a release that lies on disk, by whoever holds tables of the patients it may speak of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deid.errors import UNREADABLE, DeidError
from deid.formats import Fault, ReadOptions, format_of, members_of, open_source
from deid.people import People, gather
from deid.release import FOLDER
from deid.residual import Owner, Residual, Search
from deid.residual_release import file_chunks


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in a release. `altered` are files that differ from their manifest."""

    residual: Residual
    files: int
    unread: int
    altered: tuple[int, ...]

    @property
    def clean(self) -> bool:
        """Nothing was found, and nothing was changed since the release."""
        return not self.residual.hits and not self.altered

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
    run = Search(people.all(), everybody=not linked_only)
    unread = 0
    for number, path in enumerate(files, 1):
        name = path.relative_to(root).as_posix()
        if not name.startswith(f"{FOLDER}/"):
            unread += not _search_records(run, number, path, name, people)
        run.searched_bytes += path.stat().st_size
        run.sweep(number, name, file_chunks(path))
    return Checked(run.result(), len(files), unread, tuple(_altered(root)))


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


def _altered(root: Path) -> Iterator[int]:
    """Ordinals of the manifest's outputs that no file of the release has the hash of."""
    path = root / FOLDER / "manifest.json"
    if not path.is_file():
        return
    try:
        outputs = json.loads(path.read_text("utf-8")).get("outputs", {})
    except ValueError:
        raise DeidError(
            "manifest-broken",
            "the manifest is not JSON",
            exit_code=UNREADABLE,
            hint="take it from the release as it was written",
        ) from None
    hashes = {_sha256(p) for p in root.rglob("*") if p.is_file() and FOLDER not in p.parts}
    for ordinal, output in outputs.items():
        if output.get("sha256") not in hashes:
            yield int(ordinal)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
