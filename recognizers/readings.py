"""What is known of each text before the decision, and a memory of decisions on short texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recognizers.errors import RecognizerError, guarded
from recognizers.evidence.matching import Seen
from recognizers.evidence.register import Rules
from recognizers.finding import Finding
from recognizers.model.network import ModelOutput
from recognizers.text.normalized_text import NormalizedText

# Tables repeat many short texts.
TEXTS_HELD, LONGEST_HELD = 1 << 13, 240
# The maximum numbers of characters and of texts that the rules search in one batch.
CHARACTERS, TEXTS = 1 << 18, 1 << 10


@dataclass(eq=False, slots=True)
class CandidateSet:
    """A normalized text and the candidates of the rules, or the error of the first failed rule."""

    number: int
    page: NormalizedText = field(repr=False)
    found: list[Seen] = field(default_factory=list)
    error: RecognizerError | None = None

    @classmethod
    def of(cls, number: int, text: str) -> CandidateSet:
        try:
            return cls(number, guarded("normal", number, NormalizedText.of, text))
        except RecognizerError as error:
            return cls(number, NormalizedText.of(""), error=error)

    def ask(self, rules: Rules) -> None:
        """Add the candidates of the rules, or the error of the first rule that failed."""
        if self.error is not None:
            return
        try:
            self.found = rules.search(self.page)
        except Exception as error:
            self.error = RecognizerError.of(error, "rules", self.number)


@dataclass(frozen=True, slots=True)
class DecidedText:
    """A text and the findings accepted in it; `found` is None if the decision has not run yet."""

    text: str = field(repr=False)
    found: Sequence[Finding] | None = field(repr=False)
    candidates: CandidateSet | None = field(default=None, repr=False)
    reading: ModelOutput | RecognizerError | None = field(default=None, repr=False)


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
