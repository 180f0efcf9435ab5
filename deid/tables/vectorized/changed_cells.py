"""The output cells of a column: each distinct cell is transformed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.decision import Decision
from deid.people.key_numbers import ACTION as NUMBERED
from deid.tables.row_flow import RowFlow, apply_to_cell
from deid.tables.vectorized.coded_batch import CodedBatch
from deid.text.change import Change, ChangeFacts
from deid.transforms import Outcome, TransformContext
from safe_harbor import Identifier, Residue

# The most outcomes kept per column.
MAX_OUTCOMES = 1 << 18
Kind = tuple[int, *ChangeFacts]
"""Column, identifier, entity, transform, residue, source, score, round of whole-cell changes."""


@dataclass(slots=True)
class ChangedCells:
    """The output cells of one table, and the changes to them."""

    flow: RowFlow = field(repr=False)
    _outcomes: dict[int, dict[str, Outcome]] = field(default_factory=dict, repr=False)

    def column(self, decision: Decision, batch: CodedBatch, changed: Counter[Kind]) -> pa.Array:
        """The output column; its changes are counted in `changed`."""
        column = batch.column(decision.index)
        if decision.action == "keep" and decision.identifier is None:
            return column
        if decision.action in ("tag", "remove"):
            outcome = self._outcome(decision, "")
            empty = batch.nulls(decision.index)
            count = int((~empty).sum())
            if count and decision.identifier is not None:
                changed[kind_of(decision, outcome)] += count
            texts = pc.if_else(pa.array(empty), pa.scalar(""), pa.scalar(outcome.text))
            return pc.if_else(column.is_null(), pa.scalar(None, pa.string()), texts)
        if decision.action == NUMBERED:
            return self._numbered(decision, batch, changed)
        return self._by_word(decision, batch, changed)

    def _numbered(self, decision: Decision, batch: CodedBatch, changed: Counter[Kind]) -> pa.Array:
        column, empty = batch.column(decision.index), batch.nulls(decision.index)
        if count := int((~empty).sum()):
            changed[kind_of(decision, Outcome("", Residue.TAG))] += count
        tags = pc.if_else(pa.array(empty), pa.scalar(""), self.flow.people.keys.tags(column))
        return pc.if_else(column.is_null(), pa.scalar(None, pa.string()), tags)

    def _by_word(self, decision: Decision, batch: CodedBatch, changed: Counter[Kind]) -> pa.Array:
        words, places = batch.words(decision.index)
        empty = {words[number] for number in set(places[batch.nulls(decision.index)].tolist())}
        memo = self._outcomes.setdefault(decision.index, {})
        if len(memo) > MAX_OUTCOMES:
            memo.clear()
        texts: list[str | None] = []
        kinds: dict[Kind, list[int]] = {}
        for number, word in enumerate(words):
            outcome = memo.get(word or "")
            if outcome is None:
                if word is None or word in empty:
                    texts.append(None if word is None else "")
                    continue
                outcome = memo[word] = self._outcome(decision, word)
            texts.append(outcome.text)
            if decision.identifier is not None:
                kinds.setdefault(kind_of(decision, outcome), []).append(number)
        counts = np.bincount(places, minlength=len(words))
        for kind, numbers in kinds.items():
            changed[kind] += int(counts[numbers].sum())
        return pa.array(texts, pa.string()).take(pa.array(places))

    def _outcome(self, decision: Decision, value: str) -> Outcome:
        scrubber = self.flow.scrubber
        context = TransformContext(
            identifier=decision.identifier or Identifier.OTHERS,
            entity=decision.entity,
            reference_date=scrubber.reference_date,
            census=scrubber.policy.zip3_census,
            where="column",
            birth=decision.birth,
            key_number=self.flow.people.keys.number,
        )
        return apply_to_cell(decision, value, context)

    def recount(
        self,
        decision: Decision,
        value: str | None,
        changes: Mapping[int, tuple[Change, ...]],
        changed: Counter[Kind],
    ) -> None:
        """Replace the count of a cell by column with what happened to it in the row flow."""
        if value is None or decision.index not in changes or decision.identifier is None:
            return
        before = self._outcomes[decision.index].get(value) or self._outcome(decision, value)
        kind = kind_of(decision, before)
        changed[kind] -= 1
        if not changed[kind]:
            del changed[kind]
        (change,) = changes[decision.index]
        changed[kind_of(decision, Outcome("", change.residue))] += 1


def kind_of(decision: Decision, outcome: Outcome) -> Kind:
    """The key under which a changed cell is counted."""
    return (decision.index, *decision.change_facts(outcome.residue))
