"""The independent search of the output for known values and values derived from them.

It shares no code with the recognizers. Each record is searched for all known values of its own
patient. Every byte (contents, headers, file names, the documents of the release) is searched for
the distinctive values of every patient: numbers, addresses, full names. A record or file with a hit
is withheld. A hit names the place and the kind of the value, never the value itself.
`docs/decisions/0003-scope-of-the-residual-search.md` explains what is searched for where.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from datetime import date

from deid.arrow.work_partitions import THIS_PROCESS, WorkPartitions
from deid.errors import HELD, DeidError
from deid.residual.column_search import may_hold
from deid.residual.forms import ANYWHERE, TITLED, ValueForm
from deid.residual.hits import FoundHits, Residual, ResidualHit
from deid.residual.known_births import birth_forms
from deid.residual.layers import open_bytes, text_layers
from deid.residual.packed.packed_forms import FormPortion, PackedForms
from deid.residual.packed.patient_forms import PatientForms, packed_patients
from deid.residual.packed.searched_patients import HeldPatients, KnownPatients, PackedRange
from deid.residual.residues import is_number, is_residue, mask_residues
from deid.residual.sweep import FormIndex, Sighting
from deid.residual.value_forms import day_forms, forms_of, known_days
from recognizers import KnownValues
from safe_harbor import Identifier

# Separates the cells of a record, so that no form of a value runs from one cell into the next.
RECORD_SEPARATOR = "\n\n\x1a\x1a\x1a\n\n"
# Separates the kind of a hit, the kind of its layer, and the kind of file that was opened.
KIND_SEPARATOR = ", "
FILE_NAME = "file name"
LARGEST_CACHE = 256
MAX_CLEAN_CELLS = 1 << 15
# In a record without a known patient, a shorter number does not count: it matches by chance.
MIN_UNLINKED_DIGITS = 7
# If fewer of a column's numbers are hits, they equal numbers of their patients only by chance.
CHANCE = 0.02


Owner = str | KnownValues | None
"""A patient's key, or the known values of a patient in the record itself, or None."""
Left = Identifier | tuple[Identifier, str]
"""What the policy lets stay: all values of an identifier, or one kind of their forms."""


class ResidualSearch:
    """The search of one release. `leave` lists the values that the policy lets stay.

    With `everybody`, a record without a known patient is searched for the known values of every
    patient. If `vouched` is then set for the record's file, a single word counts only with evidence
    that it is a name. With `reference`, the reference date, birth years and ages over 89 are
    searched for. The forms of the patients are computed in the processes of `spread`.
    """

    def __init__(
        self,
        known: KnownPatients | Iterable[tuple[str, KnownValues]],
        leave: Collection[Left] = (),
        *,
        everybody: bool = False,
        reference: date | None = None,
        spread: WorkPartitions = THIS_PROCESS,
    ) -> None:
        self._reference = reference
        self._leave = frozenset(leave)
        self.leaves = frozenset(left for left in leave if isinstance(left, Identifier))
        self._known = known if isinstance(known, KnownPatients) else HeldPatients(dict(known))
        self.sought: set[Identifier] = set()
        self.unlinked = 0
        self.looked_for = self.known_values = 0
        self.packed = PatientForms()
        self._anywhere = PackedForms(self._portions(spread))
        self._everybody = PackedForms.of(self._unlinked_forms() if everybody else ())
        self._evident = PackedForms.of(
            replace(form, needs=TITLED) if form.whole else form
            for form in (self._unlinked_forms() if everybody else ())
        )
        self.vouched = False
        self._own: OrderedDict[str, FormIndex] = OrderedDict()
        self._clean: set[tuple[Owner, str]] = set()
        self.hits: list[ResidualHit] = []
        self.searched_bytes = 0

    def _portions(self, spread: WorkPartitions) -> Iterator[FormPortion]:
        """The distinctive forms of all patients. All forms of each patient are kept as well."""
        for packed in spread(self._known.ranges, self._packed_ranges):
            self.looked_for += packed.known_values
            self.sought |= packed.sought
            for patient in packed.patients:
                self.packed.add(patient)
            yield packed.anywhere
        self.known_values = self.looked_for

    def _packed_ranges(self, ranges: Iterable[range]) -> Iterator[PackedRange]:
        """The packed forms of the patients in each range."""
        for some in ranges:
            count, told, anywhere = 0, [], list[ValueForm]()
            for patient, values in self._known.numbered(some):
                count += len(values)
                own, days = self._forms_and_days(values)
                told.append((patient, [form.key for form in own], days))
                anywhere += (form for form in own if form.scope == ANYWHERE)
            portion = FormPortion.of(anywhere)
            patients = tuple(packed_patients(told))
            yield PackedRange(count, frozenset(self.sought), patients, portion)

    def _forms_and_days(self, values: KnownValues) -> tuple[list[ValueForm], set[int]]:
        """The forms of a patient's values; those of known days are left out."""
        undated = KnownValues(tuple(v for v in values if v.identifier is not Identifier.DATES))
        own = [*self._forms(undated), *self._kept(birth_forms(values, self._reference))]
        days = known_days(values)
        if days and not {Identifier.DATES} & (self.sought | self._leave):
            any(self.forms_of_days(days))
        return own, days

    def _unlinked_forms(self) -> Iterator[ValueForm]:
        """The forms for which a record without a known patient is searched."""
        for _, values in self._known.all():
            for form in self._forms(values):
                if not (form.key.isdigit() and len(form.key) < MIN_UNLINKED_DIGITS):
                    yield form

    def again(self) -> ResidualSearch:
        """A copy of this compiled search with empty hits and counts, to search one file."""
        fresh = copy(self)
        fresh.known_values = self.looked_for
        fresh.hits, fresh.searched_bytes = [], 0
        fresh.sought, fresh.unlinked = set(self.sought), 0
        return fresh

    def _forms(self, values: KnownValues) -> Iterator[ValueForm]:
        return self._kept((*forms_of(values), *birth_forms(values, self._reference)))

    def _kept(self, forms: Iterable[ValueForm]) -> Iterator[ValueForm]:
        """The forms, except those that the policy lets stay."""
        for form in forms:
            if form.word not in self._leave and (form.word, form.kind) not in self._leave:
                self.sought.add(form.word)
                yield form

    def forms_of_days(self, days: Iterable[int]) -> Iterator[ValueForm]:
        """The forms of these days (of `known_days`), except those that the policy lets stay."""
        return self._kept(form for day in days for form in day_forms(day))

    def _forms_of(self, owner: Owner) -> FormIndex | PackedForms | None:
        """The forms for which a record of this owner is searched; None if there are none."""
        if isinstance(owner, KnownValues):
            return FormIndex(self._forms(owner))
        known = None if owner is None else self._known.of(owner)
        if owner is None or known is None:
            forms = self._evident if self.vouched else self._everybody
            return forms if len(forms) else None
        if owner not in self._own:
            self._own[owner] = FormIndex(self._forms(known))
            if len(self._own) > LARGEST_CACHE:
                self._own.popitem(last=False)
        self._own.move_to_end(owner)
        return self._own[owner]

    def _looks_for(self, owner: Owner) -> bool:
        """Whether a record of this owner has anything to look for. It compiles no forms."""
        return isinstance(owner, KnownValues) or self.knows(owner) or self.has_everybody

    @property
    def has_everybody(self) -> bool:
        """Whether a record without a known patient is searched for the values of every patient."""
        return len(self._everybody) > 0

    def knows(self, owner: str | None) -> bool:
        return owner is not None and self._known.knows(owner)

    def in_text(
        self, text: str, owner: Owner, forms: FormIndex | PackedForms | None = None
    ) -> list[tuple[Sighting, str]]:
        """The known values of the patient in a text, in any layer, with the kind of the layer.

        `forms` are the only forms of the patient that the text may hold, if that is known already.
        """
        forms = self._forms_of(owner) if forms is None else forms
        if forms is None or not text:
            return []
        seen: list[tuple[Sighting, str]] = []
        known: set[tuple[Identifier, str]] = set()
        for layer, plain in text_layers(mask_residues(text)):
            found = [*forms.look(plain), *forms.look_for_digests(plain)]
            # An unescaped text repeats the parts of the text that hold no escapes.
            seen += [(s, layer) for s in found if not layer or (s.word, s.kind) not in known]
            known |= {(s.word, s.kind) for s in found}
        return seen

    def _may_hold(self, text: str, owner: Owner) -> bool:
        """Whether the text may hold a form of a value of the owner. It compiles no forms."""
        known = self._known.of(owner) if isinstance(owner, str) else owner
        return known is None or may_hold(text, known)

    def records(
        self,
        file: int,
        rows: Iterable[tuple[int, Sequence[str | None], Owner]],
        elements: Sequence[str] = (),
    ) -> None:
        """Search the records of a file, as (ordinal, cells, owner), each for the values of its
        owner.

        `elements` are the published paths of the cells, if the format has them.
        """
        found = FoundHits()
        for ordinal, cells, owner in rows:
            if isinstance(owner, KnownValues):
                self.known_values += len(owner)
            elif not self.knows(owner):
                self.unlinked += 1
            if not self._looks_for(owner):
                continue
            for column, cell in enumerate(cells):
                if cell and is_number(cell):
                    found.numbers[column] += 1
            for column, hit, bare in self.of_record(file, ordinal, cells, owner):
                placed = replace(hit, element=elements[column]) if elements else hit
                found.add(column, placed, bare)
        self.take(found)

    def shown(self, file: int, text: str, owner: Owner) -> None:
        """Search the text that the markup of a single-document file shows, for its patient."""
        if text and self._looks_for(owner):
            self.hits += [hit for _, hit, _ in self.of_record(file, 1, [text], owner)]

    def take(self, found: FoundHits) -> None:
        """Add a table's hits.

        Hits on cells that are only a number count if there are too many of them for chance.
        """
        self.hits += found.hits
        for column, hits in found.bare.items():
            if len(hits) >= CHANCE * found.numbers[column]:
                self.hits += hits

    def of_record(
        self,
        file: int,
        ordinal: int,
        cells: Sequence[str | None],
        owner: Owner,
        forms: FormIndex | None = None,
    ) -> Iterator[tuple[int, ResidualHit, bool]]:
        """The hits of one record: (column from 0, hit, whether it is a bare number).

        `forms` are the only forms of the owner that the record may hold, if that is known already.
        """
        texts, starts, place = [], [], 0
        for column, cell in enumerate(cells):
            if cell and not is_residue(cell) and (owner, cell) not in self._clean:
                texts.append(cell)
                starts.append((place, column))
                place += len(cell) + len(RECORD_SEPARATOR)
        if not texts:
            return
        text = mask_residues(RECORD_SEPARATOR.join(texts))
        found = self.in_text(text, owner, forms) if self._may_hold(text, owner) else []
        if not found and isinstance(owner, str) and len(self._clean) < MAX_CLEAN_CELLS:
            self._clean.update((owner, text) for text in texts if len(text) < 100)
        for sighting, layer in found:
            column = max((c for s, c in starts if s <= sighting.offset), default=0)
            cell = cells[column] or ""
            bare = sighting.bare_digits and not layer and is_number(cell)
            kind = KIND_SEPARATOR.join(filter(None, (sighting.kind, layer)))
            yield column, ResidualHit(file, ordinal, sighting.word, kind), bare

    def everywhere(self, file: int, text: str, known: KnownValues) -> list[ResidualHit]:
        """Return the hits on distinctive values of one person in a text of another record."""
        forms = FormIndex(self.forms_anywhere(known))
        return [
            ResidualHit(file, None, sighting.word, sighting.kind)
            for layer, plain in text_layers(text)
            for sighting in (*forms.look(plain), *forms.look_for_digests(plain))
            if not sighting.bare_digits or layer
        ]

    def sweep(self, file: int, name: str, chunks: Iterable[bytes]) -> None:
        """Search every byte of a file, and its name, for the distinctive values of all patients."""
        if not len(self._anywhere):
            return
        self._sweep_text(file, name.replace("/", "\n\n"), FILE_NAME)
        for data in chunks:
            for opened, text in open_bytes(data):
                self._sweep_text(file, text, opened)

    def _sweep_text(self, file: int, text: str, opened: str) -> None:
        seen: set[tuple[Identifier, str]] = set()
        for sighting, layer in self.distinctive(text):
            if sighting.bare_digits and not layer and not opened:
                continue  # a number in a cell: it is checked with its column, for its own patient
            kind = KIND_SEPARATOR.join(filter(None, (sighting.kind, layer, opened)))
            if (sighting.word, sighting.kind) not in seen:
                seen.add((sighting.word, sighting.kind))
                self.hits.append(ResidualHit(file, None, sighting.word, kind))

    def distinctive(
        self, text: str, forms: FormIndex | None = None
    ) -> Iterator[tuple[Sighting, str]]:
        """The distinctive values in a text, in any layer, with the kind of the layer.

        `forms` replace the forms of all patients, for persons whom the search does not hold.
        """
        looked = self._anywhere if forms is None else forms
        for layer, plain in text_layers(mask_residues(text)):
            for sighting in (*looked.look(plain), *looked.look_for_digests(plain)):
                yield sighting, layer

    def forms_anywhere(self, known: KnownValues) -> Iterator[ValueForm]:
        """The distinctive forms of one person, which count in every record."""
        return (form for form in self._forms(known) if form.scope == ANYWHERE)

    def result(self) -> Residual:
        """The result of the search so far."""
        by_word = Counter(hit.word for hit in self.hits)
        return Residual(
            self.known_values,
            self.searched_bytes,
            dict(by_word),
            tuple(self.hits),
            frozenset(self.sought),
            self.unlinked,
        )


def search_texts(
    records: Iterable[tuple[int, str | None, str]],
    known: Iterable[tuple[str, KnownValues]],
    blobs: Iterable[tuple[str, bytes]] = (),
    leave: Collection[Left] = (),
) -> Residual:
    """Search `records`, given as (ordinal, patient's key, text), and `blobs` as (name, bytes)."""
    run = ResidualSearch(known, leave)
    rows = [(ordinal, (text,), owner) for ordinal, owner, text in records]
    run.searched_bytes += sum(len(cells[0].encode()) for _, cells, _ in rows)
    run.records(1, rows)
    for number, (name, data) in enumerate(blobs, 1):
        run.searched_bytes += len(data)
        run.sweep(number, name, [data])
    return run.result()


def unreadable_output(ordinal: int) -> DeidError:
    """The error for an output that cannot be read back as it was written."""
    return DeidError(
        "output-unreadable",
        "an output file cannot be read back completely; nothing was released",
        place=f"file {ordinal}",
        exit_code=HELD,
        hint="run the job again; if it happens again, leave that input out and report it",
    )
