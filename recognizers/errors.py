"""Errors in the search. A message names the part that failed and never contains a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
Answer = TypeVar("Answer")
Input = TypeVar("Input")


class FindingError(Exception):
    """Base class of this package's errors: a code, the place, and a hint on what to do."""

    code = "finding-failed"
    exit_code = 4

    def __init__(self, place: str, hint: str) -> None:
        super().__init__(f"{self.code} at {place}: {hint}")
        self.place = place
        self.hint = hint


class RecognizerError(FindingError):
    """A recognizer failed on a document, so the document was not searched in full."""

    code = "recognizer-failed"

    def __init__(self, recognizer: str, document: int = 0) -> None:
        super().__init__(
            f"recognizer {recognizer}, document {document}",
            "withhold the document and report the recognizer",
        )
        self.recognizer = recognizer
        self.document = document

    @classmethod
    def of(cls, error: Exception, recognizer: str) -> RecognizerError:
        """An error without the original message, which may hold text.

        It names the recognizer that failed first.
        """
        return cls(error.recognizer if isinstance(error, cls) else recognizer)


class RowError(FindingError):
    """A table of recognizers cannot be used: `code` is the reason, `place` names the row."""

    exit_code = 2

    def __init__(self, code: str, place: str, hint: str) -> None:
        Exception.__init__(self, "a table of recognizers cannot be used")
        self.code, self.place, self.hint = code, place, hint


def guarded(name: str, call: Callable[P, Answer], *args: P.args, **more: P.kwargs) -> Answer:
    """The call's result; any failure becomes an error that names the recognizer and no text."""
    try:
        return call(*args, **more)
    except Exception as error:
        raise RecognizerError.of(error, name) from None


def attempted(
    name: str, call: Callable[[Sequence[Input]], Iterable[Answer]], items: Sequence[Input]
) -> list[Answer | RecognizerError]:
    """A result for each item, or an error as of `guarded`; a failing item fails alone."""
    try:
        return [*call(items)]
    except Exception as error:
        if len(items) == 1:
            return [RecognizerError.of(error, name)]
        return [found for item in items for found in attempted(name, call, [item])]


FaultHandler = Callable[[int, RecognizerError], None]
