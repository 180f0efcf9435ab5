"""The forms of all patients in sorted pages, to be looked up in a text.

For each form, a 64-bit hash of its letters and digits is kept, and a number for its shape. The
hashes of all stretches of a text that could be a form are computed and looked up together. Equal
stretches have equal hashes, so no form is missed. A stretch that is not a form may have the hash of
a form by chance. For a million patients and a gigabyte of text, the odds of this are 1 to 5,000.
Such a false match puts the release on hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from deid.people.sorted_pages import PageLevels
from deid.residual.folding import cased_and_folded
from deid.residual.forms import ValueForm
from deid.residual.packed.hashed_runs import HEAD, HashFilter, TextRuns, stretch_hashes
from deid.residual.packed.paged_hashes import PagedHashes
from deid.residual.sweep import LONGEST_JOIN, Sighting, digests_of, digests_shown, shown_form
from deid.spool import Spill
from safe_harbor import Identifier

FormShape = tuple[Identifier, str, str, str, bool]
"""A form without its key."""
CHUNK = 1 << 14


@dataclass(frozen=True, slots=True)
class FormPortion:
    """Some forms: the different shapes, the hash of each form, and the number of its shape.

    `keys` are the letters and digits of the forms, one per line, and `heads` are the hashes of
    their first `HEAD` characters. The `repr` shows nothing.
    """

    shapes: tuple[FormShape, ...] = field(repr=False)
    hashes: np.ndarray = field(repr=False)
    codes: np.ndarray = field(repr=False)
    keys: bytes = field(repr=False)
    longest: int = field(repr=False)
    heads: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, forms: Sequence[ValueForm]) -> FormPortion:
        """Pack these forms."""
        shapes: dict[FormShape, int] = {}
        codes = [shapes.setdefault(_form_shape(form), len(shapes)) for form in forms]
        keys = [form.key for form in forms]
        joined, longest = "\n".join(keys).encode("ascii"), max(map(len, keys), default=0)
        heads = stretch_hashes(list({key[:HEAD] for key in keys if len(key) >= HEAD}))
        numbers = np.array(codes, np.uint16)
        return cls(tuple(shapes), stretch_hashes(keys), numbers, joined, longest, heads)


class PackedForms:
    """The forms of many patients. The `repr` shows a count."""

    def __init__(self, portions: Iterable[FormPortion]) -> None:
        self._shapes: dict[FormShape, int] = {}
        self._longest = 0
        self._keys = Spill()
        self._chunks: list[tuple[int, int, int]] = []
        entries = PageLevels(np.uint16, several=True)
        heads = PageLevels(np.uint8)
        for portion in portions:
            self._add(portion, entries)
            heads.add(portion.heads, np.zeros(len(portion.heads), np.uint8))
        self._known, first = PagedHashes(entries.as_one()), heads.as_one()
        self._heads = HashFilter(len(first), (hashes for hashes, _ in first.chunks()))
        self._asked: dict[str, FormShape | None] = {}

    @classmethod
    def of(cls, forms: Iterable[ValueForm]) -> PackedForms:
        """Pack these forms, some at a time."""
        source = iter(forms)
        chunks = iter(lambda: list(islice(source, CHUNK)), [])
        return cls(map(FormPortion.of, chunks))

    def __repr__(self) -> str:
        return f"PackedForms({len(self)} forms)"

    def __len__(self) -> int:
        return len(self._known)

    def _add(self, portion: FormPortion, entries: PageLevels) -> None:
        if not len(portion.hashes):
            return
        numbers = self._shapes
        own = [numbers.setdefault(shape, len(numbers)) for shape in portion.shapes]
        codes = np.array(own, np.uint16)[portion.codes]
        place = self._keys.append(codes.tobytes() + portion.keys)
        self._chunks.append((place, len(codes), len(portion.keys)))
        self._longest = max(self._longest, portion.longest)
        entries.add(portion.hashes, codes)

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
        for found in runs.look_up(self._known, self._longest, LONGEST_JOIN, self._heads):
            yield from zip(*(column.tolist() for column in found), strict=True)

    def _forms(self, key: str, hashed: int) -> list[ValueForm]:
        shapes = list(self._shapes)
        return [ValueForm(key, *shapes[code]) for code in self._known.codes(hashed)]

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
