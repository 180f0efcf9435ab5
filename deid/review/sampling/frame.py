"""The notes that a sample is drawn from, each with its stratum and a number for its patient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deid.errors import DeidError
from deid.formats import ReadOptions, open_source
from deid.people.gathering import gather_people
from deid.review.released_notes import NotePlace, ReviewBatch, folder_of
from deid.review.sampling.sampling_plan import SampledNote

MOST_STRATA = 40


def sampling_frame(
    batch: ReviewBatch,
    stratify: str = "",
    patient_column: str = "",
    known: Sequence[Path] = (),
    patient_key: str | None = None,
) -> list[SampledNote]:
    """Every note of the release.

    The patient comes from a column of the release, else from the originals and the known tables. A
    note without a known patient counts as its own patient. `stratify` is `folder`, `file` or a
    column of the release.

    Raises:
        DeidError: `column-missing`, `too-many-strata`.
    """
    owners = _owners(batch, patient_column, known, patient_key)
    numbers: dict[str, int] = {}
    units = []
    for number, note in enumerate(batch.notes):
        owner = owners.get(note.place) or f"\0{number}"
        patient = numbers.setdefault(owner, len(numbers) + 1)
        units.append(
            SampledNote(note.file, note.record, patient, stratum_of(batch, number, stratify))
        )
    strata = {unit.stratum for unit in units}
    if len(strata) > MOST_STRATA:
        raise DeidError(
            "too-many-strata",
            f"--stratify gives {len(strata)} strata; at most {MOST_STRATA} are allowed",
            hint="stratify by a column with few values, such as note type",
        )
    if stratify not in ("", "file", "folder") and strata == {""}:
        raise DeidError(
            "column-missing",
            "no file of the release has the column that --stratify names",
            hint="name a released column exactly, or use `folder` or `file`",
        )
    return units


def stratum_of(batch: ReviewBatch, number: int, stratify: str) -> str:
    """The stratum of one note."""
    note = batch.notes[number]
    if stratify == "":
        return ""
    if stratify == "file":
        return f"file {note.file}"
    if stratify == "folder":
        return folder_of(note) or "(top)"
    return batch.value(note, stratify)


def _owners(
    batch: ReviewBatch, patient_column: str, known: Sequence[Path], patient_key: str | None
) -> Mapping[NotePlace, str]:
    if patient_column:
        owners = {note.place: batch.value(note, patient_column) for note in batch.notes}
        if not any(owners.values()):
            raise DeidError(
                "column-missing",
                "no file of the release has the column that --patient-column names",
                hint="name a released column exactly",
            )
        return owners
    if not batch.has_originals:
        return {}
    return _of_originals(batch, known, patient_key)


def _of_originals(
    batch: ReviewBatch, known: Sequence[Path], patient_key: str | None
) -> Mapping[NotePlace, str]:
    sources = []
    for path in batch.originals().values():
        source = open_source(path, ReadOptions())
        if len(source.columns) > 1:
            sources.append((path.name, source))
    people = gather_people(sources, known, patient_key) if sources or known else None
    owners: dict[NotePlace, str] = {}
    for note in batch.notes:
        found = batch.original(note)
        if found is None:
            continue
        path, record = found
        owner = people.key_for(path.name, record.cells, record.patient) if people else None
        if person := owner or record.patient:
            owners[note.place] = person
    return owners
