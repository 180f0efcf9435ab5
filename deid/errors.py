"""Errors for the user. Each has a code, one sentence, a place and a remedy, but never a value."""

from __future__ import annotations

import os
from dataclasses import dataclass

USAGE = 2
HELD = 3
QUARANTINED = 4
KEY = 5
UNREADABLE = 6
LESS_MEMORY = "check for low memory, or run with fewer --workers"
INTERRUPTED = 130


def raised_at(error: BaseException) -> str:
    """The module and line that raised an error. Nothing else is shown of an unforeseen error."""
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


@dataclass(frozen=True, slots=True)
class TaskFault:
    """Why a task failed, without anything from the data: our error, a disk error, or a bug."""

    code: str
    message: str = ""
    place: str = ""
    hint: str = ""
    exit_code: int = 1
    number: int | None = None

    @classmethod
    def of(cls, error: Exception) -> TaskFault:
        """The fault without the exception's own text, unless it is a `DeidError`."""
        if isinstance(error, DeidError):
            return cls(error.code, error.message, error.place, error.hint, error.exit_code)
        if isinstance(error, OSError):
            return cls("os", number=error.errno)
        if isinstance(error, MemoryError):
            return cls("out-of-memory", "there was not enough memory", hint=LESS_MEMORY)
        kind = type(error).__name__
        return cls("internal", f"an internal fault of kind {kind} at {raised_at(error)}")

    @property
    def ends_the_job(self) -> bool:
        """Whether the fault concerns more than one file: the disk, the crosswalk, the options."""
        return self.code not in ("internal", "out-of-memory", "worker-died")

    def error(self) -> Exception:
        """The exception to raise again."""
        if self.number is not None:
            return OSError(self.number, os.strerror(self.number))
        return DeidError(
            self.code, self.message, place=self.place, hint=self.hint, exit_code=self.exit_code
        )
