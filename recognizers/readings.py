"""Candidates from the rules and output of the network, batch by batch, before the decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from recognizers.errors import Answer, P, RecognizerError
from recognizers.evidence.register import Rules
from recognizers.evidence.seen import Seen
from recognizers.finding import Finding
from recognizers.model.network import ModelOutput
from recognizers.text.normalized_text import NormalizedText

# The maximum numbers of characters and of texts that the rules search in one batch.
CHARACTERS, TEXTS = 1 << 18, 1 << 10


def guarded(
    name: str, number: int, call: Callable[P, Answer], *args: P.args, **more: P.kwargs
) -> Answer:
    """The call's result; any failure becomes an error that names the recognizer and no text."""
    try:
        return call(*args, **more)
    except Exception as error:
        # `from None`: the original message may hold text.
        raise recognizer_error(error, name, number) from None


def recognizer_error(error: Exception, name: str, number: int) -> RecognizerError:
    """Return an error without the original message: it names the recognizer and the
    text's number.
    """
    known = error.recognizer if isinstance(error, RecognizerError) else name
    return RecognizerError(known, number)


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

    def ask(self, rule: Rules) -> None:
        """Add the candidates of a group of rules, unless an earlier group failed."""
        if self.error is not None:
            return
        try:
            self.found += rule.search(self.page)
        except Exception as error:
            self.error = recognizer_error(error, rule.name, self.number)


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
