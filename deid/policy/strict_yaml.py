"""The only importer of pydantic: strict files that people write, in YAML.

Every fault is reported at once, without any value from the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from deid.errors import DeidError
from deid.formats.text.yaml_text import YamlFault, read_yaml

__all__ = [
    "Field",
    "StrictModel",
    "field_validator",
    "model_validator",
    "parse_strict",
    "read_mapping",
    "validated",
]


class StrictModel(BaseModel):
    """A frozen model that refuses unknown keys and shows no input in its errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy without cached properties, so that they are computed again."""
        copied = super().model_copy(update=update, deep=deep)
        for held in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[held]
        return copied


_Model = TypeVar("_Model", bound=StrictModel)


def parse_strict(
    model: type[_Model], text: str, *, code: str, what: str, hint: str, hidden: str = ""
) -> _Model:
    """Parse YAML into the model; `what` names the file in messages.

    Keys below `hidden` are the user's own words and may hold values, so messages omit them.

    Raises:
        DeidError: `code`, with the place of every fault.
    """
    content = read_mapping(text, code=code, what=what, hint=hint)
    return validated(model, content, code=code, what=what, hint=hint, hidden=hidden)


def read_mapping(text: str, *, code: str, what: str, hint: str) -> dict[str, Any]:
    """Read YAML that holds a mapping.

    Raises:
        DeidError: `code`, with the line where the text is not YAML.
    """
    try:
        content: Any = read_yaml(text)
    except YamlFault as fault:
        place = f"line {fault.line}" if fault.line else ""
        raise DeidError(code, f"{what} is not YAML", place=place, hint=hint) from None
    if not isinstance(content, dict):
        raise DeidError(code, f"{what} is not a mapping", hint=hint)
    return content


def validated(
    model: type[_Model],
    content: Mapping[str, Any],
    *,
    code: str,
    what: str,
    hint: str,
    hidden: str = "",
) -> _Model:
    """Make the model of a mapping; see `parse_strict`."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise DeidError(code, _validation_sentence(error, what, hidden), hint=hint) from None


def _validation_sentence(error: ValidationError, what: str, hidden: str) -> str:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(
        f"{_yaml_place(fault['loc'], hidden) or what}: {fault['msg']}" for fault in found
    )


def _yaml_place(loc: tuple[int | str, ...], hidden: str) -> str:
    parts = [str(part) for part in loc]
    if hidden in parts:
        at = parts.index(hidden) + 1
        parts[at : at + 1] = ["*"] * (at < len(parts))
    return ".".join(parts)
