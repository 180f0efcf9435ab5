"""A desk elsewhere: executors hold no crosswalk, so what they would ask it goes to the parent.

A file is gone through twice. The first time every question is noted; the parent draws what is new,
and the second time the outcomes are there. What is found does not depend on what is drawn, so the
findings of the first time, which hold no value, are given again and not looked for anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

from deid.errors import DeidError
from deid.text.scrubber import TextFinder
from deid.transforms import Outcome, Transform, TransformContext, transform
from deid.transforms.contract import CodeSource
from recognizers import Finding, KnownValues
from safe_harbor import Identifier, Residue

Key = tuple[Any, ...]
Found = list[tuple[bytes, list[tuple[Finding, ...]]]]
"""What a finder answered, call by call, each with a digest of the texts it was asked about."""


@dataclass(frozen=True, slots=True)
class AllocationRequest:
    """What a transform is to make of a value. The context has no desk in it."""

    transform: str
    value: str = field(repr=False)
    context: TransformContext = field(repr=False)

    @property
    def key(self) -> Key:
        """Two questions of the same key have the same outcome."""
        c = self.context
        where = (c.identifier, c.entity, c.where, c.birth, c.index, c.person)
        return (self.transform, self.value, *where, c.over_89, c.reference_date)


class UnresolvedAllocations(Exception):
    """The desk was asked what is not settled yet; what was made with its answers is nothing."""


class RemoteAllocator:
    """The desk as an executor has it: outcomes that were settled, and questions that were not."""

    def __init__(self, settled: Mapping[Key, Outcome | None]) -> None:
        self._settled = settled
        self.questions: dict[Key, AllocationRequest] = {}

    def __repr__(self) -> str:
        return f"AwayDesk({len(self._settled)} settled, {len(self.questions)} questions)"

    def outcome(self, transform: Transform, value: str, context: TransformContext) -> Outcome:
        """What was settled for a value; of one that was not, the question is noted."""
        bare = replace(context, allocate=None, numbering=None, key_number=None)
        question = AllocationRequest(transform.name, value, bare)
        key = question.key
        if key in self._settled:
            if (settled := self._settled[key]) is None:
                raise ValueError("the transform broke on it")
            return settled
        self.questions[key] = question
        return Outcome("", Residue.TAG)

    def __call__(self, identifier: Identifier, person: str | None, value: str) -> str:
        """Nobody asks an executor for a code."""
        raise RuntimeError("no crosswalk here")

    def keep(self, kind: str, person: str | None, key: str, draw: Callable[[], str]) -> str:
        """Nor for a surrogate."""
        raise RuntimeError("no crosswalk here")

    def single_write(self) -> AbstractContextManager[None]:
        """Nothing is drawn here."""
        return nullcontext()


def refuse_unresolved(desk: CodeSource | None) -> None:
    """Go no further with a file whose questions are to be settled first.

    Raises:
        Unsettled: there are any.
    """
    if isinstance(desk, RemoteAllocator) and desk.questions:
        raise UnresolvedAllocations


def resolve_allocations(
    questions: Sequence[AllocationRequest], desk: CodeSource
) -> dict[Key, Outcome | None]:
    """What the transforms make of the values, asked of the crosswalk itself, in one write. None
    where a transform broke on its value, which is withheld for it.

    Raises:
        DeidError, OSError: trouble with the crosswalk.
    """
    with desk.single_write():
        return {question.key: _outcome(question, desk) for question in questions}


def _outcome(question: AllocationRequest, desk: CodeSource) -> Outcome | None:
    try:
        context = replace(question.context, allocate=desk)
        return transform(question.transform).apply(question.value, context)
    except (DeidError, OSError, MemoryError):  # not the value's: the crosswalk, the machine
        raise
    except Exception:
        return None


@dataclass(slots=True)
class RecallingFinder:
    """A finder that gives again what it found the last time, as long as it is asked the same."""

    finder: TextFinder = field(repr=False)
    told: Found = field(default_factory=list, repr=False)
    _at: int = 0

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]:
        """As the finder's own."""
        asked = _digest(texts)
        if self._at < len(self.told) and self.told[self._at][0] == asked:
            self._at += 1
            return self.told[self._at - 1][1]
        found = list(self.finder.find_all(texts, knowns, groups))
        del self.told[self._at :]
        self.told.append((asked, found))
        self._at += 1
        return found

    def learn(self, texts: Sequence[str], founds: Sequence[tuple[Finding, ...]]) -> Any:
        """As the finder's own."""
        return self.finder.learn(texts, founds)

    def spread(self, text: str, found: tuple[Finding, ...], known: Any) -> tuple[Finding, ...]:
        """As the finder's own."""
        return self.finder.spread(text, found, known)


def _digest(texts: Sequence[str]) -> bytes:
    whole = blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.digest()
