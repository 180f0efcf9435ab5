"""Verifies a crosswalk: every row, every audit event, and the heads seen before."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from deid.crosswalk.audit import anchor
from deid.crosswalk.audit.chain import GENESIS, AuditHead, context, extend
from deid.crosswalk.audit.proofs import packed_weight
from deid.crosswalk.book import Crosswalk
from deid.crosswalk.code_drawing import is_crosswalk_code
from deid.crosswalk.keys.keyring import Keyring, lookup_message
from deid.crosswalk.keys.vault import SealError
from deid.crosswalk.stores.stored_rows import BookState, Entry
from deid.crosswalk.trouble import CrosswalkError, crosswalk_error

# A fault at this place concerns only the record beside the key; the owner may accept the book.
NOTE = "the note beside the key"


@dataclass(frozen=True, slots=True)
class BookFault:
    """One difference between a book and what the engine wrote. It holds no value."""

    code: str
    place: str
    sentence: str


def verify(book: Crosswalk, manifests: Sequence[AuditHead] = ()) -> tuple[BookFault, ...]:
    """Every fault of a book; none if it is intact.

    `manifests` are heads from release manifests; each must be part of this book's history.
    """
    strangers = book.store.strangers()
    if strangers:
        # Foreign objects can change what a query returns, so no further check would be reliable.
        return tuple(
            BookFault("schema-altered", "database", f"found {one}, which the engine did not create")
            for one in strangers
        )
    note, faults = _read_note(book)
    with book.store.reading():
        state = book.store.state()
        faults += [*_head_faults(book, state), *_chain_faults(book, state)]
        faults += _entry_faults(book, state)
        faults += _note_faults(book, state, note)
        faults += _manifest_faults(book, state, manifests)
    if book.store.is_damaged():
        sentence = "the pages or indexes of the database do not agree with each other"
        faults.append(BookFault("store-damaged", "database", sentence))
    return tuple(faults)


def _read_note(book: Crosswalk) -> tuple[anchor.SeenHeads, list[BookFault]]:
    try:
        return anchor.read(book.master, book.head().book), []
    except CrosswalkError as error:
        return anchor.SeenHeads(), [BookFault(error.code, NOTE, str(error.message))]


def events(book: Crosswalk) -> Iterator[dict[str, Any]]:
    """The audit events in order: time, process, action, count, user and reason.

    Raises:
        CrosswalkError: an event was changed.
    """
    with book.store.reading():
        yield from _event_contents(book)


def _event_contents(book: Crosswalk) -> Iterator[dict[str, Any]]:
    chain = GENESIS
    for link in book.store.links():
        try:
            place = context(book.keyring.book, link.sequence, chain)
            told: dict[str, Any] = json.loads(book.keyring.events.open(link.sealed, place))
        except SealError:
            raise crosswalk_error(
                "crosswalk-altered", book.store.where, what="an event of the audit"
            ) from None
        yield {"sequence": link.sequence, **told}
        chain = link.hash


def _head_faults(book: Crosswalk, state: BookState) -> Iterator[BookFault]:
    if not state.head.holds(book.keyring.signer.public):
        yield BookFault("head-not-signed", "head", "the signature does not match the head")
    if state.public != book.keyring.signer.public:
        yield BookFault(
            "other-signer", "head", "the public key in the store is not that of this crosswalk"
        )


def _chain_faults(book: Crosswalk, state: BookState) -> Iterator[BookFault]:
    chain, sequence = GENESIS, 0
    for link in book.store.links():
        sequence += 1
        place = f"event {link.sequence}"
        if link.sequence != sequence:
            yield BookFault(
                "event-missing", f"event {sequence}", "an event of the audit is missing"
            )
            sequence = link.sequence
        elif extend(chain, sequence, link.sealed).hash != link.hash:
            yield BookFault(
                "event-altered", place, "the event's hash does not match the events before it"
            )
        elif not _opens(book.keyring, link.sealed, context(book.keyring.book, sequence, chain)):
            yield BookFault("event-forged", place, "the event was written without the key")
        chain = link.hash
    if sequence < state.head.sequence:
        cut = f"events {sequence + 1} to {state.head.sequence}"
        yield BookFault("tail-cut", cut, "the end of the audit was cut off")
    elif sequence > state.head.sequence or chain != state.head.hash:
        yield BookFault("head-behind", f"event {sequence}", "the head is not the end of the audit")


def _opens(keyring: Keyring, sealed: bytes, place: bytes) -> bool:
    try:
        keyring.events.open(sealed, place)
    except SealError:
        return False
    return True


def _entry_faults(book: Crosswalk, state: BookState) -> Iterator[BookFault]:
    total, bad = 0, Counter[str]()
    for entry in book.store.entries():
        weight = _weight(book.keyring, entry)
        if weight is None:
            bad[entry.kind] += 1
        else:
            total += weight
    for kind, count in sorted(bad.items()):
        sentence = f"{count} rows were altered, swapped or added without the key"
        yield BookFault("row-altered", f"entries of kind {kind}", sentence)
    if not bad and packed_weight(total) != state.head.weight:
        yield BookFault(
            "row-missing", "entries", "rows were removed from the crosswalk or put back"
        )


def _weight(keyring: Keyring, entry: Entry) -> int | None:
    """The weight of a row, or None if any part of it changed since it was sealed."""
    try:
        written = keyring.open_written(entry)
        place, pad = keyring.index.find(lookup_message(entry.kind, written.owner, written.form))
        if place != entry.place:
            return None
        if entry.mark is None:
            keyring.open_text(entry.kind, entry.place, entry.token)
        else:
            code = keyring.open_codes([(place, pad, entry.token)])[0]
            if keyring.mark(code) != entry.mark or not is_crosswalk_code(code):
                return None
        return keyring.row_weight(place, entry.token)
    except (SealError, KeyError, ValueError, TypeError):
        return None


def _note_faults(book: Crosswalk, state: BookState, note: anchor.SeenHeads) -> Iterator[BookFault]:
    try:
        note.check(book.store, state.head)
    except CrosswalkError as error:
        if error.code != "crosswalk-rolled-back":
            yield BookFault(error.code, NOTE, str(error.message))
        else:
            yield _rolled_back(NOTE, note.heads[state.head.book], state.head)


def _manifest_faults(
    book: Crosswalk, state: BookState, manifests: Sequence[AuditHead]
) -> Iterator[BookFault]:
    ancestors = _ancestors(book) if manifests else {}
    for number, head in enumerate(manifests, start=1):
        place = f"manifest {number}"
        if head.book not in (state.head.book, *ancestors):
            yield BookFault("other-book", place, "the release was made with another crosswalk")
        elif not head.holds(book.keyring.signer.public):
            yield BookFault(
                "manifest-forged",
                place,
                "this crosswalk did not sign the audit head of the manifest",
            )
        elif not anchor.is_continued(book.store, ancestors.get(head.book, state.head), head):
            yield _rolled_back(place, head, state.head)


def _ancestors(book: Crosswalk) -> dict[str, AuditHead]:
    """Return the books from which this one was restored, each with its head at that time."""
    found: dict[str, AuditHead] = {}
    try:
        for event in _event_contents(book):
            if event["event"] == "restore":
                head = AuditHead.parse(event["head"])
                found[head.book] = head
    except (CrosswalkError, ValueError, KeyError):
        # Another check reports an altered audit.
        return found
    return found


def _rolled_back(place: str, seen: AuditHead, found: AuditHead) -> BookFault:
    sentence = (
        f"generation {seen.generation}, event {seen.sequence} was seen, and the crosswalk is at "
        f"generation {found.generation}, event {found.sequence}, or has another history"
    )
    return BookFault("rolled-back", place, sentence)
