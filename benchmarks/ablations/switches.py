"""What can be switched off: rows and files of rules, guards, edge steps, mechanisms.

A switch substitutes functions of the product while it is off; the product has no switches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest.mock import patch

from benchmarks.ablations.texts import Text
from recognizers import Finding, search
from recognizers.decide import edges, guards, merging, overlaps, protection
from recognizers.decide import heads as edges_heads
from recognizers.decide.guards import GUARDS, NEVER

Substitute = tuple[Any, str, Any]


@dataclass(frozen=True)
class Switch:
    """Something off. `rows` and `files` do not fire, `guards` do not stand, `steps` do nothing."""

    name: str
    files: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    guards: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()
    substitutes: tuple[Substitute, ...] = field(default=(), repr=False)
    zeros: bool = True
    model: bool = True
    spreading: bool = True

    def __or__(self, other: Switch) -> Switch:
        """Both off."""
        return Switch(
            f"{self.name} + {other.name}" if self.name else other.name,
            self.files | other.files,
            self.rows | other.rows,
            self.guards | other.guards,
            self.steps | other.steps,
            self.substitutes + other.substitutes,
            self.zeros and other.zeros,
            self.model and other.model,
            self.spreading and other.spreading,
        )

    def fires(self, row: str, finding: Finding) -> bool:
        """Is a ruled finding left?"""
        if row in self.rows or finding.source in self.files:
            return False
        return self.zeros or finding.score > 0


NOTHING = Switch("")


@contextmanager
def off(switch: Switch) -> Iterator[None]:
    """The product without what the switch names."""
    with ExitStack() as stack:
        for owner, name, value in switch.substitutes:
            stack.enter_context(patch.object(owner, name, value))
        if switch.guards:
            left = partial(applying, guards.applying, switch.guards)
            stack.enter_context(patch.object(guards, "applying", left))
            stack.enter_context(patch.object(protection, "applying", left))
        if switch.steps:
            steps = {
                entity: [step for step in steps if step.__name__ not in switch.steps]
                for entity, steps in edges.STEPS.items()
            }
            stack.enter_context(patch.object(edges, "STEPS", steps))
        yield


def applying(
    original: Callable[..., Iterable[guards.Guard]], names: frozenset[str], *place: str
) -> Iterator[guards.Guard]:
    """The guards that stand before a value, without those that are off."""
    return (guard for guard in original(*place) if guard.name not in names)


def found(text: Text, switch: Switch) -> tuple[Finding, ...]:
    """The findings of one text as `Finder.find` gives them; to be called within `off`."""
    pairs = zip(text.ruled, text.rows, strict=True)
    ruled = [finding for finding, row in pairs if switch.fires(row, finding)]
    reading = text.reading if switch.model else None
    held = merging.merge(text.page, text.text, ruled, reading)
    draft = overlaps.resolve_overlaps(held, text.text)
    if not switch.spreading:
        return draft
    known = search.learn([(text.text, draft)])
    return search.enriched(0, text.text, draft, known)


# -- the switches --------------------------------------------------------------------------------


def same(finding: Finding, *_: Any, **__: Any) -> Finding:
    return finding


def last(*values: Any) -> Any:
    return values[-1]


def no_change(_: str, finding: Finding, *__: Any) -> Finding:
    return finding


def never(*_: Any) -> bool:
    return False


def end_only(_: str, __: int, end: int) -> int:
    return end


def start_only(_: str, start: int, __: int) -> int:
    return start


def both(_: str, start: int, end: int) -> tuple[int, int]:
    return start, end


def flat(limit: float, value: str, entity: str, left: str, right: str) -> float:
    """One score for every value, and the guards."""
    return max([limit, *(g.needed for g in guards.applying(value, entity, left, right))])


def threshold(limit: float) -> Switch:
    """One threshold for `protection`; the guards stay."""
    return Switch(
        f"one threshold {limit:g} for `protection`",
        substitutes=((merging, "needed", partial(flat, limit)),),
    )


def swap(name: str, owner: Any, attribute: str, value: Any) -> Switch:
    return Switch(name, substitutes=((owner, attribute, value),))


def mechanisms(files: Sequence[str]) -> list[Switch]:
    """Each mechanism of the decision, off."""
    return [
        Switch("rules (all files)", files=frozenset(files)),
        Switch("model", model=False),
        Switch("spreading within a note", spreading=False),
        Switch("all guards", guards=frozenset(guard.name for guard in GUARDS)),
        Switch("edge steps (`completed`)", steps=frozenset(step_names())),
        Switch("zero-score vetoes", zeros=False),
        *(threshold(limit) for limit in (0.25, 0.35, 0.5)),
        swap("`protection`: short forms are nobody", protection, "unnamed", never),
        swap("`protection`: dotted short forms", protection, "dotted_form", never),
        swap("`protection`: eponyms", protection, "eponymous", never),
        swap("`protection`: eased for names", protection, "eased", lambda v, least, *_: least),
        swap("a sure rule asks nobody (`SURE`)", merging, "SURE", NEVER),
        swap("an agreeing rule helps the model (`AGREED`)", merging, "AGREED", 0.0),
        swap("the model helps a rule (`SWAY`)", merging, "SWAY", 0.0),
        swap("`barred`", merging, "barred", never),
        swap("`narrowed`", merging, "narrowed", same),
        swap("`without_units`", merging, "without_units", no_change),
        swap("`retyped`", merging, "retyped", same),
        swap("`bare` (credentials)", merging, "bare", same),
        swap("`stripped`", merging, "stripped", no_change),
        swap("`stripped`: `likened`", edges_heads, "likened", start_only),
        swap("`stripped`: `shortened`", edges_heads, "shortened", end_only),
        swap("`stripped`: `unhemmed`", edges_heads, "unhemmed", both),
        swap("`stripped`: `unsaid`", edges_heads, "unsaid", end_only),
        swap("`stripped`: `dangling`", edges_heads, "dangling", end_only),
        swap("`distinct`", merging, "distinct", list),
        swap("`bridged` before the decision", merging, "bridged", last),
        swap("`joined`", overlaps, "joined", lambda ordered, _: ordered),
        swap("`uncut`", overlaps, "uncut", lambda ordered, _: ordered),
        swap("`spent`", overlaps, "spent", never),
        swap("`partial`", overlaps, "partial", never),
        swap("`as_called`", overlaps, "as_called", same),
    ]


def step_names() -> list[str]:
    """The steps that lengthen a finding, in the order of the tables."""
    return list(dict.fromkeys(step.__name__ for steps in edges.STEPS.values() for step in steps))


# -- what fired ----------------------------------------------------------------------------------


@contextmanager
def watched(seen: set[str]) -> Iterator[None]:
    """Adds the name of each guard that stands and of each step that changes a finding."""

    def told(*place: str) -> Iterator[guards.Guard]:
        for guard in original(*place):
            seen.add(guard.name)
            yield guard

    def stepping(step: edges.Step) -> edges.Step:
        def stepped(text: str, finding: Finding) -> Finding:
            after = step(text, finding)
            if after != finding:
                seen.add(step.__name__)
            return after

        return stepped

    original = guards.applying
    steps = {entity: [stepping(step) for step in own] for entity, own in edges.STEPS.items()}
    with ExitStack() as stack:
        stack.enter_context(patch.object(guards, "applying", told))
        stack.enter_context(patch.object(protection, "applying", told))
        stack.enter_context(patch.object(edges, "STEPS", steps))
        yield
