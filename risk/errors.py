"""Errors that the user can fix. No message ever holds a value of the data."""

from __future__ import annotations


class RiskError(Exception):
    """A failure with a code, a place, a hint and the exit code of the command line.

    `exit_code` is 2 for a wrong request, 3 for a refusal by a limit (no generalization meets the
    limits, or a user of `deid counts` is locked out), and 6 for an input that cannot be read.
    """

    def __init__(
        self, message: str, *, code: str, place: str = "", hint: str = "", exit_code: int = 2
    ) -> None:
        super().__init__(message)
        self.code = code
        self.place = place
        self.hint = hint
        self.exit_code = exit_code


def check_fraction(fraction: float) -> None:
    """Raise `RiskError` (`bad-fraction`) unless this can be the share of people in a sample."""
    if not 0 < fraction <= 1:
        raise RiskError("a sampling fraction must be above 0 and at most 1", code="bad-fraction")
