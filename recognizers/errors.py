"""Faults of finding. A message names the part that failed and never holds a value."""

from __future__ import annotations


class FindingError(Exception):
    """Base of this folder's errors: a code, the place, the way out."""

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


class RowError(FindingError):
    """A table of rows cannot be used: `code` says why, `place` which row."""

    exit_code = 2

    def __init__(self, code: str, place: str, hint: str) -> None:
        Exception.__init__(self, "a table of recognizers cannot be used")
        self.code, self.place, self.hint = code, place, hint
