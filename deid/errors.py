"""What goes wrong, told in one sentence: a code, the place, the way out. Never a value."""

from __future__ import annotations

USAGE = 2
HELD = 3
QUARANTINED = 4
KEY = 5
UNREADABLE = 6
INTERRUPTED = 130


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
