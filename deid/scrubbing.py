"""The text flow: find, take out, search what is left, until nothing new is found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Protocol

from deid.change import Change
from deid.document import Document
from deid.errors import DeidError
from deid.policy import Policy
from deid.standins import counts_beside, standin
from deid.transforms import Context, Numbering, apply
from deid.transforms.contract import Allocate
from recognizers import Finding, KnownValues

MAX_CHARACTERS = 20_000_000
MAX_ROUNDS = 12
MAX_REMEMBERED = 20_000


class Finds(Protocol):
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
class Withheld:
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


@dataclass(slots=True)
class Scrubber:
    """Scrubs documents under one policy. Numbers of tags are kept per patient over its life."""

    policy: Policy
    finder: Finds
    reference_date: date
    allocate: Allocate | None = field(default=None, repr=False)
    _numbering: dict[str, Numbering] = field(default_factory=dict, repr=False)
    _learned: dict[str, Any] = field(default_factory=dict, repr=False)
    _surveyed: dict[tuple[str, str], tuple[Finding, ...] | None] = field(
        default_factory=dict, repr=False
    )

    def survey(self, documents: Sequence[Document]) -> None:
        """Learn what is certain in these documents, for the others of the same patients.

        What a document holds is remembered until it is scrubbed, up to `MAX_REMEMBERED` of them.
        """
        owned = [_Draft(0, d, None) for d in documents if d.patient is not None]
        for draft, found in zip(owned, self._find(owned), strict=True):
            patient, text = draft.document.patient, draft.document.text
            if found is None or patient is None:
                continue
            learned = self._learn(text, found)
            if learned is not None:
                old = self._learned.get(patient)
                self._learned[patient] = learned if old is None else old | learned
            if len(self._surveyed) < MAX_REMEMBERED:
                self._surveyed[(patient, text)] = found if learned is not None else None

    def _learn(self, text: str, found: tuple[Finding, ...]) -> Any:
        """What is certain in it; None where that failed, and the text is withheld for it."""
        try:
            return self.finder.learn([text], [found])
        except Exception:
            return None

    def surveyed(self) -> Survey:
        """What the surveys so far brought."""
        return Survey(dict(self._learned), dict(self._surveyed))

    def take(self, survey: Survey) -> None:
        """Add what another scrubber surveyed. In the order of the job, whoever surveyed it."""
        for patient, learned in survey.learned.items():
            old = self._learned.get(patient)
            self._learned[patient] = learned if old is None else old | learned
        for key, found in survey.found.items():
            if len(self._surveyed) >= MAX_REMEMBERED:
                break
            self._surveyed[key] = found

    def scrub(self, documents: Sequence[Document]) -> list[Scrubbed | Withheld]:
        """One result a document, in order. A document that breaks the engine is withheld alone."""
        results: dict[int, Scrubbed | Withheld] = {}
        open_drafts: list[_Draft] = []
        for place, document in enumerate(documents):
            if len(document.text) > MAX_CHARACTERS:
                results[place] = Withheld(document.ordinal, "over-long")
            else:
                open_drafts.append(_Draft(place, document, self.numbering(document.patient)))
        for round_ in range(1, MAX_ROUNDS + 1):
            if not open_drafts:
                break
            open_drafts = self._advance(open_drafts, round_, results)
        for draft in open_drafts:
            results[draft.place] = Withheld(draft.document.ordinal, "not-settled")
        return [results[place] for place in range(len(documents))]

    def _advance(
        self, drafts: list[_Draft], round_: int, results: dict[int, Scrubbed | Withheld]
    ) -> list[_Draft]:
        going_on = []
        for draft, found in zip(drafts, self._known_or_found(drafts, round_), strict=True):
            if found is None:
                results[draft.place] = Withheld(draft.document.ordinal, "engine-error")
            elif draft.take(found, round_):
                going_on.append(draft)
            else:
                results[draft.place] = draft.result()
        with self.drawing():
            return [draft for draft in going_on if self._rendered(draft, results)]

    def _rendered(self, draft: _Draft, results: dict[int, Scrubbed | Withheld]) -> bool:
        """Write a draft anew; one that breaks a transform is withheld alone."""
        try:
            draft.render(self.policy, self)
        except (DeidError, OSError, MemoryError):  # not the text's: the crosswalk, the machine
            raise
        except Exception:
            results[draft.place] = Withheld(draft.document.ordinal, "engine-error")
            return False
        return True

    def drawing(self) -> AbstractContextManager[None]:
        """Codes and surrogates drawn inside are one write to the crosswalk."""
        return nullcontext() if self.allocate is None else self.allocate.together()

    def _known_or_found(
        self, drafts: Sequence[_Draft], round_: int
    ) -> list[tuple[Finding, ...] | None]:
        """In the first round: what the survey found and other documents of the patient told."""
        if round_ > 1:
            return self._find(drafts)
        keys = [(d.document.patient or "", d.document.text) for d in drafts]
        fresh = [d for d, key in zip(drafts, keys, strict=True) if key not in self._surveyed]
        found = iter(self._find(fresh))
        firsts = [self._surveyed[key] if key in self._surveyed else next(found) for key in keys]
        return [self._spread(d, first) for d, first in zip(drafts, firsts, strict=True)]

    def _spread(
        self, draft: _Draft, found: tuple[Finding, ...] | None
    ) -> tuple[Finding, ...] | None:
        learned = self._learned.get(draft.document.patient or "")
        if found is None or learned is None:
            return found
        try:
            return self.finder.spread(draft.document.text, found, learned)
        except Exception:
            return None

    def _find(self, drafts: Sequence[_Draft]) -> list[tuple[Finding, ...] | None]:
        if not drafts:
            return []
        try:
            return list(self._ask(drafts))
        except Exception:  # one poison document must not take its neighbours along
            return [self._find_alone(draft) for draft in drafts]

    def _find_alone(self, draft: _Draft) -> tuple[Finding, ...] | None:
        try:
            return self._ask([draft])[0]
        except Exception:
            return None

    def _ask(self, drafts: Sequence[_Draft]) -> list[tuple[Finding, ...]]:
        return self.finder.find_all(
            [draft.searched for draft in drafts],
            [draft.document.known for draft in drafts],
            [draft.document.patient for draft in drafts],
        )

    def numbering(self, patient: str | None) -> Numbering | None:
        """The numbers of a patient's tags; None where the policy has plain tags."""
        if self.policy.tags == "plain":
            return None
        if patient is None:
            return Numbering()
        return self._numbering.setdefault(patient, Numbering())

    def context(self, finding: Finding, draft: _Draft) -> Context:
        """What the transform of this finding may know."""
        return Context(
            identifier=finding.identifier,
            entity=finding.entity,
            reference_date=self.reference_date,
            census=self.policy.zip3_census,
            person=draft.document.patient,
            numbering=draft.numbering,
            known=draft.document.known,
            allocate=self.allocate,
        )


@dataclass(slots=True)
class _Draft:
    """A document on its way: its findings in the original, and the text as it now stands."""

    place: int
    document: Document
    numbering: Numbering | None
    text: str = field(default="", repr=False)
    searched: str = field(default="", repr=False)
    findings: list[tuple[Finding, int]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    standins: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text = self.searched = self.document.text

    def take(self, found: Sequence[Finding], round_: int) -> bool:
        """Add what is new, in offsets of the original. False if nothing is."""
        kept = self._kept()
        new = [
            (replace(finding, start=start, end=end), round_)
            for finding in found
            for start, end in self._in_original(finding, kept)
        ]
        self.findings = sorted(self.findings + new, key=lambda pair: pair[0].start)
        return bool(new)

    def _in_original(
        self, finding: Finding, kept: Sequence[tuple[int, int, int]]
    ) -> list[tuple[int, int]]:
        """The stretches of the original that stand unreplaced where the search found something."""
        start, end, stretches = finding.start, finding.end, list[tuple[int, int]]()
        first = bisect_left(kept, start, key=lambda stretch: stretch[1])
        for place in range(first, len(kept)):
            kept_start, kept_end, original = kept[place]
            if kept_start >= end:
                break
            low, high = max(start, kept_start), min(end, kept_end)
            shift = original - kept_start
            if (low, high) == (start, end):
                return [(start + shift, end + shift)]
            trimmed = _trim(self.document.text, low + shift, high + shift) if low < high else None
            if trimmed and counts_beside(finding, self.document.text[slice(*trimmed)]):
                stretches.append(trimmed)
        return stretches

    def _kept(self) -> list[tuple[int, int, int]]:
        """Unreplaced stretches: start and end in the searched text, start in the original."""
        kept, at, original = [], 0, 0
        for (start, end), change in zip(self.standins, self.changes, strict=True):
            kept.append((at, start, original))
            at, original = end, change.end
        kept.append((at, len(self.searched), original))
        return kept

    def render(self, policy: Policy, scrubber: Scrubber) -> None:
        """Write both texts anew from the original and all findings so far."""
        text, searched = _Strip(self.document.text), _Strip(self.document.text)
        self.changes, self.standins = [], []
        for finding, round_ in self.findings:
            value = self.document.text[finding.start : finding.end]
            transform = policy.transform_of(finding.entity)
            outcome = apply(transform, value, scrubber.context(finding, self))
            out_start, out_end = text.put(finding, outcome.text)
            self.standins.append(searched.put(finding, standin(finding.entity, value)))
            self.changes.append(
                Change(
                    finding.start,
                    finding.end,
                    out_start,
                    out_end,
                    finding.identifier,
                    finding.entity,
                    transform.name,
                    outcome.residue,
                    finding.source,
                    finding.score,
                    round_,
                )
            )
        self.text, self.searched = text.whole(), searched.whole()

    def result(self) -> Scrubbed:
        return Scrubbed(self.document.ordinal, self.text, tuple(self.changes))


class _Strip:
    """A text written from left to right: the original, with other words in places."""

    def __init__(self, original: str) -> None:
        self._original, self._parts, self._at, self._length = original, list[str](), 0, 0

    def put(self, finding: Finding, replacement: str) -> tuple[int, int]:
        """Copy up to the finding, then the replacement; where that one stands."""
        self._parts += (self._original[self._at : finding.start], replacement)
        start = self._length + finding.start - self._at
        self._at, self._length = finding.end, start + len(replacement)
        return start, self._length

    def whole(self) -> str:
        return "".join((*self._parts, self._original[self._at :]))


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return (start, end) if start < end else None
