"""Is the book whole? Every row, every event, and the heads seen before."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from deid.audit import GENESIS, Head, context, extend
from deid.codes import is_code
from deid.crosswalk import anchor
from deid.crosswalk.book import Crosswalk
from deid.crosswalk.opened import WEIGHT_BYTES
from deid.crosswalk.ring import Ring, message
from deid.crosswalk.store import Entry, State
from deid.crosswalk.trouble import altered
from deid.vault import SealError, mask


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as this engine left it. Holds no value."""

    code: str
    place: str
    sentence: str


def verify(book: Crosswalk, manifests: Sequence[Head] = ()) -> tuple[Fault, ...]:
    """Every fault of a book, none if it is whole.

    `manifests` are heads printed in releases: each must be a part of this book's history.
    """
    noted = anchor.read(book.master)
    with book.store.reading():
        state = book.store.state()
        faults = [*_head_faults(book, state), *_chain_faults(book, state)]
        faults += _entry_faults(book, state)
        faults += _history_faults(book, state, noted.get(state.head.book), manifests)
    return tuple(faults)


def events(book: Crosswalk) -> Iterator[dict[str, Any]]:
    """What the audit tells, from the first event: when, which process, what, how many, who, why.

    Raises:
        CrosswalkError: an event was altered.
    """
    chain = GENESIS
    with book.store.reading():
        for link in book.store.links():
            try:
                place = context(book.ring.book, link.sequence, chain)
                told: dict[str, Any] = json.loads(book.ring.events.open(link.sealed, place))
            except SealError:
                raise altered(book.store.where) from None
            yield {"sequence": link.sequence, **told}
            chain = link.hash


def _head_faults(book: Crosswalk, state: State) -> Iterator[Fault]:
    if not state.head.holds(book.ring.signer.public):
        yield Fault("head-not-signed", "head", "the signature of the head does not fit it")
    if state.public != book.ring.signer.public:
        yield Fault("other-signer", "head", "the public key in the store is not this book's")


def _chain_faults(book: Crosswalk, state: State) -> Iterator[Fault]:
    chain, sequence = GENESIS, 0
    for link in book.store.links():
        sequence += 1
        place = f"event {link.sequence}"
        if link.sequence != sequence:
            yield Fault("event-missing", f"event {sequence}", "an event of the audit is missing")
            sequence = link.sequence
        elif extend(chain, sequence, link.sealed).hash != link.hash:
            yield Fault("event-altered", place, "the event does not follow from all before it")
        elif not _opens(book.ring, link.sealed, context(book.ring.book, sequence, chain)):
            yield Fault("event-forged", place, "the event was not written by a holder of the key")
        chain = link.hash
    if sequence < state.head.sequence:
        cut = f"events {sequence + 1} to {state.head.sequence}"
        yield Fault("tail-cut", cut, "the end of the audit was cut off")
    elif sequence > state.head.sequence or chain != state.head.hash:
        yield Fault("head-behind", f"event {sequence}", "the head is not the end of the audit")


def _opens(ring: Ring, sealed: bytes, place: bytes) -> bool:
    try:
        ring.events.open(sealed, place)
    except SealError:
        return False
    return True


def _entry_faults(book: Crosswalk, state: State) -> Iterator[Fault]:
    total, bad = 0, Counter[str]()
    for entry in book.store.entries():
        weight = _weight(book.ring, entry)
        if weight is None:
            bad[entry.kind] += 1
        else:
            total += weight
    for kind, count in sorted(bad.items()):
        sentence = f"{count} rows were altered, swapped or put in by another hand"
        yield Fault("row-altered", f"entries of kind {kind}", sentence)
    whole = (total % (1 << 8 * WEIGHT_BYTES)).to_bytes(WEIGHT_BYTES, "big")
    if not bad and whole != state.head.weight:
        yield Fault("row-missing", "entries", "rows were taken out of the book or put back into it")


def _weight(ring: Ring, entry: Entry) -> int | None:
    """The weight of a row; None if anything in it is not as it was sealed."""
    try:
        written = ring.open_written(entry)
        place, pad = ring.index.find(message(entry.kind, written.owner, written.form))
        if place != entry.place:
            return None
        if entry.mark is None:
            text = ring.open_text(entry.kind, entry.place, entry.token)
            return ring.weigh_text(entry.place, text)
        code = mask(entry.token, pad).decode("ascii")
        mark, weight = ring.weigh_code(code)
        return weight if mark == entry.mark and is_code(code) else None
    except (SealError, KeyError, ValueError, TypeError):
        return None


def _history_faults(
    book: Crosswalk, state: State, seen: Head | None, manifests: Sequence[Head]
) -> Iterator[Fault]:
    if seen is not None and not anchor.follows(book.store, state.head, seen):
        yield _rolled_back("the note beside the key", seen, state.head)
    for number, head in enumerate(manifests, start=1):
        place = f"manifest {number}"
        if head.book != state.head.book:
            yield Fault("other-book", place, "the release was made with another crosswalk")
        elif not head.holds(book.ring.signer.public):
            yield Fault("manifest-forged", place, "its head is not signed by this book")
        elif not anchor.follows(book.store, state.head, head):
            yield _rolled_back(place, head, state.head)


def _rolled_back(place: str, seen: Head, found: Head) -> Fault:
    sentence = (
        f"generation {seen.generation}, event {seen.sequence} was seen, and the book is at "
        f"generation {found.generation}, event {found.sequence}, or has another history"
    )
    return Fault("rolled-back", place, sentence)
