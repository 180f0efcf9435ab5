"""The search: findings from the rules, the trained model and the patient's known values."""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from recognizers.decide.decision import Decision, Reason, explain
from recognizers.decide.decoding import strong
from recognizers.decide.evidence import Evidence, grouped
from recognizers.decide.overlaps import resolve_overlaps, restored_offsets
from recognizers.errors import FaultHandler, RecognizerError, attempted, guarded
from recognizers.evidence.matching import Seen
from recognizers.evidence.register import Rules, RuleTable, prefilter, read_proved, rules
from recognizers.finding import Finding, Found
from recognizers.known.values import KnownValues
from recognizers.model.network import Model, ModelOutput, read_all
from recognizers.propagate.certain import CertainValues, learn
from recognizers.propagate.propagation import propagate
from recognizers.text.normalized_text import NormalizedText, single_spaced

if TYPE_CHECKING:
    from recognizers.presidio.adapter import EntityRecognizer, ExternalRecognizers


# Tables repeat many short texts.
TEXTS_HELD, LONGEST_HELD = 1 << 13, 240
# The maximum numbers of characters and of texts that the rules search in one batch, so that their
# normalized texts take little memory.
CHARACTERS, TEXTS = 1 << 18, 1 << 10


Decided = Sequence[Finding] | RecognizerError
"""The findings that are accepted in a text, or the error of the first part that failed."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, what the rules see in it, and the output of the network; None without a model."""

    text: str = field(repr=False)
    seen: Sequence[Seen] = field(repr=False)
    output: ModelOutput | None = field(default=None, repr=False)

    def evidence(self) -> Evidence | None:
        """All evidence on the text, atom by atom; None without a model."""
        if self.output is None:
            return None
        return Evidence.of_output(self.text, self.seen, self.output)


class DecidedTexts(dict[str, tuple[Finding, ...]]):
    """The findings accepted in recent short texts; a copy in another process starts empty."""

    def __repr__(self) -> str:
        return f"DecidedTexts({len(self)} texts)"

    def __reduce__(self) -> tuple[type[DecidedTexts], tuple[()]]:
        return DecidedTexts, ()

    def hold(self, text: str, accepted: Sequence[Finding]) -> None:
        """Remember the findings accepted in a text, if the text is short."""
        if len(text) <= LONGEST_HELD:
            if len(self) >= TEXTS_HELD:
                self.clear()
            self[text] = tuple(accepted)


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
        extra = None
        if extra_recognizers:  # only they need Presidio, a slow import
            from recognizers.presidio.adapter import ExternalRecognizers

            extra = ExternalRecognizers(extra_recognizers)
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
        """Findings of each text; certain values are also searched for in the texts of its group.

        `groups` are patient keys (None: a group of its own). With `on_fault`, a text in which a
        recognizer failed is reported by its number and gets no findings, so the caller must
        withhold it. Without `on_fault`, the first failure is raised.
        """
        spaced = [single_spaced(text) for text in texts]
        singly = [one.text for one in spaced]
        decided = dict(self.decided_texts(list(dict.fromkeys(singly))))
        drafts = attempted(
            "draft",
            lambda some: [self.drafted(text, decided[text], known) for text, known in some],
            list(zip(singly, knowns or [None] * len(texts), strict=True)),
        )
        found: list[Found] = []
        for number, one in enumerate(propagated(singly, drafts, groups)):
            if not isinstance(one, RecognizerError):
                found.append(restored_offsets(spaced[number], one))
                continue
            error = RecognizerError(one.recognizer, number)
            if on_fault is None:
                raise error from None
            on_fault(number, error)
            found.append(())
        return found

    def decided_texts(self, texts: Sequence[str]) -> Iterator[tuple[str, Decided]]:
        """Yield each of these distinct texts with its accepted findings, or with its error."""
        fresh = []
        for text in texts:
            if self.memory is None or (held := self.memory.get(text)) is None:
                fresh.append(text)
            else:
                yield text, held
        outputs = self.modelled(fresh)
        for some in grouped([len(text) for text in fresh], CHARACTERS, TEXTS):
            readings = self.read(fresh[some], outputs[some])
            for text, found in zip(fresh[some], self.decided(readings), strict=True):
                if self.memory is not None and not isinstance(found, RecognizerError):
                    self.memory.hold(text, found)
                yield text, found

    def learn(self, texts: Sequence[str], founds: Sequence[Found]) -> CertainValues:
        """The certain values in texts of one patient; raises `RecognizerError` if this fails."""
        return guarded("spreading", learn, list(zip(texts, founds, strict=True)))

    def propagate(self, text: str, found: Found, known: CertainValues) -> Found:
        """A text's findings, with the certain values from the patient's other texts."""
        return guarded("spreading", enriched, (text, found), known)

    def modelled(self, texts: Sequence[str]) -> Sequence[ModelOutput | RecognizerError | None]:
        """The model's output for each text, or its error if the model failed on that text."""
        if self.model is None:
            return [None] * len(texts)
        return attempted("model", partial(read_all, self.model), texts)

    def read(
        self, texts: Sequence[str], outputs: Sequence[ModelOutput | RecognizerError | None]
    ) -> list[Reading | RecognizerError]:
        """What the rules see in each text, with the model's output, or the error of either."""
        pages = attempted("normal", partial(map, NormalizedText.of), texts)
        good = [page for page in pages if not isinstance(page, RecognizerError)]
        prefilter(good)
        seen = iter(attempted("rules", partial(map, self.rules.search), good))
        found: list[Reading | RecognizerError] = []
        for text, page, output in zip(texts, pages, outputs, strict=True):
            rows = page if isinstance(page, RecognizerError) else next(seen)
            if isinstance(output, RecognizerError):
                found.append(output)
            elif isinstance(rows, RecognizerError):
                found.append(rows)
            else:
                found.append(Reading(text, rows, output))
        return found

    def decided(self, readings: Sequence[Reading | RecognizerError]) -> list[Decided]:
        """The findings that the decision accepts in each text, or the text's error."""
        good = [one for one in readings if isinstance(one, Reading)]
        found = iter(attempted("decision", self.accepted, good))
        return [next(found) if isinstance(one, Reading) else one for one in readings]

    def accepted(self, readings: Sequence[Reading]) -> list[list[Finding]]:
        """The findings that the decision accepts, and all matches of a hospital's own rows."""
        if self.model is None:
            return [strong(one.seen) for one in readings]
        evidence = [each for one in readings if (each := one.evidence()) is not None]
        if self.decision is None or len(evidence) < len(readings):
            raise RecognizerError("model")
        found = self.decision.find_all(evidence)
        if not self.own_table:
            return found
        return [
            [*own, *strong([seen for seen in one.seen if seen.table == self.own_table])]
            for own, one in zip(found, readings, strict=True)
        ]

    def drafted(self, text: str, decided: Decided, known: KnownValues | None) -> Found:
        """The findings of rules, model, known values and extra recognizers, without overlaps."""
        if isinstance(decided, RecognizerError):
            raise decided
        held = [*decided]
        if self.extra is not None:
            held += guarded("extra", self.extra.search, text)
        if known is not None:
            held += guarded("known_values", known.find, text)
        return guarded("overlaps", resolve_overlaps, held, text)

    def explain(self, text: str, start: int, end: int) -> tuple[Reason, ...]:
        """The evidence for or against a span, strongest first; it holds no text.

        Known values and a hospital's own recognizers bypass the decision, so they have no reasons.
        Raises `RecognizerError` if any recognizer failed.
        """
        (reading,) = self.read([text], self.modelled([text]))
        if isinstance(reading, RecognizerError):
            raise reading from None
        evidence = reading.evidence()
        if self.decision is None or evidence is None:
            return ()
        return guarded("decision", explain, self.decision, evidence, start, end)


def propagated(
    texts: Sequence[str],
    drafts: Sequence[Found | RecognizerError],
    groups: Sequence[Hashable | None] | None,
) -> list[Found | RecognizerError]:
    """The drafts of all texts, with the certain values spread within each patient's texts."""
    members: dict[Hashable, dict[int, tuple[str, Found]]] = {}
    for number, draft in enumerate(drafts):
        if not isinstance(draft, RecognizerError):
            group = None if groups is None else groups[number]
            key = ("alone", number) if group is None else ("group", group)
            members.setdefault(key, {})[number] = texts[number], draft
    results = dict(enumerate(drafts))
    for pairs in members.values():
        known, failed = taught(pairs)
        good = {number: pair for number, pair in pairs.items() if number not in failed}
        spread = attempted(
            "spreading", partial(map, partial(enriched, known=known)), [*good.values()]
        )
        results.update(dict.fromkeys(failed, RecognizerError("spreading")))
        results.update(zip(good, spread, strict=True))
    return [*results.values()]


def taught(members: Mapping[int, tuple[str, Found]]) -> tuple[CertainValues, set[int]]:
    """The certain values in these texts, without those that fail, and the numbers of those.

    If the texts fail only together, all of them fail.
    """
    try:
        return learn(members.values()), set()
    except Exception:
        if len(members) == 1:
            return CertainValues(), set(members)
    failed = {number for number, pair in members.items() if taught({number: pair})[1]}
    good = {n: pair for n, pair in members.items() if n not in failed} if failed else {}
    known, more = taught(good)
    return known, (set(members) - set(good)) | more


def enriched(pair: tuple[str, Found], known: CertainValues) -> Found:
    """Return the findings of a text, with the certain values from its patient's other texts."""
    text, draft = pair
    more = propagate(text, known, draft)
    return guarded("overlaps", resolve_overlaps, [*draft, *more], text) if more else draft


_loaded = lru_cache(maxsize=1)(Finder.load)


def find(text: str, known: KnownValues | None = None) -> Found:
    """Findings in one text, with an engine loaded on first use.

    >>> from recognizers import find
    >>> [f.identifier.value for f in find("Seen by Dr. Okafor on 03/14/2023.")]
    ['names', 'dates']
    """
    return _loaded().find(text, known)
