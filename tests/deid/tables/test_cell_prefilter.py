"""In a cell that the prefilter can check, a search for only the matching known values finds the
same as a search for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from deid.people.known_cells import KnownColumns
from deid.people.packed_features import PatientFeatures
from deid.tables.cell_prefilter import CellPrefilter, MetValues
from recognizers import KnownValue, KnownValues
from safe_harbor import Identifier as I

WALL = "\n\n¦¦¦\n\n"
VALUES = (
    KnownValue(I.NAMES, "Quillfeather", part="last"),
    KnownValue(I.NAMES, "William", part="first"),
    KnownValue(I.NAMES, "Rose", part="middle"),
    KnownValue(I.NAMES, "Smith, John A", "relative", "full"),
    KnownValue(I.NAMES, "Tolliver & Sons Printing", "employer", "organization"),
    KnownValue(I.PLACES, "118 Canal Street, Apt 3B", part="street"),
    KnownValue(I.PLACES, "North Vernon", part="city"),
    KnownValue(I.PLACES, "05301", part="zip"),
    KnownValue(I.DATES, "1936-06-14", part="birth"),
    KnownValue(I.DATES, "2026-03-10T07:13:55Z", part="event"),
    KnownValue(I.SSNS, "912-34-4471"),
    KnownValue(I.MRNS, "00402817"),
    KnownValue(I.PHONES, "(802) 555-0143"),
    KnownValue(I.OTHERS, "3c1c5636-2c43-bd4b-6eab-9eabf5929c55"),
    KnownValue(I.EMAILS, "j.quill42@valley.example"),
)
_WORDS = (
    "quillfeather Quilfeather Bill William W. WQ WRQ Rose Smith JSmith John A Tolliver Sons TSP "
    "Canal St 118 Apt 3B North Vernon N. 05301 912 34 4471 402817 4O2817 5550143 802 bd4b "
    "3c1c5636 9eabf5929c55 j.quill42 mg/dL Glucose fasting Visual acuity (procedure) 72892002 "
    "430193006 Dr. Ada of the 20260310 061436 6/14 age 97 1936 June 14"
)
PIECES = st.lists(st.sampled_from(_WORDS.split()), min_size=1, max_size=5)


@dataclass(frozen=True)
class _OnePatient:
    known: KnownValues

    def features(self, key: str | None) -> PatientFeatures:
        return PatientFeatures.unpacked(PatientFeatures.of(self.known.values).packed())

    def some(self, key: str, places: Sequence[int]) -> dict[int, KnownValue]:
        return {place: self.known.values[place] for place in places}


def _met_by(prefilter: CellPrefilter, known: KnownValues) -> MetValues:
    met = prefilter.met_by("P", _OnePatient(known))
    assert met is not None
    return met


@settings(max_examples=600, deadline=None)
@given(
    values=st.lists(st.sampled_from(VALUES), min_size=1, max_size=8, unique=True),
    cells=st.lists(PIECES.map(" ".join), min_size=1, max_size=6),
    parts=st.integers(1, 3),
)
def test_searching_only_the_matching_values_finds_the_same_as_searching_all(
    values: list[KnownValue], cells: list[str], parts: int
) -> None:
    known = KnownValues(tuple(values))
    prefilter = CellPrefilter(KnownColumns((), ()))
    met = _met_by(prefilter, known)
    for part in range(parts):  # as batches of a table add cells
        prefilter.add(cells[part::parts])
        met = _met_by(prefilter, known)
    for cell in cells:
        found, sifted = known.find(cell + WALL), prefilter.sifts(cell)
        if prefilter.sifts_all_but_dates(cell) and not sifted:
            sifted = not known.dates.find(cell + WALL)
        assert not sifted or met.values.find(cell + WALL) == found
        assert not sifted or not found or cell in met.cells
        assert not found or prefilter.may_hold([cell], known)


def test_codes_and_words_match_almost_no_known_value() -> None:
    prefilter = CellPrefilter(KnownColumns((), ()))
    prefilter.add(["Visual acuity (procedure)", "72892002", "mg/dL", "430193006"])
    assert len(_met_by(prefilter, KnownValues(VALUES)).values) == 0
    assert all(map(prefilter.sifts, ["Visual acuity (procedure)", "72892002", "mg/dL"]))
    assert not prefilter.sifts("20260310") and not prefilter.sifts("Glucose")
