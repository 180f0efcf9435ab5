"""What a program gets back: scrubbed texts and frames, with the claim that they support."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from deid.errors import HELD, DeidError
from deid.text.change import Change
from recognizers import Finding
from safe_harbor import Claim

Frame = TypeVar("Frame")


@dataclass(frozen=True, slots=True)
class TextVerdict:
    """The claim that one scrubbed text supports, and what was proved.

    `supported` is the claim of the policy, "none" if the text was withheld or only the caller's
    findings were replaced. `status` is `NONE_KNOWN_LEFT` if known values were searched for in
    the output and none is left, else `SEARCHED`, `NOT_EVALUATED` or `HELD`.
    """

    supported: str
    status: str

    @property
    def held(self) -> bool:
        """Whether the text was withheld."""
        return self.status == "HELD"


@dataclass(frozen=True, slots=True)
class ScrubbedText:
    """One scrubbed text. The `repr` shows no content.

    `findings` have offsets in the original; `changes` have offsets in the original and the output.
    `withheld` is "" or the reason why the text is withheld; reading `text` then raises an error.
    """

    _text: str = field(repr=False)
    changes: tuple[Change, ...]
    verdict: TextVerdict
    withheld: str = ""

    @property
    def text(self) -> str:
        """The scrubbed text.

        Raises:
            DeidError: `text-withheld`.
        """
        if self.withheld:
            raise DeidError(
                "text-withheld",
                f"the text was withheld: {self.withheld}",
                hint="check `withheld` of the result before reading `text`; it holds the reason",
                exit_code=HELD,
            )
        return self._text

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings behind the changes, with offsets in the original."""
        return tuple(
            Finding(c.start, c.end, c.identifier, c.entity, c.score, c.source) for c in self.changes
        )

    def __repr__(self) -> str:
        state = self.withheld or self.verdict.supported
        return f"ScrubbedText({len(self._text)} characters, {len(self.changes)} changes, {state})"


def withheld_text(code: str) -> ScrubbedText:
    """The result for a text that is withheld."""
    return ScrubbedText("", (), TextVerdict(Claim.NONE.value, "HELD"), code)


@dataclass(frozen=True, slots=True)
class ScrubbedFrame(Generic[Frame]):
    """A scrubbed frame of the caller's library, with the manifest of the job that made it.

    `changes` are the lines of `changes.jsonl`: record (from 1), column (from 1), offsets. `kept`
    are the positions (from 0) of the rows of the input that are in the output; the others are in
    `quarantine`, with the reason. Reading `frame` raises an error if the job was held.
    """

    _frame: Frame | None = field(repr=False)
    manifest: Mapping[str, Any] = field(repr=False)
    changes: Sequence[Mapping[str, Any]] = field(repr=False)
    quarantine: Sequence[Mapping[str, Any]] = field(repr=False)
    kept: Sequence[int] = field(repr=False)

    @property
    def frame(self) -> Frame:
        """The scrubbed frame.

        Raises:
            DeidError: `frame-withheld`.
        """
        if self._frame is None:
            raise DeidError(
                "frame-withheld",
                "the job was held, so nothing was released",
                hint="`manifest` and `verdict` of the result give the reason",
                exit_code=HELD,
            )
        return self._frame

    @property
    def verdict(self) -> Mapping[str, Any]:
        """The verdict of the manifest: `supported`, `status`, `breaches`."""
        verdict: Mapping[str, Any] = self.manifest["verdict"]
        return verdict

    @property
    def findings(self) -> list[Mapping[str, Any]]:
        """Each replaced value: record, column, start, end, identifier, entity, score, source."""
        fields = ("start", "end", "identifier", "entity", "score", "source")
        return [
            {"record": cell["record"], "column": cell["column"]} | {f: one[f] for f in fields}
            for cell in self.changes
            for one in cell["changes"]
        ]

    def __repr__(self) -> str:
        supported = self.verdict["supported"]
        return (
            f"ScrubbedFrame({len(self.kept)} rows, {len(self.changes)} changed cells, {supported})"
        )
