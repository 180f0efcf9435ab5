"""Finds the first rule of a column among many, by exact name or by the beginning of a pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deid.policy.table_rules import ColumnRule

_WILD = re.compile(r"[*?[]")


@dataclass(frozen=True, slots=True)
class ColumnIndex:
    """Positions of rules, by exact name and by the part of a pattern before its first wildcard."""

    rules: Sequence[ColumnRule]
    names: dict[str, list[int]]
    beginnings: dict[int, dict[str, list[int]]]
    """The positions of the pattern rules, by the length of that part and then by the part
    itself.
    """

    @classmethod
    def of(cls, rules: Sequence[ColumnRule]) -> ColumnIndex:
        """Index the rules of a policy."""
        names: dict[str, list[int]] = {}
        beginnings: dict[int, dict[str, list[int]]] = {}
        for position, rule in enumerate(rules):
            if rule.name is not None:
                names.setdefault(rule.name, []).append(position)
            else:
                begin = _WILD.split(str(rule.pattern).casefold(), maxsplit=1)[0]
                beginnings.setdefault(len(begin), {}).setdefault(begin, []).append(position)
        return cls(rules, names, beginnings)

    def first(self, table: str, column: str) -> ColumnRule | None:
        """The first rule that matches this column of this table."""
        found = sorted(self._candidates(column))
        return next((self.rules[p] for p in found if self.rules[p].matches(table, column)), None)

    def _candidates(self, column: str) -> Iterator[int]:
        yield from self.names.get(column, ())
        folded = column.casefold()
        for length, begun in self.beginnings.items():
            yield from begun.get(folded[:length], ())
