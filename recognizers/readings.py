"""What is known of a text before the decision, and a memory of decisions on short texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recognizers.decide.evidence import Evidence
from recognizers.errors import RecognizerError
from recognizers.evidence.matching import Seen
from recognizers.finding import Finding
from recognizers.model.network import ModelOutput

# Tables repeat many short texts.
TEXTS_HELD, LONGEST_HELD = 1 << 13, 240
# The maximum numbers of characters and of texts that the rules search in one batch.
CHARACTERS, TEXTS = 1 << 18, 1 << 10


Decided = Sequence[Finding] | RecognizerError
"""The findings that are accepted in a text, or the error of the first part that failed."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, what the rules see in it, and the output of the network; None without a model."""

    text: str = field(repr=False)
    seen: Sequence[Seen] = field(repr=False)
    output: ModelOutput | None = field(default=None, repr=False)

    def evidence(self) -> Evidence | None:
        """All evidence on the text, atom by atom; None without a model."""
        if self.output is None:
            return None
        return Evidence.of_output(self.text, self.seen, self.output)


def batches(texts: Sequence[str]) -> Iterator[range]:
    """The numbers of the texts in batches, so that their normalized texts take little memory."""
    start = size = 0
    for number, text in enumerate(texts):
        if number > start and (size + len(text) > CHARACTERS or number - start == TEXTS):
            yield range(start, number)
            start, size = number, 0
        size += len(text)
    yield range(start, len(texts))


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
