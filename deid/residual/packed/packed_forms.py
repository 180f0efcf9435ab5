"""The forms of all patients in sorted arrays, to be looked up in a text.

For each form, a 64-bit hash of its letters and digits is kept, and a number for its shape. The
hashes of all stretches of a text that could be a form are computed and looked up together. Equal
stretches have equal hashes, so no form is missed. A stretch that is not a form may have the hash of
a form by chance. For a million patients and a gigabyte of text, the odds of this are 1 to 5,000.
Such a false match puts the release on hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from deid.residual.folding import cased_and_folded
from deid.residual.forms import ValueForm
from deid.residual.packed.hashed_runs import (
    BUCKETS,
    SIDES,
    HashSet,
    TextRuns,
    bucket_starts,
    stretch_hashes,
)
from deid.residual.sweep import LONGEST_JOIN, Sighting, digests_of, digests_shown, shown_form
from deid.spool import Spill
from safe_harbor import Identifier

FormShape = tuple[Identifier, str, str, str, bool]
"""A form without its key."""
CHUNK = 1 << 14


class PackedForms:
    """The forms of many patients. The `repr` shows a count."""

    def __init__(self, forms: Iterable[ValueForm]) -> None:
        self._shapes: dict[FormShape, int] = {}
        self._longest = 0
        self._keys = Spill()
        self._chunks: list[tuple[int, int, int]] = []
        pieces: list[list[tuple[np.ndarray, np.ndarray]]] = [[] for _ in range(BUCKETS)]
        source = iter(forms)
        while chunk := list(islice(source, CHUNK)):
            self._add(chunk, pieces)
        hashes, self._codes = _sorted(pieces)
        self._known = HashSet(hashes)
        self._asked: dict[str, FormShape | None] = {}

    def __repr__(self) -> str:
        return f"PackedForms({len(self)} forms)"

    def __len__(self) -> int:
        return len(self._known)

    def _add(
        self, forms: list[ValueForm], pieces: list[list[tuple[np.ndarray, np.ndarray]]]
    ) -> None:
        numbers = self._shapes
        codes = np.array(
            [numbers.setdefault(_form_shape(f), len(numbers)) for f in forms], np.uint16
        )
        keys = [form.key for form in forms]
        joined = "\n".join(keys).encode("ascii")
        self._chunks.append((self._keys.append(codes.tobytes() + joined), len(keys), len(joined)))
        self._longest = max(self._longest, *map(len, keys))
        hashes = stretch_hashes(keys)
        order = np.argsort(hashes, kind="stable")
        hashes, codes = hashes[order], codes[order]
        bounds = np.searchsorted(hashes, bucket_starts()).tolist()
        for own, start, stop in zip(pieces, bounds, [*bounds[1:], len(hashes)], strict=True):
            own.append((hashes[start:stop].copy(), codes[start:stop].copy()))

    def look(self, text: str) -> list[Sighting]:
        """The longest form with its evidence at each run of a text, without decoding the text."""
        if not len(self):
            return []
        cased, folded = cased_and_folded(text)
        runs = TextRuns.of(folded)
        seen: list[Sighting] = []
        done = -1
        for i, joins, hashed in self._matches(runs):
            if i == done:
                continue
            spans = runs.spans(i, joins)
            key = "".join(folded[start:stop] for start, stop in spans)
            form = shown_form(self._forms(key, hashed), key, cased, folded, spans)
            if form is not None:
                done = i
                seen.append(
                    Sighting(spans[0][0], form.word, form.kind, key.isdigit() and joins == 1)
                )
        return seen

    def _matches(self, runs: TextRuns) -> Iterator[tuple[int, int, int]]:
        """The first run, number of runs and hash of each stretch that is a form, longest first."""
        for found in runs.look_up(self._known, self._longest, LONGEST_JOIN):
            yield from zip(*(column.tolist() for column in found), strict=True)

    def _forms(self, key: str, hashed: int) -> list[ValueForm]:
        shapes, wanted = list(self._shapes), np.uint64(hashed)
        start, stop = (int(self._known.hashes.searchsorted(wanted, side)) for side in SIDES)
        return [ValueForm(key, *shapes[code]) for code in self._codes[start:stop].tolist()]

    def look_for_digests(self, text: str) -> list[Sighting]:
        """The unkeyed hashes (MD5, SHA-1, SHA-256) in a text that were computed from a form."""
        shown = digests_shown(text)
        self._ask({digest for _, digest in shown} - self._asked.keys())
        return [
            Sighting(offset, shape[0], "hash of a value", False)
            for offset, digest in shown
            if (shape := self._asked[digest]) is not None
        ]

    def _ask(self, digests: set[str]) -> None:
        """Compute every key's digests again, as none are kept; record the matches in `digests`."""
        if not digests:
            return
        self._asked |= dict.fromkeys(digests)
        sizes = {len(digest) for digest in digests}
        shapes = list(self._shapes)
        for code, key in self._all_keys():
            for digest in digests_of(key, sizes):
                if digest in digests:
                    self._asked[digest] = shapes[code]

    def _all_keys(self) -> Iterator[tuple[int, str]]:
        for place, count, size in self._chunks:
            codes = np.frombuffer(self._keys.read(place, 2 * count), np.uint16).tolist()
            joined = self._keys.read(place + 2 * count, size).decode("ascii")
            yield from zip(codes, joined.split("\n"), strict=True)


def _form_shape(form: ValueForm) -> FormShape:
    return form.word, form.scope, form.needs, form.kind, form.whole


def _sorted(
    pieces: list[list[tuple[np.ndarray, np.ndarray]]],
) -> tuple[np.ndarray, np.ndarray]:
    """All hashes in order with their shape numbers, without duplicates. The pieces are emptied."""
    size = sum(len(hashes) for bucket in pieces for hashes, _ in bucket)
    all_hashes, all_codes = np.empty(size, np.uint64), np.empty(size, np.uint16)
    at = 0
    for bucket in pieces:
        if not bucket:
            continue
        hashes = np.concatenate([own for own, _ in bucket])
        codes = np.concatenate([own for _, own in bucket])
        bucket.clear()
        order = np.lexsort((codes, hashes))
        hashes, codes = hashes[order], codes[order]
        fresh = np.ones(len(hashes), bool)
        fresh[1:] = (hashes[1:] != hashes[:-1]) | (codes[1:] != codes[:-1])
        stop = at + int(fresh.sum())
        all_hashes[at:stop], all_codes[at:stop] = hashes[fresh], codes[fresh]
        at = stop
    return all_hashes[:at], all_codes[:at]
