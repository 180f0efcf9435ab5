"""The patients whose values a search looks for, and the packed forms of some of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol, runtime_checkable

from deid.residual.packed.packed_forms import FormPortion
from deid.residual.packed.patient_forms import PackedPatient
from recognizers import KnownValues
from safe_harbor import Identifier


@runtime_checkable
class KnownPatients(Protocol):
    """The known values of all patients, as the search needs them.

    `ranges` are ranges of the numbers of all patients, in order; `numbered` are the patients of one
    range, with their keys.
    """

    def of(self, key: str | None) -> KnownValues | None: ...
    def knows(self, key: str | None) -> bool: ...
    def all(self) -> Iterable[tuple[str, KnownValues]]: ...
    def ranges(self) -> Iterable[range]: ...
    def numbered(self, some: range) -> Iterable[tuple[str, KnownValues]]: ...
    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class HeldPatients:
    """Patients held in a dictionary, by key."""

    held: Mapping[str, KnownValues] = field(repr=False)

    def of(self, key: str | None) -> KnownValues | None:
        """The known values of one patient."""
        return None if key is None else self.held.get(key)

    def knows(self, key: str | None) -> bool:
        """Whether the key is that of a patient."""
        return key in self.held

    def all(self) -> Iterable[tuple[str, KnownValues]]:
        """Every patient's key and known values."""
        return self.held.items()

    def ranges(self) -> Iterator[range]:
        """One range: all patients."""
        yield range(len(self))

    def numbered(self, some: range) -> Iterator[tuple[str, KnownValues]]:
        """The patients of a range."""
        return islice(self.held.items(), some.start, some.stop)

    def __len__(self) -> int:
        return len(self.held)


@dataclass(frozen=True, slots=True)
class PackedRange:
    """What one worker computes for a range of patients. The `repr` shows counts.

    `sought` are the identifiers of all forms; `anywhere` are the distinctive forms.
    """

    known_values: int
    sought: frozenset[Identifier]
    patients: tuple[PackedPatient, ...] = field(repr=False)
    anywhere: FormPortion = field(repr=False)
