"""The search: rules, the trained model and what is known of the patient, settled into findings."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ParamSpec, TypeVar

from recognizers.errors import RecognizerError
from recognizers.finding import Finding
from recognizers.known_values import KnownValues
from recognizers.merging import merge
from recognizers.model import Model
from recognizers.overlaps import settle
from recognizers.page import Page
from recognizers.presidio import EntityRecognizer
from recognizers.presidio_findings import Visitors
from recognizers.reading import Reading, read_all
from recognizers.register import recognizers
from recognizers.rules import RuleRecognizer
from recognizers.spreading import Known, learn, spread

P = ParamSpec("P")
T = TypeVar("T")
Found = tuple[Finding, ...]
FaultHandler = Callable[[int, RecognizerError], None]


@dataclass(frozen=True)
class Finder:
    """Everything loaded once: the rules, the model and a hospital's own Presidio recognizers.

    Without a model (`Finder.load(model=False)`) the rules run alone; that is for tests and is
    never done unasked.
    """

    rules: tuple[RuleRecognizer, ...]
    model: Model | None = None
    extra: Visitors = field(default_factory=lambda: Visitors(()))

    @classmethod
    def load(
        cls,
        *,
        model: bool = True,
        fast: bool = False,
        reference_date: datetime.date | None = None,
        extra_recognizers: Sequence[EntityRecognizer] = (),
        threads: int = 1,
    ) -> Finder:
        """Reads the lists, compiles the patterns, loads the model.

        `reference_date` says which birth years show an age over 89; without it, the newest year
        in the text does. `fast` takes the smaller network, which misses more. Raises `ModelError`
        where the model is absent or altered.
        """
        rules = recognizers(reference_date)
        for rule in rules:
            rule.load()
        network = Model.load(threads=threads, fast=fast) if model else None
        return cls(rules, network, Visitors(extra_recognizers))

    def find(self, text: str, known: KnownValues | None = None) -> Found:
        """Ordered, disjoint findings; offsets in code points of `text`.

        Raises `RecognizerError` where any recognizer failed: the text was not searched in full.
        """
        return self.find_all([text], [known])[0]

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[Hashable | None] | None = None,
        on_fault: FaultHandler | None = None,
    ) -> list[Found]:
        """Findings of each text; what is certain in one is looked for in the others of its group.

        `groups` are patient keys (None: on its own). With `on_fault`, a text in which a recognizer
        failed is reported by its number and comes back with no findings, so the caller must
        withhold it; without, the first failure is raised.
        """
        wanted = knowns or [None] * len(texts)
        readings = self.modelled(texts)
        drafts: list[Found] = []
        failed: set[int] = set()
        for number, text in enumerate(texts):
            try:
                drafts.append(self.drafted(number, text, readings[number], wanted[number]))
            except RecognizerError as error:
                if on_fault is None:
                    raise
                on_fault(number, error)
                failed.add(number)
                drafts.append(())
        return completed(texts, drafts, groups, failed)

    def learn(self, texts: Sequence[str], founds: Sequence[Found]) -> Known:
        """What is certain in these texts of one patient, to be looked for in the others."""
        return learn(zip(texts, founds, strict=True))

    def spread(self, text: str, found: Found, known: Known) -> Found:
        """The findings of a text, with what is known from the patient's other texts."""
        return settle([*found, *spread(text, known, found)], text)

    def modelled(self, texts: Sequence[str]) -> list[Reading | RecognizerError | None]:
        """What the model makes of each text; its error where it failed on that one."""
        if self.model is None:
            return [None] * len(texts)
        try:
            return list(read_all(self.model, texts))
        except Exception:
            return [self.read_alone(number, text) for number, text in enumerate(texts)]

    def read_alone(self, number: int, text: str) -> Reading | RecognizerError | None:
        if self.model is None:
            return None
        try:
            return read_all(self.model, [text])[0]
        except Exception:
            return RecognizerError("model", number)

    def drafted(
        self,
        number: int,
        text: str,
        reading: Reading | RecognizerError | None,
        known: KnownValues | None,
    ) -> Found:
        """Rules, model, known values and extras of one text, settled."""
        if isinstance(reading, RecognizerError):
            raise reading
        page = guarded("normal", number, Page.of, text)
        ruled: list[Finding] = []
        for rule in self.rules:
            ruled += guarded(rule.word, number, rule.search, page)
        held = guarded("merging", number, merge, page, text, ruled, reading)
        held += guarded("extra", number, self.extra.search, text)
        if known is not None:
            held += guarded("known_values", number, known.find, text)
        return guarded("overlaps", number, settle, held, text)


def guarded(name: str, number: int, call: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
    """The call's result; any failure becomes an error that names the recognizer and no text."""
    try:
        return call(*args, **more)
    except RecognizerError as error:
        raise RecognizerError(error.recognizer, number) from None
    except Exception:
        # `from None`: the original message may hold text.
        raise RecognizerError(name, number) from None


def completed(
    texts: Sequence[str],
    drafts: Sequence[Found],
    groups: Sequence[Hashable | None] | None,
    failed: set[int],
) -> list[Found]:
    """Spreads what is certain within each patient's texts."""
    keys: Sequence[Hashable] = [
        ("alone", i) if groups is None or groups[i] is None else ("group", groups[i])
        for i in range(len(texts))
    ]
    members: dict[Hashable, list[int]] = {}
    for number, key in enumerate(keys):
        if number not in failed:
            members.setdefault(key, []).append(number)
    results: list[Found] = [()] * len(texts)
    for numbers in members.values():
        known = guarded("spreading", numbers[0], learn, [(texts[i], drafts[i]) for i in numbers])
        for i in numbers:
            more = guarded("spreading", i, spread, texts[i], known, drafts[i])
            both = [*drafts[i], *more]
            results[i] = guarded("overlaps", i, settle, both, texts[i]) if more else drafts[i]
    return results


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
