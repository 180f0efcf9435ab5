"""Converts typed values to cells, and released cells back to typed values."""

from __future__ import annotations

import base64
import json
import re
from datetime import date, datetime, time
from typing import Any

# Added to the number of a key tag in a numeric column: `[ID-17]` is 2,000,000,017. The sum is above
# any key that people number by hand, and fits into 32 bits.
KEY_BASE = 2_000_000_000
_NUMBERED_TAG = re.compile(r"\[ID(?:-(\d{1,9}))?\]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_YEAR_CELL = re.compile(r"[1-9]\d{0,3}")


def spell_value(value: Any, keys: int = 0) -> str | None:
    """A value as the cell that is searched and transformed; None is null.

    Whole floats lose their `.0`, and a time of midnight is left out, so that a number or a date
    reads the same in columns of any type. Bytes in valid UTF-8 become text. In a release in which
    `keys` keys were numbered, the number of a key becomes its tag.
    """
    if keys and isinstance(value, int | float) and KEY_BASE < value <= KEY_BASE + keys:
        return f"[ID-{int(value) - KEY_BASE}]"
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, datetime):
        bare = value.time() == time() and value.tzinfo is None
        return value.date().isoformat() if bare else value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return _spell_bytes(bytes(value))
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, default=spell_value, ensure_ascii=False)
    return str(value)


def _spell_bytes(value: bytes) -> str:
    """Bytes in UTF-8 as text, so that they are searched; other bytes as a data URL."""
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if not _CONTROLS.search(text):
        return text
    return "data:application/octet-stream;base64," + base64.b64encode(value).decode("ascii")


def restore_value(cell: str | None, original: Any) -> Any:
    """Return the value to write for a cell: the original if unchanged, else one of a close type."""
    if isinstance(original, str | bytes):
        return cell
    if cell is None or cell == "":
        return None
    if original is not None and spell_value(original) == cell:
        return original
    key = _NUMBERED_TAG.fullmatch(cell)
    if key and isinstance(original, int | float):
        return None if key[1] is None else KEY_BASE + int(key[1])
    return int(cell) if original is not None and _YEAR_CELL.fullmatch(cell) else cell


def restore_number(cell: str | None) -> str | None:
    """Return the cell of a column of numbers, with a key tag as a number and `[ID]` as null."""
    key = None if cell is None else _NUMBERED_TAG.fullmatch(cell)
    if key is None:
        return cell
    return None if key[1] is None else str(KEY_BASE + int(key[1]))
