"""What was decided about short texts, of which a table repeats many."""

from __future__ import annotations

from collections.abc import Sequence

from recognizers.finding import Finding

TEXTS_HELD, LONGEST_HELD = 1 << 13, 240


class DecidedTexts:
    """The findings that were accepted in the latest short texts. The `repr` shows a count.

    What is known of a patient has no part in them. A copy in another process begins empty.
    """

    def __init__(self) -> None:
        self._held: dict[str, tuple[Finding, ...]] = {}

    def __repr__(self) -> str:
        return f"DecidedTexts({len(self._held)} texts)"

    def __reduce__(self) -> tuple[type[DecidedTexts], tuple[()]]:
        return DecidedTexts, ()

    def find(self, text: str) -> tuple[Finding, ...] | None:
        """What was accepted in a text; None where it is not held."""
        return self._held.get(text)

    def hold(self, text: str, accepted: Sequence[Finding]) -> None:
        """Hold what was accepted in a text, if it is short."""
        if len(text) > LONGEST_HELD:
            return
        if len(self._held) >= TEXTS_HELD:
            self._held.clear()
        self._held[text] = tuple(accepted)
