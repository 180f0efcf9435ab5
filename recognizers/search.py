"""The search: findings from the rules, the trained model and the patient's known values."""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from recognizers.decide.decision import Decision, Reason, explain
from recognizers.decide.decoding import strong
from recognizers.decide.evidence import Evidence
from recognizers.decide.overlaps import resolve_overlaps, restored_offsets
from recognizers.errors import Failures, FaultHandler, RecognizerError, guarded
from recognizers.evidence.matching import Seen
from recognizers.evidence.register import Rules, RuleTable, prefilter, rules
from recognizers.evidence.tables import read_proved
from recognizers.finding import Finding, Found
from recognizers.known.values import KnownValues
from recognizers.model.network import Model, ModelOutput, read_all
from recognizers.propagate.certain import CertainValues, learn
from recognizers.propagate.propagation import propagate
from recognizers.readings import CandidateSet, DecidedText, DecidedTexts, batches
from recognizers.text.normalized_text import SingleSpaced

if TYPE_CHECKING:
    from recognizers.presidio.adapter import EntityRecognizer
    from recognizers.presidio.external import ExternalRecognizers


@dataclass(frozen=True)
class Finder:
    """The engine, loaded once: the rules, the model and a hospital's own Presidio recognizers.

    Without a model (`Finder.load(model=False)`) only the rules run; that is for tests and must be
    requested. With a `memory`, a repeated short text is decided only once.
    """

    rules: Rules
    model: Model | None = None
    extra: ExternalRecognizers | None = None
    decision: Decision | None = None
    own_table: str = ""
    memory: DecidedTexts | None = field(default=None, compare=False)

    @classmethod
    def load(
        cls,
        *,
        model: bool = True,
        fast: bool = False,
        reference_date: datetime.date | None = None,
        run_date: datetime.date | None = None,
        extra_recognizers: Sequence[EntityRecognizer] = (),
        rows: Path | None = None,
        threads: int = 1,
        threshold: float | None = None,
        remember: bool = False,
    ) -> Finder:
        """Read the lists, compile the patterns and load the model.

        `reference_date` decides which birth years show an age over 89; the default is the newest
        year in the text. If a text has dates after `reference_date`, up to `run_date` (the day of
        the run), the latest of them is used. `fast` loads the smaller network, which misses more.
        `rows` is a hospital's own table of recognizers (docs/guides/identifiers.md); what they
        match is always a finding. `threshold` is the least probability of a finding, 0 to 1: a
        lower one finds more and keeps less of the text; None means the fitted threshold. With
        `remember`, findings in short texts stay in memory in case the texts are repeated. Raises
        `ModelError` if the model is absent or altered, `RowError` if a row is faulty or unproved.
        """
        tables = rules(reference_date, run_date)
        if rows is not None:
            tables += (RuleTable(rows.stem, read_proved(rows)),)
        own = Rules(tables)
        own.load()
        network = Model.load(threads=threads, fast=fast) if model else None
        decision = None if network is None else Decision.load(network, threshold)
        table = "" if rows is None else rows.stem
        memory = DecidedTexts() if remember else None
        extra = external_recognizers(extra_recognizers)
        return cls(own, network, extra, decision, table, memory)

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources: files of rules, the model, a hospital's own recognizers."""
        own = tuple(table.name for table in self.rules.tables)
        network = () if self.model is None else ("model",)
        return own + network + (() if self.extra is None else self.extra.names)

    def find(self, text: str, known: KnownValues | None = None) -> Found:
        """Ordered, disjoint findings; offsets in code points of `text`.

        Raises `RecognizerError` if any recognizer failed: the text was not searched in full.
        """
        return self.find_all([text], [known])[0]

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[Hashable | None] | None = None,
        on_fault: FaultHandler | None = None,
    ) -> list[Found]:
        """Findings of each text; certain values in a text are also searched for in the texts of its
        group.

        `groups` are patient keys (None: a group of its own). With `on_fault`, a text in which a
        recognizer failed is reported by its number and gets no findings, so the caller must
        withhold it. Without `on_fault`, the first failure is raised.
        """
        spaced = [SingleSpaced.of(text) for text in texts]
        singly = [one.text for one in spaced]
        found = self._find_all(singly, knowns or [None] * len(texts), groups, Failures(on_fault))
        return [
            restored_offsets(one, findings) for one, findings in zip(spaced, found, strict=True)
        ]

    def _find_all(
        self,
        texts: Sequence[str],
        wanted: Sequence[KnownValues | None],
        groups: Sequence[Hashable | None] | None,
        failures: Failures,
    ) -> list[Found]:
        numbers_of: dict[str, list[int]] = {}
        for number, text in enumerate(texts):
            numbers_of.setdefault(text, []).append(number)
        drafts: list[Found | None] = [None] * len(texts)
        for one in self.decided_texts(list(numbers_of)):
            for number in numbers_of[one.text]:
                drafts[number] = failures.attempt(
                    number, self.drafted, number, one.text, one, wanted[number]
                )
        return propagated(texts, drafts, groups, failures)

    def decided_texts(self, texts: Sequence[str]) -> Iterator[DecidedText]:
        """Yield the candidates, model output and decision for each of these distinct texts."""
        fresh = []
        for text in texts:
            if self.memory is None or (held := self.memory.find(text)) is None:
                fresh.append(text)
            else:
                yield DecidedText(text, held)
        readings = self.modelled(fresh) if fresh else []
        for numbers in batches(fresh):
            candidate_sets = self.ruled(fresh, numbers)
            accepted = self.decided_together(fresh, readings, candidate_sets)
            for number, each, found in zip(numbers, candidate_sets, accepted, strict=True):
                if found is not None and self.memory is not None:
                    self.memory.hold(fresh[number], found)
                yield DecidedText(fresh[number], found, each, readings[number])

    def learn(self, texts: Sequence[str], founds: Sequence[Found]) -> CertainValues:
        """Return the certain values in texts of one patient, to be found in the patient's other
        texts.

        Raises `RecognizerError`, which shows no text, if this fails.
        """
        return guarded("spreading", 0, learn, list(zip(texts, founds, strict=True)))

    def propagate(self, text: str, found: Found, known: CertainValues) -> Found:
        """Return the findings of a text, with the certain values from the patient's other texts.

        Raises `RecognizerError`, which shows no text, if this fails.
        """
        more = guarded("spreading", 0, propagate, text, known, found)
        return guarded("overlaps", 0, resolve_overlaps, [*found, *more], text)

    def modelled(self, texts: Sequence[str]) -> list[ModelOutput | RecognizerError | None]:
        """The model's output for each text, or its error if the model failed on that text."""
        if self.model is None:
            return [None] * len(texts)
        try:
            return list(read_all(self.model, texts))
        except Exception:
            return [self.read_alone(number, text) for number, text in enumerate(texts)]

    def read_alone(self, number: int, text: str) -> ModelOutput | RecognizerError | None:
        if self.model is None:
            return None
        try:
            return read_all(self.model, [text])[0]
        except Exception:
            return RecognizerError("model", number)

    def ruled(self, texts: Sequence[str], numbers: range) -> list[CandidateSet]:
        """The candidates that the rules find in a batch of texts."""
        candidates = [CandidateSet.of(number, texts[number]) for number in numbers]
        prefilter([each.page for each in candidates if each.error is None])
        for each in candidates:
            each.ask(self.rules)
        return candidates

    def drafted(self, number: int, text: str, one: DecidedText, known: KnownValues | None) -> Found:
        """Return the findings of rules, model, known values and extra recognizers, without
        overlaps.
        """
        held = [*self.accepted(number, one)]
        if self.extra is not None:
            held += guarded("extra", number, self.extra.search, text)
        if known is not None:
            held += guarded("known_values", number, known.find, text)
        return guarded("overlaps", number, resolve_overlaps, held, text)

    def accepted(self, number: int, one: DecidedText) -> Sequence[Finding]:
        """Return the findings that the decision accepts in a text; decide now if that is not done
        yet.
        """
        for error in (one.reading, one.candidates and one.candidates.error):
            if isinstance(error, RecognizerError):
                raise RecognizerError(error.recognizer, number) from None
        if one.found is not None or one.candidates is None:
            return one.found or ()
        reading = one.reading if isinstance(one.reading, ModelOutput) else None
        return guarded("decision", number, self.decided, one.text, one.candidates.found, reading)

    def decided(self, text: str, seen: Sequence[Seen], output: ModelOutput | None) -> list[Finding]:
        """Return the candidates that the decision accepts, and all matches of a hospital's own
        rows.
        """
        if self.model is None:
            return strong(seen)
        if output is None or self.decision is None:
            raise RecognizerError("model", 0)
        return [*self.decision.find(Evidence.of_output(text, seen, output)), *self.always(seen)]

    def always(self, seen: Sequence[Seen]) -> list[Finding]:
        """The matches of a hospital's own rows, which the decision cannot reject."""
        return strong([one for one in seen if one.table == self.own_table])

    def decided_together(
        self,
        texts: Sequence[str],
        readings: Sequence[ModelOutput | RecognizerError | None],
        candidate_sets: Sequence[CandidateSet],
    ) -> list[list[Finding] | None]:
        """The findings accepted in each text; None if the text must be decided by itself."""
        alone: list[list[Finding] | None] = [None] * len(candidate_sets)
        if self.decision is None:
            return alone
        asked = {
            place: (texts[each.number], each.found, reading)
            for place, each in enumerate(candidate_sets)
            if each.error is None and isinstance(reading := readings[each.number], ModelOutput)
        }
        try:
            found = self.decision.find_all([Evidence.of_output(*one) for one in asked.values()])
        except Exception:  # one failing text must not fail the others
            return alone
        for (place, (_, seen, _)), accepted in zip(asked.items(), found, strict=True):
            alone[place] = [*accepted, *self.always(seen)]
        return alone

    def explain(self, text: str, start: int, end: int) -> tuple[Reason, ...]:
        """The evidence for or against a span, strongest first; it holds no text.

        Known values and a hospital's own recognizers bypass the decision, so they have no reasons.
        Raises `RecognizerError` if any recognizer failed.
        """
        (output,) = self.modelled([text])
        (candidate_set,) = self.ruled([text], range(1))
        for error in (output, candidate_set.error):
            if isinstance(error, RecognizerError):
                raise error from None
        if self.decision is None or not isinstance(output, ModelOutput):
            return ()
        evidence = Evidence.of_output(text, candidate_set.found, output)
        return guarded("decision", 0, explain, self.decision, evidence, start, end)


def external_recognizers(extra: Sequence[EntityRecognizer]) -> ExternalRecognizers | None:
    """The hospital's own recognizers, if any; only they need Presidio, a slow import."""
    if not extra:
        return None
    from recognizers.presidio.external import ExternalRecognizers

    return ExternalRecognizers(extra)


def propagated(
    texts: Sequence[str],
    drafts: Sequence[Found | None],
    groups: Sequence[Hashable | None] | None,
    failures: Failures,
) -> list[Found]:
    """Return the drafts of all texts, with the certain values spread within each
    patient's texts.
    """
    keys: Sequence[Hashable] = [
        ("alone", i) if groups is None or groups[i] is None else ("group", groups[i])
        for i in range(len(texts))
    ]
    members: dict[Hashable, dict[int, tuple[str, Found]]] = {}
    for number, (key, text, draft) in enumerate(zip(keys, texts, drafts, strict=True)):
        if draft is not None:
            members.setdefault(key, {})[number] = text, draft
    results: list[Found] = [()] * len(texts)
    for pairs in members.values():
        known = taught(pairs, failures)
        for i, (text, draft) in pairs.items():
            if i not in failures.numbers:
                results[i] = failures.attempt(i, enriched, i, text, draft, known) or ()
    return results


def taught(pairs: Mapping[int, tuple[str, Found]], failures: Failures) -> CertainValues:
    """Return the certain values in these texts, without the texts that fail.

    A text that fails by itself is recorded as failed and left out. If the texts fail only together,
    all of them are recorded as failed.
    """
    try:
        return guarded("spreading", min(pairs), learn, pairs.values())
    except RecognizerError:
        if failures.on_fault is None:
            raise
    for i, pair in pairs.items():
        failures.attempt(i, guarded, "spreading", i, learn, [pair])
    good = {i: pair for i, pair in pairs.items() if i not in failures.numbers}
    if len(good) < len(pairs):
        return taught(good, failures) if good else CertainValues()
    for i in good:
        failures.note(i, RecognizerError("spreading", i))
    return CertainValues()


def enriched(number: int, text: str, draft: Found, known: CertainValues) -> Found:
    """Return the findings of a text, with the certain values from its patient's other texts."""
    more = guarded("spreading", number, propagate, text, known, draft)
    return guarded("overlaps", number, resolve_overlaps, [*draft, *more], text) if more else draft


@lru_cache(maxsize=1)
def shared() -> Finder:
    return Finder.load()


def find(text: str, known: KnownValues | None = None) -> Found:
    """Findings in one text, with an engine loaded on first use.

    >>> from recognizers import find
    >>> [f.identifier.value for f in find("Seen by Dr. Okafor on 03/14/2023.")]
    ['names', 'dates']
    """
    return shared().find(text, known)
