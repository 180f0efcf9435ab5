# ruff: noqa: E402
"""Transforms as Presidio Operators. The only module that imports presidio-anonymizer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from recognizers import ENTITIES, import_urllib3

import_urllib3()

from presidio_anonymizer import AnonymizerEngine, DeanonymizeEngine
from presidio_anonymizer.entities import (
    EngineResult,
    OperatorConfig,
    OperatorResult,
    RecognizerResult,
)
from presidio_anonymizer.operators import Operator, OperatorType

from deid.transforms import (
    TRANSFORMS,
    WITH_ARGUMENT,
    Transform,
    TransformContext,
    transform,
)
from safe_harbor import Identifier


def operator_of(of: Transform) -> type[Operator]:
    """A Presidio Operator class, named `deid_<transform>`, that does what the transform does.

    Its parameters are `reference_date` (a `datetime.date`, required), `census` and `numbering`.
    The attribute `residues` of the class declares what it may leave.
    """

    class TransformOperator(Operator):
        transform = of

        def operate(self, text: str, params: Mapping[str, Any] | None = None) -> str:
            return of.apply(text, _operator_context(params or {})).text

        def validate(self, params: Mapping[str, Any] | None = None) -> None:
            if not isinstance((params or {}).get("reference_date"), date):
                raise ValueError("a transform needs `reference_date`, a datetime.date")

        def operator_name(self) -> str:
            return f"deid_{of.name}"

        def operator_type(self) -> OperatorType:
            return OperatorType.Anonymize

    TransformOperator.__name__ = f"Deid{of.name.title().replace('_', '')}"
    return TransformOperator


def _operator_context(params: Mapping[str, Any]) -> TransformContext:
    entity = str(params.get("entity_type", ""))
    return TransformContext(
        identifier=ENTITIES.get(entity, Identifier.OTHERS),
        entity=entity,
        reference_date=params["reference_date"],
        census=params.get("census", "2020"),
        numbering=params.get("numbering"),
    )


def anonymizer() -> AnonymizerEngine:
    """Presidio's engine, with every transform that needs no crosswalk added."""
    engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
    for name, _ in TRANSFORMS:
        if name not in WITH_ARGUMENT and not transform(name).needs_crosswalk:
            engine.add_anonymizer(operator_of(transform(name)))
    return engine


# `surrogate_ahds` calls a network service, and `custom` runs code of the caller.
_REFUSED_OPERATORS = frozenset({"surrogate_ahds", "custom"})


_KEYED = frozenset({"encrypt", "decrypt"})
_AES_KEY_BYTES = frozenset({16, 24, 32})


def _is_aes_key(key: Any) -> bool:
    return isinstance(key, str) and len(key.encode("utf-8")) in _AES_KEY_BYTES


class OperatorRefused(Exception):
    """An operator or its parameters are refused; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class PresidioAnonymizer:
    """Presidio's anonymizer on plain values, as in its HTTP service."""

    def __init__(self, reference_date: date) -> None:
        self._engine = anonymizer()
        self._back = DeanonymizeEngine()  # type: ignore[no-untyped-call]
        self._day = reference_date

    def anonymizers(self) -> list[str]:
        """The operators by name."""
        return [name for name in self._engine.get_anonymizers() if name not in _REFUSED_OPERATORS]

    def deanonymizers(self) -> list[str]:
        """The operators that reverse an anonymization."""
        return [str(name) for name in self._back.get_deanonymizers()]

    def anonymize(
        self, text: str, found: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The text with each result replaced by the operator chosen for its type, or `DEFAULT`."""
        if not text and not found:
            return {"text": "", "items": []}
        results = [
            RecognizerResult(f["entity_type"], f["start"], f["end"], float(f.get("score", 1.0)))
            for f in found
        ]
        return self._run(lambda: self._engine.anonymize(text, results, self._operators(chosen)))

    def deanonymize(
        self, text: str, found: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The text with reversible replacements undone."""
        if not text and not found:
            return {"text": "", "items": []}
        results = [
            OperatorResult(
                f["start"], f["end"], f["entity_type"], operator=str(f.get("operator", ""))
            )
            for f in found
        ]
        return self._run(lambda: self._back.deanonymize(text, results, self._operators(chosen)))

    def _operators(self, chosen: Mapping[str, Any]) -> dict[str, OperatorConfig]:
        operators = {}
        for entity, config in chosen.items():
            name = config.get("type")
            if name == "custom":
                raise OperatorRefused("operator-custom")
            if name in _REFUSED_OPERATORS or not isinstance(name, str):
                raise OperatorRefused("operator-refused")
            if name in _KEYED and not _is_aes_key(config.get("key")):
                raise OperatorRefused("key-invalid")
            params = {key: value for key, value in config.items() if key != "type"}
            if name.startswith("deid_"):
                params = {"reference_date": self._day}
            operators[entity] = OperatorConfig(name, params)
        return operators

    @staticmethod
    def _run(call: Callable[[], EngineResult]) -> dict[str, Any]:
        try:
            done = call()
        except OperatorRefused:
            raise
        except Exception:  # Presidio's messages contain parameters and values
            raise OperatorRefused("operator-invalid") from None
        items = [
            {
                "start": item.start,
                "end": item.end,
                "entity_type": item.entity_type,
                "text": item.text,
                "operator": item.operator,
            }
            for item in done.items
        ]
        return {"text": done.text, "items": items}
