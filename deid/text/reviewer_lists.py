"""The lists that `deid review --learn` writes, applied to the next job.

`deny.csv` (identifier, value) holds values that were missed: every text is searched for all forms
of these values, as for known values. `allow.csv` holds values that should have stayed: a finding of
exactly that value and identifier is dropped, unless it matches a known value of the patient. Both
files hold values; the `repr` shows counts.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.text.scrubber import TextFinder
from recognizers import Finding, KnownValue, KnownValues
from safe_harbor import Identifier

DENY, ALLOW = "deny.csv", "allow.csv"
_LARGEST_CACHE = 4096


@dataclass(frozen=True, slots=True)
class ReviewerLists:
    """The deny list and the allow list in one folder."""

    deny: KnownValues
    allow: frozenset[tuple[Identifier, str]] = field(repr=False)

    @classmethod
    def read(cls, folder: Path) -> ReviewerLists:
        """Read both lists; a missing file is an empty list.

        Raises:
            DeidError: `lists-missing`, `lists-invalid` (with the line).
        """
        if not any((folder / name).is_file() for name in (DENY, ALLOW)):
            raise DeidError(
                "lists-missing",
                "the folder holds neither deny.csv nor allow.csv",
                hint="name the folder that `deid review --learn` wrote",
            )
        deny = [KnownValue(word, value, "other") for word, value in _list_rows(folder / DENY)]
        allow = {(word, _folded_words(value)) for word, value in _list_rows(folder / ALLOW)}
        return cls(KnownValues(tuple(deny)), frozenset(allow))


def _list_rows(path: Path) -> list[tuple[Identifier, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    found = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != 2 or row[0] not in set(Identifier) or not row[1].strip():
            raise DeidError(
                "lists-invalid",
                "a line of the list is not `identifier,value`",
                place=f"{path.name} line {number}",
                hint="write each line as `names,VALUE`",
            )
        found.append((Identifier(row[0]), row[1].strip()))
    return found


def _folded_words(value: str) -> str:
    return " ".join(value.casefold().split())


@dataclass(slots=True)
class ListAwareFinder:
    """A finder that applies the reviewers' lists."""

    finder: TextFinder = field(repr=False)
    lists: ReviewerLists
    _joined: dict[int, tuple[KnownValues, KnownValues]] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return ListAwareFinder, (
            self.finder,
            self.lists,
        )  # the cache is keyed by object identity, which does not survive pickling

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]:
        """Call `Finder.find_all` with denied values as known values; drop allowed findings."""
        wanted = [self._with_denied(known) for known in knowns or [None] * len(texts)]
        founds = self.finder.find_all(texts, wanted, groups)
        return [self._kept(text, found) for text, found in zip(texts, founds, strict=True)]

    def learn(self, texts: Sequence[str], founds: Sequence[tuple[Finding, ...]]) -> Any:
        """Like `Finder.learn`."""
        return self.finder.learn(texts, founds)

    def propagate(self, text: str, found: tuple[Finding, ...], known: Any) -> tuple[Finding, ...]:
        """Do the same as `Finder.propagate`, without allowed findings."""
        return self._kept(text, self.finder.propagate(text, found, known))

    def _with_denied(self, known: KnownValues | None) -> KnownValues | None:
        if not len(self.lists.deny):
            return known
        if known is None:
            return self.lists.deny
        if id(known) not in self._joined:
            if len(self._joined) >= _LARGEST_CACHE:
                self._joined.clear()
            self._joined[id(known)] = (known, known + self.lists.deny)
        return self._joined[id(known)][1]

    def _kept(self, text: str, found: tuple[Finding, ...]) -> tuple[Finding, ...]:
        if not self.lists.allow:
            return found
        return tuple(
            finding
            for finding in found
            if finding.source == "known_values"
            or (finding.identifier, _folded_words(text[finding.start : finding.end]))
            not in self.lists.allow
        )
