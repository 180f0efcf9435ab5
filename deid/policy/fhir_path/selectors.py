"""The FHIRPath expressions of `fhirPathRules` that select by element and not by value.

These parts of an expression are read: element names, `nodesByType('T')`, `nodesByName('n')`,
`as T`, `ofType(T)`, and at the beginning a resource type, `Resource` or `DomainResource`.
Expressions that depend on a value (`where`, comparisons) are not read. Source:
docs/FHIR-anonymization.md of the tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from deid.formats.fhir.definitions.element_types import Element

StepKind = Literal["name", "type", "any_name", "of"]
_ANY_RESOURCE = ("Resource", "DomainResource")
_AS = re.compile(r"\s+as\s+([A-Za-z]\w*)$")
_STEP = re.compile(
    r"(?:(?P<call>nodesByType|nodesByName|ofType)\(\s*'?(?P<of>[A-Za-z]\w*)'?\s*\)|(?P<name>[A-Za-z]\w*))"
)


@dataclass(frozen=True, slots=True)
class SelectorStep:
    """One step selects a child (`name`) or descendants (`type`, `any_name`), or checks a type
    (`of`).
    """

    kind: StepKind
    word: str

    def fits(self, element: Element) -> bool:
        """Whether the step selects the element."""
        if self.kind in ("name", "any_name"):
            return self.word in (element.choice, element.name)
        return element.kind in (self.word, self.word[:1].lower() + self.word[1:])


@dataclass(frozen=True, slots=True)
class Selector:
    """An expression: the resource type it begins at, or "" for any, and its steps."""

    resource: str
    steps: tuple[SelectorStep, ...]

    def after(self, positions: Iterable[int], element: Element) -> frozenset[int]:
        """Return the step positions after going down to an element; the end position selects it."""
        found: set[int] = set()
        for position in positions:
            if position == len(self.steps):
                continue
            step = self.steps[position]
            if step.kind in ("type", "any_name"):
                found.add(position)
            if step.kind != "of" and step.fits(element):
                found |= self._narrowed(position + 1, element)
        return frozenset(found)

    def _narrowed(self, position: int, element: Element) -> set[int]:
        """The position after any `as T` and `ofType(T)` steps; none if the type does not match."""
        while position < len(self.steps) and self.steps[position].kind == "of":
            if not self.steps[position].fits(element):
                return set()
            position += 1
        return {position}


def parse_selector(path: str, resources: frozenset[str]) -> Selector | None:
    """The selector of an expression; None if the element alone cannot decide it.

    >>> parse_selector("Condition.onset as Age", frozenset(["Condition"])).steps[1].word
    'Age'
    >>> parse_selector("Patient.name.where(use = 'old')", frozenset(["Patient"])) is None
    True
    """
    text = path.strip()
    text = text[1:-1].strip() if text.startswith("(") and text.endswith(")") else text
    suffix = _AS.search(text)
    steps = _parsed_steps(text[: suffix.start()] if suffix else text)
    if steps is None:
        return None
    if suffix:
        steps.append(SelectorStep("of", suffix[1]))
    first = steps[0]
    if first.kind == "name" and (first.word in resources or first.word in _ANY_RESOURCE):
        return Selector("" if first.word in _ANY_RESOURCE else first.word, tuple(steps[1:]))
    return Selector("", tuple(steps)) if first.kind in ("type", "any_name") else None


def _parsed_steps(text: str) -> list[SelectorStep] | None:
    kinds: dict[str, StepKind] = {"nodesByType": "type", "nodesByName": "any_name", "ofType": "of"}
    steps, at = [], 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            return None
        word = found["name"] or found["of"]
        steps.append(SelectorStep(kinds[found["call"]] if found["call"] else "name", word))
        at = found.end()
        if at < len(text):
            if text[at] != "." or at + 1 == len(text):
                return None
            at += 1
    return steps or None
