"""A memory of the findings in short texts, because tables repeat many short texts."""

from __future__ import annotations

from collections.abc import Sequence

from recognizers.finding import Finding

TEXTS_HELD, LONGEST_HELD = 1 << 13, 240


class DecidedTexts:
    """The findings that were accepted in recent short texts. The `repr` shows only their count.

    Known values of patients are not included. A copy in another process starts empty.
    """

    def __init__(self) -> None:
        self._held: dict[str, tuple[Finding, ...]] = {}

    def __repr__(self) -> str:
        return f"DecidedTexts({len(self._held)} texts)"

    def __reduce__(self) -> tuple[type[DecidedTexts], tuple[()]]:
        return DecidedTexts, ()

    def find(self, text: str) -> tuple[Finding, ...] | None:
        """The findings accepted in a text; None if the text is not in memory."""
        return self._held.get(text)

    def hold(self, text: str, accepted: Sequence[Finding]) -> None:
        """Remember the findings accepted in a text, if the text is short."""
        if len(text) > LONGEST_HELD:
            return
        if len(self._held) >= TEXTS_HELD:
            self._held.clear()
        self._held[text] = tuple(accepted)
