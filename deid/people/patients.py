"""The patients of a job: their known values and their rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from deid.arrow.work_partitions import WorkPartitions
from deid.formats.documents.mail_files import MESSAGES_ENTRY
from deid.people.key_numbers import KeyNumbers
from deid.people.linking import CodedRows, KeyBook, Link, Owners
from deid.people.packed_features import PackedFeatures, PatientFeatures
from deid.people.packed_keys import PersonNumbers
from deid.people.patient_values import PatientValues
from deid.people.single_table import SingleTable
from recognizers import KnownValue, KnownValues, is_header_word
from safe_harbor import Identifier

# The most patients whose compiled known values (about 20 kB each) are cached.
MOST_COMPILED = 1 << 10
# Words of file names in extracts, although streets and people may have the same names.
_FILE_WORDS = (
    "patients? contacts? encounters? results? devices? notes? medications? procedures? conditions? "
    "problems? providers? organizations? allerg(?:y|ies) claims? labs? visits? orders? persons? "
    "people data export extract tables? texts? files? parts? the and for main summar(?:y|ies) "
    "discharge street road avenue county north south east west"
)
# Matches one of these words as a whole.
_FILE_WORD = re.compile(_FILE_WORDS.replace(" ", "|"))


@dataclass(slots=True)
class People:
    """The patients of a job and their known values. The `repr` shows counts."""

    _book: KeyBook = field(default_factory=KeyBook, repr=False)
    _known: PatientValues = field(default=None, repr=False)  # type: ignore[assignment]
    _links: dict[str, Link] = field(default_factory=dict, repr=False)
    _compiled: dict[str, KnownValues] = field(default_factory=dict, repr=False)
    _words: frozenset[str] = field(default=frozenset(), repr=False)
    keys: KeyNumbers = field(default_factory=KeyNumbers)
    _single: SingleTable | None = field(default=None, repr=False)
    _left_out: str = ""
    _features: PackedFeatures = field(default_factory=PackedFeatures, repr=False)

    def __post_init__(self) -> None:
        if self._known is None:
            self._known = PatientValues(self.persons)

    def __repr__(self) -> str:
        return f"People({len(self._known)} patients)"

    def __len__(self) -> int:
        return len(self._known)

    @property
    def persons(self) -> PersonNumbers:
        """The numbers of all patients that keys identify."""
        return self._book.persons

    def of(self, key: str | None) -> KnownValues | None:
        """All known values of the patient with this key; None for an unknown patient."""
        if key is None:
            return None
        known = self._compiled.pop(key, None)
        if known is not None:
            self._compiled[key] = known
            return known
        person = key if key in self._known else self._book.person(key)
        values = None if person is None else self._known.get(person)
        if values is None or person is None:
            return None
        known = self._compiled.pop(person, None) or KnownValues(self._chosen(values))
        if len(self._compiled) >= MOST_COMPILED:
            self._compiled.pop(next(iter(self._compiled)))
        self._compiled[person] = known
        return known

    def features(self, key: str | None) -> PatientFeatures | None:
        """The features of a patient's known values, for quick lookup; None for an unknown one."""
        person = key if key in self._known else self._book.person(key)
        if person is None or (number := self._known.number(person)) is None:
            return None
        found = self._features.of(number)
        if found is not None:
            return found
        return PatientFeatures.of(self._chosen(self._known.values_of(number)))

    def settle(self) -> None:
        """Merge the values of each patient when gathering has ended."""
        self._known.settle()

    def pack_features(self, spread: WorkPartitions) -> None:
        """Compute the features of all patients at once, in the processes of `spread`."""
        features = PackedFeatures()
        for some in spread(self._known.ranges, self._packed_features):
            for number, data in some:
                features.add(number, data)
        self._features = features

    def _packed_features(self, ranges: Iterable[range]) -> Iterator[list[tuple[int, bytes]]]:
        """The packed features of the patients in each range, with their numbers."""
        for some in ranges:
            known = self._known.numbered(some)
            yield [(n, PatientFeatures.of(self._chosen(own)).packed()) for n, own in known]

    def some(self, key: str, places: Sequence[int]) -> dict[int, KnownValue]:
        """Return the known values of a patient at these indices, by index."""
        if (compiled := self._compiled.get(key)) is not None:
            return {place: compiled.values[place] for place in places}
        person = key if key in self._known else self._book.person(key)
        number = None if person is None else self._known.number(person)
        if number is not None and not self._left_out:
            return self._known.some(number, places)
        values = () if number is None else self._chosen(self._known.values_of(number))
        return {place: values[place] for place in places}

    def knows(self, key: str | None) -> bool:
        """Whether the key identifies a known patient."""
        return key in self._known or self._book.person(key) is not None

    def all(self) -> Iterator[tuple[str, KnownValues]]:
        """Every patient's key and known values."""
        for key, values in self._known.all():
            yield key, KnownValues(self._chosen(values))

    def roles(self) -> dict[str, int]:
        """The number of known values by the role of the person who has them."""
        return {r: count for r, count in self._known.roles().items() if r != self._left_out}

    def ranges(self) -> Iterator[range]:
        """Ranges that hold the numbers of all patients, in order."""
        return self._known.ranges()

    def numbered(self, some: range) -> Iterator[tuple[str, KnownValues]]:
        """The key and known values of every patient whose number is in the range."""
        for number, values in self._known.numbered(some):
            yield self.persons.person(number), KnownValues(self._chosen(values))

    def _chosen(self, values: tuple[KnownValue, ...]) -> tuple[KnownValue, ...]:
        """Return the values without those of the role that this copy leaves out."""
        if not self._left_out:
            return values
        return tuple(value for value in values if value.role != self._left_out)

    def is_single_table(self, relative: str) -> bool:
        """Whether the table is the single table that stays on disk and holds all known values."""
        return self._single is not None and self._single.relative == relative

    def key_for(
        self, relative: str, cells: Sequence[str | None], patient: str | None = None
    ) -> str | None:
        """The patient of a row, found by the record itself, its key columns, or the name of its
        file.

        The result is None for a single table that stays on disk.
        """
        if self._single is not None:
            return None
        if (found := self._book.person(patient)) is not None:
            return found
        link = self._links.get(relative)
        if link is not None and (found := link.person(cells, self._book)) is not None:
            return found
        return self._of_name(relative, len(cells))

    def owners(
        self, relative: str, rows: CodedRows, told: Sequence[str | None] = (), *, width: int
    ) -> Owners:
        """The patients of rows, as `key_for` finds them; `told` are patients that records state."""
        people: list[str | None] = [None] * len(rows)
        if self._single is not None or not self._known:
            return Owners.of(people)
        if (link := self._links.get(relative)) is not None:
            people = link.people_of(rows, self._book)
        named = self._of_name(relative, width)
        if named is not None:
            people = [key or named for key in people]
        if any(told):
            own = map(self._book.person, told)
            people = [first or key for first, key in zip(own, people, strict=True)]
        return Owners.of(people)

    def _of_name(self, relative: str, width: int) -> str | None:
        """Find the patient of a document (a table of one column, or mail) by a name in its path.

        This is the name of the file, or of the nearest folder, archive or mail that holds the file.
        """
        path = PurePosixPath(relative)
        if width > 1 and path.name != MESSAGES_ENTRY:
            return None
        for part in (
            path.stem,
            *(PurePosixPath(above).stem for above in reversed(path.parts[:-1])),
        ):
            words = [part, *re.split(r"[^0-9A-Za-z-]+", part), *re.split(r"[^0-9A-Za-z]+", part)]
            found = {person for word in words if (person := self._book.owner(word)) is not None}
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    def leading(self, relative: str) -> tuple[int, ...]:
        """The columns of a table with values that identify patients, under any header."""
        link = self._links.get(relative)
        return () if link is None else (*link.keys, *link.others)

    def names_somebody(self, relative: str) -> bool:
        """Whether the name of a file, folder or table holds a known value of a patient."""
        parts = [relative, *(PurePosixPath(part).stem for part in PurePosixPath(relative).parts)]
        words = [word for part in parts for word in re.split(r"[^0-9A-Za-z]+", part) if word]
        if any(self._book.owner(word) for word in (*parts, *words)):
            return True
        named = self._name_words() & {word.casefold() for word in words}
        return bool(named) and not all(is_header_word(word) for word in words)

    def header_names_somebody(self, header: str) -> bool:
        """Whether a header holds a patient's key, or a known name that is not a header word."""
        words = re.findall(r"[^\W\d_]{3,}|\w*\d\w*", header)
        if any(self._book.owner(word) for word in (header, *words)):
            return True
        named = self._name_words() & {word.casefold() for word in words}
        return any(not is_header_word(word) for word in named)

    def _name_words(self) -> frozenset[str]:
        """The words of every known name and street, without words that are common file names."""
        if not self._words:
            values = (
                value.value
                for _, known in self.all()
                for value in known
                if value.identifier in (Identifier.NAMES, Identifier.PLACES)
                and value.part not in ("state", "zip", "facility", "organization")
            )
            words = {w for v in values for w in re.findall(r"[^\W\d_]{3,}", v.casefold())}
            named = frozenset(word for word in words if not _FILE_WORD.fullmatch(word))
            self._words = named or frozenset({""})
        return self._words

    def without(self, role: str) -> People:
        """Return the same patients without the values of one role."""
        return People(self._book, self._known, self._links, keys=self.keys, _left_out=role)

    def add(self, person: str, values: Iterable[KnownValue]) -> bool:
        """Add values to a patient; False if there are none."""
        self._compiled.pop(person, None)
        self._words = frozenset()
        return self._known.add(person, values)
