"""The text flow: find, take out, search what is left, until nothing new is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
MAX_ROUNDS = 12
MAX_REMEMBERED = 20_000


class TextFinder(Protocol):
    """What the text flow needs of a `recognizers.Finder`.

    `learn` gathers what is certain in texts of one patient; two such are joined by `|`. `spread`
    adds to the findings of another text of theirs what was learned.
    """

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]: ...

    def learn(self, texts: Sequence[str], founds: Sequence[tuple[Finding, ...]]) -> Any: ...

    def spread(self, text: str, found: tuple[Finding, ...], known: Any) -> tuple[Finding, ...]: ...


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A text with the identity taken out, and what was changed. The `repr` shows no content."""

    ordinal: int
    text: str = field(repr=False)
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class WithheldText:
    """A document that could not be searched in full; `code` says why."""

    ordinal: int
    code: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What is certain in the documents of each patient, and what each document holds.

    None is found in a document that failed: it is withheld.
    """

    learned: Mapping[str, Any] = field(repr=False)
    found: Mapping[tuple[str, str], tuple[Finding, ...] | None] = field(repr=False)


def _unreadable(text: str) -> str:
    """Why a text is not searched as prose, "" if it is."""
    if len(text) > MAX_CHARACTERS:
        return "over-long"
    seen = sniff(text)
    return "" if seen is None else seen.format


@dataclass(slots=True)
class Scrubber:
    """Scrubs documents under one policy. Numbers of tags are kept per patient over its life."""

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

    @property
    def latest_date(self) -> date:
        """The latest day on which ages may be judged: the day of the run, where a record has dates
        after the reference date."""
        return max(self.reference_date, self.run_date or self.reference_date)

    def survey(self, documents: Sequence[Document]) -> None:
        """Learn what is certain in these documents, for the others of the same patients.

        What a document holds is remembered until it is scrubbed, up to `MAX_REMEMBERED` of them.
        """
        owned = [Revision(0, d, None) for d in documents if d.patient is not None]
        for revision, found in zip(owned, self._find(owned), strict=True):
            patient, text = revision.document.patient, revision.document.text
            if found is None or patient is None:
                continue
            learned = self._learn(text, found)
            if learned is not None:
                self._remember(patient, learned)
            if len(self._surveyed) < MAX_REMEMBERED:
                self._surveyed[(patient, text)] = found if learned is not None else None

    def _learn(self, text: str, found: tuple[Finding, ...]) -> Any:
        """What is certain in it; None where that failed, and the text is withheld for it."""
        try:
            return self.finder.learn([text], [found])
        except Exception:
            return None

    def _remember(self, patient: str, learned: Any) -> None:
        old = self._learned.get(patient)
        self._learned[patient] = learned if old is None else old | learned

    def surveyed(self) -> Survey:
        """What the surveys so far brought."""
        return Survey(dict(self._learned), dict(self._surveyed))

    def take(self, survey: Survey) -> None:
        """Add what another scrubber surveyed. In the order of the job, whoever surveyed it."""
        for patient, learned in survey.learned.items():
            self._remember(patient, learned)
        for key, found in survey.found.items():
            if len(self._surveyed) >= MAX_REMEMBERED:
                break
            self._surveyed[key] = found

    def scrub(self, documents: Sequence[Document]) -> list[Scrubbed | WithheldText]:
        """One result a document, in order. A document that breaks the engine is withheld alone."""
        results: dict[int, Scrubbed | WithheldText] = {}
        unsettled: list[Revision] = []
        for place, document in enumerate(documents):
            if code := _unreadable(document.text):
                results[place] = WithheldText(document.ordinal, code)
            else:
                judged = self.judged(document.text)
                unsettled.append(
                    Revision(place, document, self.numbering(document.patient), judged=judged)
                )
        for round_ in range(1, MAX_ROUNDS + 1):
            if not unsettled:
                break
            unsettled = self._advance(unsettled, round_, results)
        for revision in unsettled:
            results[revision.place] = WithheldText(revision.document.ordinal, "not-settled")
        return [results[place] for place in range(len(documents))]

    def _advance(
        self, revisions: list[Revision], round_: int, results: dict[int, Scrubbed | WithheldText]
    ) -> list[Revision]:
        going_on = []
        for revision, found in zip(revisions, self._known_or_found(revisions, round_), strict=True):
            if found is None:
                results[revision.place] = WithheldText(revision.document.ordinal, "engine-error")
            elif revision.take(found, round_):
                going_on.append(revision)
            else:
                results[revision.place] = Scrubbed(
                    revision.document.ordinal, revision.text, tuple(revision.changes)
                )
        with self.drawing():
            return [revision for revision in going_on if self._rendered(revision, results)]

    def _rendered(self, revision: Revision, results: dict[int, Scrubbed | WithheldText]) -> bool:
        """Write a document anew; one that breaks a transform is withheld alone."""
        try:
            revision.render(self.policy, self.context)
        except (DeidError, OSError, MemoryError):  # not the text's: the crosswalk, the machine
            raise
        except Exception:
            results[revision.place] = WithheldText(revision.document.ordinal, "engine-error")
            return False
        return True

    def drawing(self) -> AbstractContextManager[None]:
        """Codes and surrogates drawn inside are one write to the crosswalk."""
        return nullcontext() if self.allocate is None else self.allocate.single_write()

    def _known_or_found(
        self, revisions: Sequence[Revision], round_: int
    ) -> list[tuple[Finding, ...] | None]:
        """In the first round: what the survey found and other documents of the patient told."""
        if round_ > 1:
            return self._find(revisions)
        keys = [(d.document.patient or "", d.document.text) for d in revisions]
        fresh = [d for d, key in zip(revisions, keys, strict=True) if key not in self._surveyed]
        found = iter(self._find(fresh))
        firsts = [self._surveyed[key] if key in self._surveyed else next(found) for key in keys]
        return [self._spread(d, first) for d, first in zip(revisions, firsts, strict=True)]

    def _spread(
        self, revision: Revision, found: tuple[Finding, ...] | None
    ) -> tuple[Finding, ...] | None:
        learned = self._learned.get(revision.document.patient or "")
        if found is None or learned is None:
            return found
        try:
            return self.finder.spread(revision.document.text, found, learned)
        except Exception:
            return None

    def _find(self, revisions: Sequence[Revision]) -> list[tuple[Finding, ...] | None]:
        if not revisions:
            return []
        try:
            return list(self._ask(revisions))
        except Exception:  # one poison document must not take its neighbours along
            return [self._find_alone(revision) for revision in revisions]

    def _find_alone(self, revision: Revision) -> tuple[Finding, ...] | None:
        try:
            return self._ask([revision])[0]
        except Exception:
            return None

    def _ask(self, revisions: Sequence[Revision]) -> list[tuple[Finding, ...]]:
        return self.finder.find_all(
            [revision.searched for revision in revisions],
            [revision.document.known for revision in revisions],
            [revision.document.patient for revision in revisions],
        )

    def judged(self, text: str) -> date:
        """The day on which the ages of a text are judged: the latest of its own after the reference
        date, up to the day of the run."""
        if self.latest_date == self.reference_date:
            return self.reference_date
        own = map(PartialDate, years_of(text))
        return effective_reference(self.reference_date, own, self.latest_date)

    def numbering(self, patient: str | None) -> Numbering | None:
        """The numbers of a patient's tags; None where the policy has plain tags."""
        if self.policy.tags == "plain":
            return None
        if patient is None:
            return Numbering()
        return self._numbering.setdefault(patient, Numbering())

    def context(self, finding: Finding, revision: Revision) -> TransformContext:
        """What the transform of this finding may know."""
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
