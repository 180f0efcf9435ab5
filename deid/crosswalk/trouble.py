"""The errors of a crosswalk and its keys. `errors.csv` has the sentence and the hint of each."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from deid.errors import KEY, DeidError
from safe_harbor import csv_rows


class CrosswalkError(DeidError):
    """A crosswalk is missing, locked, altered, rolled back, destroyed or of another format."""

    def __init__(self, code: str, place: str, message: str, hint: str) -> None:
        super().__init__(code, message, place=place, hint=hint, exit_code=KEY)


class KeyTrouble(DeidError):
    """A key is missing, unsafe or wrong. The message holds no key and no value."""

    def __init__(self, code: str, place: str, message: str, hint: str) -> None:
        super().__init__(code, message, place=place, hint=hint, exit_code=KEY)


def crosswalk_error(code: str, place: str, **words: object) -> CrosswalkError:
    """Return the error with this code; `words` fill the braces in the sentence of the code."""
    return CrosswalkError(code, place, *_sentences(code, words))


def key_trouble(code: str, place: str, **words: object) -> KeyTrouble:
    """Return the error about a key with this code; `words` fill the braces in its sentence."""
    return KeyTrouble(code, place, *_sentences(code, words))


def _sentences(code: str, words: dict[str, object]) -> tuple[str, str]:
    message, hint = _error_table()[code]
    return message.format(**words), hint.format(**words)


@cache
def _error_table() -> dict[str, tuple[str, str]]:
    rows = csv_rows(files("deid.crosswalk") / "errors.csv")
    return {row["code"]: (row["message"], row["hint"]) for row in rows}
