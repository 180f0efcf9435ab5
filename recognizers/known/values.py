"""The known values of one patient and of the people around them, in every form that notes use.

A compiled set reads a text once and looks its words up in tables of forms, so the cost does not
grow with the number of values. No `repr` shows a value.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from recognizers.decide.overlaps import outside
from recognizers.finding import Finding
from recognizers.known.forms import Forms, KnownValueError
from recognizers.known.text import Text
from safe_harbor import Identifier

KNOWN_ROLES = frozenset(
    [
        "patient",
        "relative",
        "employer",
        "emergency_contact",
        "guarantor",
        "provider",
        "facility",
        "other",
    ]
)
VALUE_PARTS = frozenset(
    [
        "full",
        "first",
        "middle",
        "last",
        "preferred",
        "maiden",
        "suffix",
        "initials",
        "organization",
        "street",
        "unit",
        "city",
        "county",
        "state",
        "zip",
        "facility",
        "birth",
        "death",
        "event",
        "age",
        "comment",
    ]
)


@dataclass(frozen=True, slots=True)
class KnownValue:
    """One known value of a patient.

    `role` is the role of the person who has the value (KNOWN_ROLES). `part` is the part of the
    identifier (VALUE_PARTS); if empty, the shape of the value decides. Raises `KnownValueError` for
    other roles or parts.
    """

    identifier: Identifier
    value: str = field(repr=False)
    role: str = "patient"
    part: str = ""

    def __post_init__(self) -> None:
        if self.role not in KNOWN_ROLES:
            raise KnownValueError(
                "unknown-role", "role", f"one of: {', '.join(sorted(KNOWN_ROLES))}"
            )
        if self.part and self.part not in VALUE_PARTS:
            raise KnownValueError(
                "unknown-part", "part", f"one of: {', '.join(sorted(VALUE_PARTS))}"
            )


@dataclass(frozen=True)
class KnownValues:
    """All known values of one patient; immutable, and compiled on first use."""

    values: tuple[KnownValue, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, known: Mapping[str, Sequence[str]]) -> KnownValues:
        """The known values in `{identifier: [values]}`, the `known` of a JSONL document.

        Raises `KnownValueError` for an unknown identifier or a value that is not a text.
        """
        values = []
        for word, items in known.items():
            if word not in {identifier.value for identifier in Identifier}:
                raise KnownValueError("unknown-word", "known", "one of the eighteen words")
            for item in [items] if isinstance(items, str) else items:
                if not isinstance(item, str):
                    raise KnownValueError("not-a-text", f"known.{word}", "values must be texts")
                values.append(KnownValue(Identifier(word), item))
        return cls(tuple(values))

    def __add__(self, other: KnownValues) -> KnownValues:
        return KnownValues(tuple(dict.fromkeys((*self.values, *other.values))))

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[KnownValue]:
        return iter(self.values)

    def __repr__(self) -> str:
        return f"KnownValues({len(self.values)} values)"

    @cached_property
    def dates(self) -> KnownValues:
        """The known values that are dates or ages."""
        return KnownValues(tuple(v for v in self.values if v.identifier is Identifier.DATES))

    @cached_property
    def _forms(self) -> Forms:
        return Forms(
            (value.identifier, value.value, value.role, value.part) for value in self.values
        )

    def find(self, text: str) -> tuple[Finding, ...]:
        """Findings of every form of every value: ordered, disjoint, offsets in code points."""
        if not self.values or not text:
            return ()
        return _settle(text, self._forms.find(Text.of(text)))


def _settle(text: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Resolve overlaps: the longer finding stays whole, the shorter one is cut."""
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda f: (f.start - f.end, -f.score, f.start)):
        for piece in outside(finding, kept):
            if any(c.isalnum() for c in text[piece.start : piece.end]):
                insort(kept, piece)
    return tuple(kept)
