"""The crosswalk: issues codes and surrogates; reveals values and records who asked and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from deid.crosswalk.audit import anchor
from deid.crosswalk.code_drawing import draw_codes, is_crosswalk_code
from deid.crosswalk.keys.keyring import SealedEntry, lookup_message
from deid.crosswalk.keys.vault import SealError
from deid.crosswalk.normalization import normalize_value
from deid.crosswalk.open_book import OpenBook
from deid.crosswalk.stores.stored_rows import Entry
from deid.crosswalk.trouble import crosswalk_error
from deid.crosswalk.write_batch import WriteBatch
from safe_harbor import Identifier

Draw = Callable[[int], str]
"""Takes the index of an item in the request and returns a random surrogate for it."""
_Spots = Mapping[bytes, tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True, repr=False)
class Revealed:
    """The person and value behind a code. Its `repr` shows only the kind."""

    identifier: Identifier
    person: str | None
    value: str

    def __repr__(self) -> str:
        return f"Revealed({self.identifier.value!r})"


class Crosswalk(OpenBook):
    """A crosswalk at a path or a URL, opened with its master key. A context manager.

    Example:
        >>> with Crosswalk.open("book.db", Path("key")) as book:  # doctest: +SKIP
        ...     codes = book.codes(Identifier.MRNS, [("patient-1", "00123")])
    """

    def codes(self, identifier: Identifier, items: Sequence[tuple[str | None, str]]) -> list[str]:
        """The code of each (person, value), in order. Codes of new values are drawn at random.

        An identifier has the same code, in every spelling, in all tables, notes, runs and machines
        that share this crosswalk. `person` is the patient's key, or None if it is unknown.
        """
        forms = [normalize_value(identifier, person, value) for person, value in items]
        wanted = [lookup_message(identifier.value, owner, form) for owner, form in forms]
        with self._lock:
            with self.reading():
                spots = self._spots(dict.fromkeys(wanted))
                given = self._known_codes(spots)
            if len(given) < len(spots):
                first = dict(zip(reversed(wanted), reversed(range(len(wanted))), strict=True))
                missing = {
                    subject: SealedEntry(forms[at][0], forms[at][1], *items[at])
                    for subject, at in first.items()
                    if subject not in given
                }
                given.update(self._new_codes(identifier.value, missing, spots))
        return [given[subject] for subject in wanted]

    def keep(self, kind: str, items: Sequence[tuple[str | None, str]], draw_one: Draw) -> list[str]:
        """Return the surrogate or shift of each (person, key) under `kind`; draw and keep missing
        ones.

        The first draw wins, whichever process makes it. Keys are not normalized.
        """
        wanted = [lookup_message(kind, person, key) for person, key in items]
        with self._lock:
            with self.reading():
                given = self._known_texts(kind, list(dict.fromkeys(wanted)))
            first = dict(zip(reversed(wanted), reversed(range(len(wanted))), strict=True))
            missing = {subject: at for subject, at in first.items() if subject not in given}
            if missing:
                given.update(self._new_texts(kind, missing, items, draw_one))
        return [given[subject] for subject in wanted]

    def reveal(self, code: str, *, user: str, reason: str) -> Revealed:
        """Return the person and value behind a code, after the audit has recorded user and reason.

        Raises:
            CrosswalkError: no user, no reason, a mistyped code, or a code that is not in the book.
        """
        if not user.strip() or not reason.strip():
            raise crosswalk_error("no-reason", self.store.where)
        asked = code.strip().upper()
        if not is_crosswalk_code(asked):
            raise crosswalk_error("not-a-code", self.store.where)
        with self.writing() as batch:
            batch.record_event("reveal", change=False, user=user, reason=reason, code=asked)
        with self._lock:
            entry = self.store.marked(self.keyring.mark(asked))
        if entry is None:
            raise crosswalk_error("unknown-code", self.store.where)
        written = self._open(entry)
        return Revealed(Identifier(entry.kind), written.person, written.value)

    def _spots(self, wanted: Iterable[bytes]) -> _Spots:
        return self.keyring.index.find_all(wanted)

    def _known_codes(self, spots: _Spots) -> dict[bytes, str]:
        tokens = self.store.tokens([place for place, _ in spots.values()])
        known = spots
        if len(tokens) < len(spots):
            known = {subject: spot for subject, spot in spots.items() if spot[0] in tokens}
        try:
            codes = self.keyring.open_codes([(*spot, tokens[spot[0]]) for spot in known.values()])
        except SealError:
            raise crosswalk_error("crosswalk-altered", self.store.where, what="a row") from None
        return dict(zip(known, codes, strict=True))

    def _new_codes(
        self, kind: str, missing: Mapping[bytes, SealedEntry], spots: _Spots
    ) -> dict[bytes, str]:
        epoch = self.keyring.epoch
        self.prove_complete()
        with self.writing() as batch:
            keyring = self.keyring
            spots = spots if keyring.epoch == epoch else self._spots(missing)
            spots = {subject: spots[subject] for subject in missing}
            given = self._known_codes(spots)
            new = [subject for subject in missing if subject not in given]
            drawn = dict(zip(new, self._unused(len(new)), strict=True))
            rows = [
                keyring.seal_code(kind, spots[subject], mark, missing[subject], code)
                for subject, (code, mark) in drawn.items()
            ]
            self._add(batch, kind, rows)
        return given | {subject: code for subject, (code, _) in drawn.items()}

    def _unused(self, count: int) -> list[tuple[str, bytes]]:
        """Return new codes that no row has yet, with their marks.

        With 80 bits, repeats are very rare.
        """
        unused: dict[str, bytes] = {}
        mark_of = self.keyring.mark
        while len(unused) < count:
            fresh_ones = {
                code: mark_of(code) for code in draw_codes(count - len(unused), self._chance)
            }
            taken = self.store.marks(list(fresh_ones.values()))
            unused |= {code: mark for code, mark in fresh_ones.items() if mark not in taken}
        return list(unused.items())

    def _known_texts(self, kind: str, wanted: Sequence[bytes]) -> dict[bytes, str]:
        keyring = self.keyring
        places = {subject: keyring.index.find(subject)[0] for subject in wanted}
        tokens = self.store.tokens(list(places.values()))
        try:
            return {
                subject: keyring.open_text(kind, place, tokens[place])
                for subject, place in places.items()
                if place in tokens
            }
        except (SealError, KeyError):
            raise crosswalk_error("crosswalk-altered", self.store.where, what="a row") from None

    def _new_texts(
        self,
        kind: str,
        missing: Mapping[bytes, int],
        items: Sequence[tuple[str | None, str]],
        draw_one: Draw,
    ) -> dict[bytes, str]:
        self.prove_complete()
        with self.writing() as batch:
            given = self._known_texts(kind, list(missing))
            rows = []
            for subject, at in missing.items():
                if subject not in given:
                    given[subject] = draw_one(at)
                    written = SealedEntry(*items[at], *items[at])
                    rows.append(self.keyring.seal_text(kind, subject, written, given[subject]))
            self._add(batch, kind, rows)
        return given

    def _add(self, batch: WriteBatch, kind: str, rows: Sequence[tuple[Entry, int]]) -> None:
        if rows:
            if anchor.is_drill(batch.state.head.book):
                raise crosswalk_error("drill-copy", self.store.where)
            # Index order is faster, and the file does not show which row was added first.
            self.store.add(sorted(entry for entry, _ in rows))
            batch.record_entries(kind, len(rows), sum(weight for _, weight in rows))

    def _open(self, entry: Entry) -> SealedEntry:
        try:
            return self.keyring.open_written(entry)
        except (SealError, KeyError):
            raise crosswalk_error("crosswalk-altered", self.store.where, what="a row") from None
