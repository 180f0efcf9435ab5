"""What reviewers taught: the lists that `deid review --learn` writes, taken into the next job.

`deny.csv` (word, value) was missed: it is looked for in every text as what is known of a patient
is, in all its forms. `allow.csv` should have stayed: a finding of just that value and word is
dropped, unless the patient's own values made it. Both hold values; the `repr` shows counts.
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
    """The two lists of a folder."""

    deny: KnownValues
    allow: frozenset[tuple[Identifier, str]] = field(repr=False)

    @classmethod
    def read(cls, folder: Path) -> ReviewerLists:
        """Read the lists; one that is not there is empty.

        Raises:
            DeidError: `lists-missing`, `lists-invalid` by line.
        """
        if not any((folder / name).is_file() for name in (DENY, ALLOW)):
            raise DeidError(
                "lists-missing",
                "the folder holds neither deny.csv nor allow.csv",
                hint="name the one that `deid review --learn` wrote",
            )
        deny = [KnownValue(word, value, "other") for word, value in _rows(folder / DENY)]
        allow = {(word, _plain(value)) for word, value in _rows(folder / ALLOW)}
        return cls(KnownValues(tuple(deny)), frozenset(allow))


def _rows(path: Path) -> list[tuple[Identifier, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    found = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != 2 or row[0] not in set(Identifier) or not row[1].strip():
            raise DeidError(
                "lists-invalid",
                "a line of a list is not word,value",
                place=f"{path.name} line {number}",
                hint="a line is `names,VALUE`",
            )
        found.append((Identifier(row[0]), row[1].strip()))
    return found


def _plain(value: str) -> str:
    return " ".join(value.casefold().split())


@dataclass(slots=True)
class ListAwareFinder:
    """A finder with the lists of reviewers."""

    finder: TextFinder = field(repr=False)
    lists: ReviewerLists
    _joined: dict[int, tuple[KnownValues, KnownValues]] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return ListAwareFinder, (
            self.finder,
            self.lists,
        )  # what is remembered goes by places in memory

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]:
        """As the finder's own, with what is denied and without what is allowed."""
        wanted = [self._with_denied(known) for known in knowns or [None] * len(texts)]
        founds = self.finder.find_all(texts, wanted, groups)
        return [self._kept(text, found) for text, found in zip(texts, founds, strict=True)]

    def learn(self, texts: Sequence[str], founds: Sequence[tuple[Finding, ...]]) -> Any:
        """As the finder's own."""
        return self.finder.learn(texts, founds)

    def spread(self, text: str, found: tuple[Finding, ...], known: Any) -> tuple[Finding, ...]:
        """As the finder's own, without what is allowed."""
        return self._kept(text, self.finder.spread(text, found, known))

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
            f
            for f in found
            if f.source == "known_values"
            or (f.identifier, _plain(text[f.start : f.end])) not in self.lists.allow
        )
