"""Errors for the user: a code, one sentence, the place and the remedy. Never a value."""

from __future__ import annotations

USAGE = 2
HELD = 3
QUARANTINED = 4
KEY = 5
UNREADABLE = 6
INTERRUPTED = 130


def raised_at(error: BaseException) -> str:
    """The module and line that raised the error: all that may be shown of an unforeseen fault."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}"


class DeidError(Exception):
    """A refusal for the user. `message` and `place` must not hold anything read from the data."""

    def __init__(
        self, code: str, message: str, *, place: str = "", hint: str = "", exit_code: int = USAGE
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.hint = hint
        self.exit_code = exit_code


def unreadable(code: str, message: str, hint: str = "", place: str = "") -> DeidError:
    """The refusal of an input that cannot be read: exit code 6."""
    return DeidError(code, message, place=place, hint=hint, exit_code=UNREADABLE)
