"""Records the last audit head seen of each crosswalk, beside the key and apart from the store.

Every row is also valid in an older copy of a store. Therefore only a record outside the store can
show that an older copy has replaced the store. The file holds the last head of each book and the
book last seen at each location. The master key seals it: a missing or altered file is a fault.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from deid.crosswalk.audit.chain import AuditHead
from deid.crosswalk.keys.master_keys import MasterKey
from deid.crosswalk.stores.sql_store import Store
from deid.crosswalk.trouble import crosswalk_error
from deid.errors import DeidError

_HEADS_FORMAT = "deid-heads/1"
_CONTEXT = b"deid-heads"
_PLACE_DIGITS = 32
DRILL, RESTORED = "drill", "restored"


@dataclass(frozen=True, slots=True)
class SeenHeads:
    """The last head of each book, and for each location (a digest) the book last seen there."""

    heads: dict[str, AuditHead] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def check(self, store: Store, head: AuditHead) -> None:
        """Raises `CrosswalkError` if the store is an older copy or holds another book.

        Read the file first, then call this inside a read of the store: the file is written after
        each write, so a store read later holds everything that the file records.
        """
        if self.places.get(_location_digest(store.location), head.book) != head.book:
            raise crosswalk_error("another-book", store.where)
        self.check_head(store, head)

    def check_head(self, store: Store, head: AuditHead) -> None:
        """Check a backup as `check` does; its location does not matter."""
        seen = self.heads.get(head.book)
        if seen is not None and not is_continued(store, head, seen):
            raise crosswalk_error(
                "crosswalk-rolled-back", store.where, seen=seen.generation, found=head.generation
            )


def read(master: MasterKey, book: str) -> SeenHeads:
    """Return the record kept with a key; empty if the key can keep none.

    If the key has several records, it is that of `book`.

    Raises:
        CrosswalkError: `heads-missing`, `heads-damaged`.
    """
    path = _anchor_path(master, book)
    return SeenHeads() if path is None else _read_heads(path, master)


def create_if_missing(master: MasterKey, book: str) -> None:
    """Create an empty record for a new key or book; from then on, a missing record is a fault."""
    path = _anchor_path(master, book)
    if path is not None and not path.exists():
        _write_heads(path, master, SeenHeads())


def write(master: MasterKey, head: AuditHead, location: str, *, afresh: bool = False) -> None:
    """Record a head and the location of its book, unless a later head is recorded.

    `afresh` replaces a later head and a missing or damaged record, because the owner accepted the
    current state of the book. The copy made by a restore drill is not recorded. A folder that
    cannot be written keeps no record; the manifests of releases still hold the heads.
    """
    path = _anchor_path(master, head.book)
    if path is None or is_drill(head.book):
        return
    note = _read_or_begin(path, master) if afresh else _read_heads(path, master)
    seen = note.heads.get(head.book)
    newest = head if afresh or seen is None or seen.sequence < head.sequence else seen
    places = note.places | {_location_digest(location): head.book}
    if newest is not seen or places != note.places:
        _write_heads(path, master, SeenHeads(note.heads | {head.book: newest}, places))


def is_kept(master: MasterKey) -> bool:
    """Whether a record can be kept with this key; without it, an older copy is not detected."""
    anchor = master.anchor
    return anchor is not None and _is_writable(anchor if anchor.is_dir() else anchor.parent)


def is_continued(store: Store, head: AuditHead, seen: AuditHead) -> bool:
    """Whether the history of the book with this head contains the head `seen` before."""
    if seen.book != head.book:
        return False
    if seen.sequence > head.sequence or seen.generation > head.generation:
        return False
    return seen.sequence == 0 or store.link_hash(seen.sequence) == seen.hash


def original_book(book: str) -> str:
    """The book from which a restored copy was first restored."""
    return book.partition("-")[0]


def is_drill(book: str) -> bool:
    """Whether a book is the copy made by a restore drill."""
    return f"-{DRILL}" in book


def _anchor_path(master: MasterKey, book: str) -> Path | None:
    anchor = master.anchor
    return (
        anchor / f"{original_book(book)}.heads"
        if anchor is not None and anchor.is_dir()
        else anchor
    )


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)


def _location_digest(location: str) -> str:
    return hashlib.sha256(location.encode()).hexdigest()[:_PLACE_DIGITS]


def _read_heads(path: Path, master: MasterKey) -> SeenHeads:
    try:
        told = json.loads(path.read_text("ascii"))
    except FileNotFoundError:
        if not _is_writable(path.parent):
            return SeenHeads()
        raise crosswalk_error("heads-missing", str(path)) from None
    except (OSError, ValueError):
        raise crosswalk_error("heads-damaged", str(path)) from None
    try:
        heads, places = told["heads"], told["places"]
        sealed = master.unwrap(base64.b64decode(told["seal"], validate=True), _CONTEXT)
        if told["format"] != _HEADS_FORMAT or sealed != _heads_checksum(heads, places):
            raise ValueError
        return SeenHeads(
            {book: AuditHead.parse(line) for book, line in heads.items()}, dict(places)
        )
    except (ValueError, KeyError, TypeError, AttributeError, DeidError):
        raise crosswalk_error("heads-damaged", str(path)) from None


def _read_or_begin(path: Path, master: MasterKey) -> SeenHeads:
    try:
        return _read_heads(path, master)
    except DeidError:
        return SeenHeads()


def _write_heads(path: Path, master: MasterKey, note: SeenHeads) -> None:
    heads = {book: str(head) for book, head in note.heads.items()}
    seal = base64.b64encode(master.wrap(_heads_checksum(heads, note.places), _CONTEXT)).decode(
        "ascii"
    )
    told = {"format": _HEADS_FORMAT, "heads": heads, "places": note.places, "seal": seal}
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with contextlib.suppress(OSError):
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(json.dumps(told, indent=1) + "\n")
        part.replace(path)


def _heads_checksum(heads: dict[str, str], places: dict[str, str]) -> bytes:
    told = json.dumps([heads, places], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).digest()
