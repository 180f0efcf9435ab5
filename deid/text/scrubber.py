"""The text flow: find the identifiers in documents and replace them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from deid.errors import DeidError
from deid.formats.signatures import sniff
from deid.policy.model import Policy
from deid.text.change import Change
from deid.text.document import Document
from deid.text.revision import Revision
from deid.transforms import Numbering, TransformContext
from deid.transforms.contract import CodeSource
from recognizers import Finding, KnownValues, years_of
from safe_harbor import PartialDate, effective_reference

MAX_CHARACTERS = 20_000_000
MAX_REMEMBERED = 20_000


class TextFinder(Protocol):
    """The methods of `recognizers.Finder` that the text flow uses.

    `learn` collects what is certain in texts of one patient; `__or__` joins two
    results. `propagate` adds what was learned to the findings of another text of that patient.
    """

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]: ...

    def learn(self, texts: Sequence[str], founds: Sequence[tuple[Finding, ...]]) -> Any: ...

    def propagate(
        self, text: str, found: tuple[Finding, ...], known: Any
    ) -> tuple[Finding, ...]: ...


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A scrubbed text and its changes. The `repr` shows no content."""

    ordinal: int
    text: str = field(repr=False)
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class WithheldText:
    """A document that could not be searched in full; `code` gives the reason."""

    ordinal: int
    code: str


@dataclass(frozen=True, slots=True)
class Survey:
    """The findings that are certain in the documents of each patient, and all findings of each
    document.

    The findings of a document that failed are None, and the document is withheld.
    """

    learned: Mapping[str, Any] = field(repr=False)
    found: Mapping[tuple[str, str], tuple[Finding, ...] | None] = field(repr=False)


def find_each(
    finder: TextFinder, documents: Sequence[Document]
) -> list[tuple[Finding, ...] | None]:
    """The findings of each document; None if the search fails even for that document alone."""
    if not documents:
        return []
    try:
        return [
            *finder.find_all(
                [document.text for document in documents],
                [document.known for document in documents],
                [document.patient for document in documents],
            )
        ]
    except Exception:  # one failing document must not withhold the rest
        if len(documents) == 1:
            return [None]
        return [found for document in documents for found in find_each(finder, [document])]


def _unsearchable_code(text: str) -> str:
    """Return the quarantine code of a text that is not searched as prose; "" for other texts."""
    if len(text) > MAX_CHARACTERS:
        return "over-long"
    seen = sniff(text)
    return "" if seen is None else seen.format


@dataclass(slots=True)
class Scrubber:
    """Scrubs documents under one policy. It numbers the tags of each patient over its lifetime."""

    policy: Policy
    finder: TextFinder
    reference_date: date
    allocate: CodeSource | None = field(default=None, repr=False)
    run_date: date | None = None
    _numbering: dict[str, Numbering] = field(default_factory=dict, repr=False)
    _learned: dict[str, Any] = field(default_factory=dict, repr=False)
    _surveyed: dict[tuple[str, str], tuple[Finding, ...] | None] = field(
        default_factory=dict, repr=False
    )
    several: Container[str] | None = field(default=None, repr=False)
    """The patients with several documents in the job; None if that is not known."""

    @property
    def latest_date(self) -> date:
        """The latest day on which ages may be judged: the later of reference date and run date."""
        return max(self.reference_date, self.run_date or self.reference_date)

    def survey(self, documents: Sequence[Document]) -> None:
        """Collect the findings that are certain in these documents, to search other documents of
        the same patients for them.

        The findings of up to `MAX_REMEMBERED` documents are kept until the documents are scrubbed.
        """
        owned = [document for document in documents if self._may_have_more(document.patient)]
        for document, found in zip(owned, find_each(self.finder, owned), strict=True):
            if found is None or document.patient is None:
                continue
            learned = self._learn(document.text, found)
            if learned is not None:
                self._remember(document.patient, learned)
            if len(self._surveyed) < MAX_REMEMBERED:
                self._surveyed[document.key] = found if learned is not None else None

    def _may_have_more(self, patient: str | None) -> bool:
        """Whether the patient of a document may have other documents."""
        return patient is not None and (self.several is None or patient in self.several)

    def _learn(self, text: str, found: tuple[Finding, ...]) -> Any:
        """What the text says for certain; None if that failed, so that the text is withheld."""
        try:
            return self.finder.learn([text], [found])
        except Exception:
            return None

    def _remember(self, patient: str, learned: Any) -> None:
        old = self._learned.get(patient)
        self._learned[patient] = learned if old is None else old | learned

    def surveyed(self) -> Survey:
        """Return the results of all surveys so far."""
        return Survey(dict(self._learned), dict(self._surveyed))

    def take(self, survey: Survey) -> None:
        """Add the survey of another scrubber. Call this in job order to keep results stable."""
        for patient, learned in survey.learned.items():
            self._remember(patient, learned)
        for key, found in survey.found.items():
            if len(self._surveyed) >= MAX_REMEMBERED:
                break
            self._surveyed[key] = found

    def scrub(self, documents: Sequence[Document]) -> list[Scrubbed | WithheldText]:
        """Scrub the documents: one result each, in order.

        A failure withholds only its own document.
        """
        codes = [_unsearchable_code(document.text) for document in documents]
        clear = [document for document, code in zip(documents, codes, strict=True) if not code]
        fresh = [document for document in clear if document.key not in self._surveyed]
        found = iter(self._with_surveyed(clear, find_each(self.finder, fresh)))
        with self.one_crosswalk_write():
            return [
                WithheldText(document.ordinal, code)
                if code
                else self._replaced(document, next(found))
                for document, code in zip(documents, codes, strict=True)
            ]

    def _replaced(
        self, document: Document, found: tuple[Finding, ...] | None
    ) -> Scrubbed | WithheldText:
        """Replace the findings; a failing search or transform withholds this document only."""
        if found is None:
            return WithheldText(document.ordinal, "engine-error")
        try:
            numbering, judged = self.numbering(document.patient), self.judged(document.text)
            revision = Revision(document, found, numbering, judged)
            return Scrubbed(document.ordinal, *revision.render(self.policy, self.context))
        except (DeidError, OSError, MemoryError):  # the crosswalk or the machine failed
            raise
        except Exception:
            return WithheldText(document.ordinal, "engine-error")

    def one_crosswalk_write(self) -> AbstractContextManager[None]:
        """Write the codes and surrogates drawn in a `with` block to the crosswalk at once."""
        return nullcontext() if self.allocate is None else self.allocate.single_write()

    def _with_surveyed(
        self, documents: Sequence[Document], searched: Sequence[tuple[Finding, ...] | None]
    ) -> list[tuple[Finding, ...] | None]:
        """Return the findings of each document, with values from the patient's other documents.

        `searched` are the findings of the documents that the survey did not search.
        """
        rest = iter(searched)
        return [
            self._propagate(d, self._surveyed[d.key] if d.key in self._surveyed else next(rest))
            for d in documents
        ]

    def _propagate(
        self, document: Document, found: tuple[Finding, ...] | None
    ) -> tuple[Finding, ...] | None:
        patient = document.patient
        learned = self._learned.get(patient or "")
        if found is None:
            return None
        if learned is None and patient is not None and not self._may_have_more(patient):
            learned = self._learn(document.text, found)  # the survey skipped this patient
            if learned is None:
                return None
        if learned is None:
            return found
        try:
            return self.finder.propagate(document.text, found, learned)
        except Exception:
            return None

    def judged(self, text: str) -> date:
        """The day on which the ages of a text are judged.

        It is the latest date of the text itself, between the reference date and the day of the run.
        """
        if self.latest_date == self.reference_date:
            return self.reference_date
        own = map(PartialDate, years_of(text))
        return effective_reference(self.reference_date, own, self.latest_date)

    def numbering(self, patient: str | None) -> Numbering | None:
        """The tag numbers of a patient; None if the policy has plain tags."""
        if self.policy.tags == "plain":
            return None
        if patient is None:
            return Numbering()
        return self._numbering.setdefault(patient, Numbering())

    def context(self, finding: Finding, revision: Revision) -> TransformContext:
        """Return the facts that the transform of this finding may use."""
        return TransformContext(
            identifier=finding.identifier,
            entity=finding.entity,
            reference_date=revision.judged or self.reference_date,
            census=self.policy.zip3_census,
            person=revision.document.patient,
            numbering=revision.numbering,
            known=revision.document.known,
            allocate=self.allocate,
        )
