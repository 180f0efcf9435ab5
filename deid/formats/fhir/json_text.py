"""JSON for FHIR: numbers keep their spelling, keys are unique, nesting is limited."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Any

from deid.formats.json.json_lines import (
    LONE_SURROGATE,
    refuse_deep_nesting,
    refuse_repeated_keys,
)

DEEPEST_RESOURCE = 64
_JSON_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


class Spelled(str):
    """A number with its spelling: in FHIR `1.0`, `1.00` and `1e0` differ."""

    __slots__ = ()


class JsonError(Exception):
    """A text that cannot be read as JSON. `code` is the reason; the error holds no value."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Style:
    """The separators of a file: after a value, after a key, and the indent per level if any."""

    comma: str = ","
    colon: str = ":"
    indent: str = ""


def read_json(raw: bytes) -> Any:
    """Parse one JSON text.

    Raises:
        JsonError: `undecodable-bytes`, `broken-json`, `lone-surrogate`, `control-character`.
    """
    try:
        refuse_deep_nesting(raw)
        value = json.loads(
            raw.decode("utf-8"),
            parse_float=Spelled,
            parse_int=Spelled,
            parse_constant=_refuse,
            object_pairs_hook=refuse_repeated_keys,
        )
    except UnicodeDecodeError:
        raise JsonError("undecodable-bytes") from None
    except (ValueError, RecursionError):
        raise JsonError("broken-json") from None
    if b"\\u" in raw or b"\\b" in raw or b"\\f" in raw:
        _check_characters(value)
    return value


def _refuse(word: str) -> Any:
    raise ValueError("not a JSON number")


def _check_characters(value: Any) -> None:
    if isinstance(value, dict):
        for key, below in value.items():
            _check_characters(key)
            _check_characters(below)
    elif isinstance(value, list):
        for below in value:
            _check_characters(below)
    elif isinstance(value, str):
        if LONE_SURROGATE.search(value):
            raise JsonError("lone-surrogate")
        if _JSON_CONTROL.search(value):
            raise JsonError("control-character")


def write_json(value: Any, style: Style, level: int = 0) -> str:
    """The JSON text of a value in that style; `Spelled` numbers keep their spelling."""
    if isinstance(value, Spelled):
        return str.__str__(value)
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, dict):
        parts = [
            f"{encode_basestring(key)}{style.colon}{write_json(below, style, level + 1)}"
            for key, below in value.items()
        ]
        return _bracketed("{", parts, "}", style, level)
    if isinstance(value, list):
        parts = [write_json(below, style, level + 1) for below in value]
        return _bracketed("[", parts, "]", style, level)
    return json.dumps(value)


def _bracketed(left: str, parts: list[str], right: str, style: Style, level: int) -> str:
    if not style.indent or not parts:
        return f"{left}{style.comma.join(parts)}{right}"
    inner = "\n" + style.indent * (level + 1)
    return f"{left}{inner}{f',{inner}'.join(parts)}\n{style.indent * level}{right}"


def style_of(head: str) -> Style:
    """The style of a JSON text, from its beginning."""
    if found := re.match(r"\ufeff?\s*\{[ \t]*\r?\n([ \t]+)\"", head):
        return Style(",", ": ", found[1])
    spaced = re.match(r"\ufeff?\s*\{\s*\"[^\"]*\"(\s*:\s*)\"[^\"]*\"(,\s*)", head)
    if spaced is None or "\n" in spaced[0]:
        return Style()
    return Style(", " if " " in spaced[2] else ",", ": " if " " in spaced[1] else ":")
