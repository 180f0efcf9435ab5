"""Requests from executors to the crosswalk. Only the parent has the crosswalk and can answer.

A file is processed twice. The first pass records every request, and the parent allocates the new
codes; the second pass uses the outcomes. Findings do not depend on the codes, so the findings of
the first pass, which hold no values, are used again.
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

AllocationKey = tuple[Any, ...]
RecordedFindings = list[tuple[bytes, list[tuple[Finding, ...]]]]
"""The findings of each call of a finder, with a digest of the texts in that call."""


@dataclass(frozen=True, slots=True)
class AllocationRequest:
    """A value, and the transform to be applied to it. The context has no allocator."""

    transform: str
    value: str = field(repr=False)
    context: TransformContext = field(repr=False)

    @property
    def key(self) -> AllocationKey:
        """The key of the request. Requests with the same key have the same outcome."""
        c = self.context
        where = (c.identifier, c.entity, c.where, c.birth, c.beside, c.person)
        return (self.transform, self.value, *where, c.over_89, c.reference_date)


class UnresolvedAllocations(Exception):
    """Raised when a request has no outcome yet, so that the output made so far is invalid."""


class RemoteAllocator:
    """The allocator of an executor: the resolved outcomes, and the requests still open."""

    def __init__(self, settled: Mapping[AllocationKey, Outcome | None]) -> None:
        self._settled = settled
        self.questions: dict[AllocationKey, AllocationRequest] = {}

    def __repr__(self) -> str:
        return f"RemoteAllocator({len(self._settled)} resolved, {len(self.questions)} requests)"

    def outcome(self, transform: Transform, value: str, context: TransformContext) -> Outcome:
        """The outcome for a value; record a request if there is no outcome yet."""
        bare = replace(context, allocate=None, numbering=None, key_number=None)
        question = AllocationRequest(transform.name, value, bare)
        key = question.key
        if key in self._settled:
            if (settled := self._settled[key]) is None:
                raise ValueError("the transform failed on the value")
            return settled
        self.questions[key] = question
        return Outcome("", Residue.TAG)

    def __call__(self, identifier: Identifier, person: str | None, value: str) -> str:
        """Always an error: executors cannot draw codes."""
        raise RuntimeError("no crosswalk here")

    def keep(self, kind: str, person: str | None, key: str, draw: Callable[[], str]) -> str:
        """Always an error: executors cannot draw surrogates."""
        raise RuntimeError("no crosswalk here")

    def single_write(self) -> AbstractContextManager[None]:
        """Do nothing: executors draw no codes."""
        return nullcontext()


def refuse_unresolved(allocator: CodeSource | None) -> None:
    """Stop work on a file that has requests, which must be resolved first.

    Raises:
        UnresolvedAllocations: there are unresolved requests.
    """
    if isinstance(allocator, RemoteAllocator) and allocator.questions:
        raise UnresolvedAllocations


def resolve_allocations(
    questions: Sequence[AllocationRequest], allocator: CodeSource
) -> dict[AllocationKey, Outcome | None]:
    """Resolve the requests with the crosswalk itself, in one write.

    The outcome is None where a transform failed on its value; that value is withheld.

    Raises:
        DeidError, OSError: the crosswalk fails.
    """
    with allocator.single_write():
        return {question.key: _outcome(question, allocator) for question in questions}


def _outcome(question: AllocationRequest, allocator: CodeSource) -> Outcome | None:
    try:
        context = replace(question.context, allocate=allocator)
        return transform(question.transform).apply(question.value, context)
    except (DeidError, OSError, MemoryError):  # a fault in the crosswalk or the machine
        raise
    except Exception:
        return None


@dataclass(slots=True)
class RecallingFinder:
    """A finder that repeats its recorded findings as long as its calls have the same texts."""

    finder: TextFinder = field(repr=False)
    recorded: RecordedFindings = field(default_factory=list, repr=False)
    _at: int = 0

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]:
        """As `Finder.find_all`."""
        asked = _texts_digest(texts)
        if self._at < len(self.recorded) and self.recorded[self._at][0] == asked:
            self._at += 1
            return self.recorded[self._at - 1][1]
        found = list(self.finder.find_all(texts, knowns, groups))
        del self.recorded[self._at :]
        self.recorded.append((asked, found))
        self._at += 1
        return found

    def learn(self, texts: Sequence[str], founds: Sequence[tuple[Finding, ...]]) -> Any:
        """As `Finder.learn`."""
        return self.finder.learn(texts, founds)

    def propagate(self, text: str, found: tuple[Finding, ...], known: Any) -> tuple[Finding, ...]:
        """As `Finder.propagate`."""
        return self.finder.propagate(text, found, known)


def _texts_digest(texts: Sequence[str]) -> bytes:
    whole = blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.digest()
