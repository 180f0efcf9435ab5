"""One text, and the patient to whom it belongs."""

from __future__ import annotations

from dataclasses import dataclass, field

from recognizers import KnownValues


@dataclass(frozen=True, slots=True)
class Document:
    """A note or a text cell. The `repr` shows no content.

    `ordinal` is its position in the job, `patient` the key of its patient within the job, and
    `known` the known values of that patient.
    """

    ordinal: int
    text: str = field(repr=False)
    patient: str | None = field(default=None, repr=False)
    known: KnownValues | None = field(default=None, repr=False)

    @property
    def key(self) -> tuple[str, str]:
        """The patient and the text: the key of the document's findings in a survey."""
        return self.patient or "", self.text
