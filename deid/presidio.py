"""The one door to presidio-anonymizer: transforms as Operators, Operators as transforms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.operators import Operator, OperatorType

from deid.transforms import (
    TRANSFORMS,
    WITH_ARGUMENT,
    Context,
    Outcome,
    Transform,
    transform,
)
from recognizers import ENTITIES
from safe_harbor import Identifier, Residue


def operator_of(of: Transform) -> type[Operator]:
    """A Presidio Operator class, named `deid_<transform>`, that does what the transform does.

    Its parameters are `reference_date` (a `datetime.date`, required), `census` and `numbering`.
    `residues` on the class says what it may leave.
    """

    class TransformOperator(Operator):
        transform = of

        def operate(self, text: str, params: Mapping[str, Any] | None = None) -> str:
            return of.apply(text, _context(params or {})).text

        def validate(self, params: Mapping[str, Any] | None = None) -> None:
            if not isinstance((params or {}).get("reference_date"), date):
                raise ValueError("a transform needs `reference_date`, a datetime.date")

        def operator_name(self) -> str:
            return f"deid_{of.name}"

        def operator_type(self) -> OperatorType:
            return OperatorType.Anonymize

    TransformOperator.__name__ = f"Deid{of.name.title().replace('_', '')}"
    return TransformOperator


def _context(params: Mapping[str, Any]) -> Context:
    entity = str(params.get("entity_type", ""))
    return Context(
        identifier=ENTITIES.get(entity, Identifier.OTHERS),
        entity=entity,
        reference_date=params["reference_date"],
        census=params.get("census", "2020"),
        numbering=params.get("numbering"),
    )


def anonymizer() -> AnonymizerEngine:
    """Presidio's engine with every transform that needs no crosswalk added to its operators."""
    engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
    for name, _ in TRANSFORMS:
        if name not in WITH_ARGUMENT and not transform(name).needs_crosswalk:
            engine.add_anonymizer(operator_of(transform(name)))
    return engine


@dataclass(frozen=True, slots=True)
class Foreign:
    """A hospital's own Presidio Operator as a transform.

    What it leaves is for its owner to declare; undeclared, it counts as leaving the value, so that
    no policy with it supports Safe Harbor.
    """

    operator: Operator = field(repr=False)
    params: Mapping[str, Any] = field(default_factory=dict, repr=False)
    leaves: Residue = Residue.VALUE
    needs_crosswalk: bool = False

    @property
    def name(self) -> str:
        return str(self.operator.operator_name())

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({self.leaves})

    def apply(self, value: str, context: Context) -> Outcome:
        params = {"entity_type": context.entity, **self.params}
        return Outcome(str(self.operator.operate(value, params)), self.leaves)
