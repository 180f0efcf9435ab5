"""What happens to a column, and what came of a row: the values that job and tables share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from deid.text.change import Change, Told
from recognizers import KnownValues, fits, held_shape
from safe_harbor import Identifier, Residue

if TYPE_CHECKING:
    from deid.vouching.voucher import Voucher

DecidedBy = Literal["policy", "schema", "profiled"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to one column.

    `action` is a transform's name, `keep`, `text` (through the text flow), `drop` (by policy) or
    `withhold` (nobody named it and the profile is not sure). `header` is None where nothing
    vouches for the name, which is then neither shown nor written; `out_header` is what OUT has and
    `original` the name in the input, which is only compared and never told.
    `entity` is the Presidio type of the cells, for the transform; `birth` says that dates or years
    in it are of a birth. `shape` is the finer sort of the profile (what the cells of a kept column
    must fit), `role` whose the values are, "" for the patient. `path` and `part` are those of a
    published format: the path, and what its values tell of the person. `counts_from` is the
    column that an interval is counted from. `voucher` says which cells of a kept column may leave.
    """

    index: int
    header: str | None
    out_header: str
    action: str
    decided_by: DecidedBy
    reason: str
    identifier: Identifier | None = None
    entity: str = ""
    birth: bool = False
    confidence: float = 1.0
    shape: str = ""
    role: str = ""
    part: str = ""
    path: str = ""
    counts_from: int | None = None
    voucher: Voucher | None = field(default=None, repr=False, compare=False)
    original: str = field(default="", repr=False)

    @property
    def stays(self) -> bool:
        """Do its cells identify nobody, and leave as they are or coarser?"""
        return self.identifier is None and self.leaves and self.action not in ("text", "remove")

    def refuses(self, value: str) -> tuple[Identifier, str] | None:
        """Why a kept cell may not leave: the identifier it may be, and the key of the reason."""
        if self.voucher is not None:
            refusal = self.voucher.refuses(value)
            return None if refusal is None else (refusal.identifier, refusal.why)
        if self.shape and not fits(self.shape, value):
            return held_shape(value) or Identifier.OTHERS, "shape"
        return None

    @property
    def leaves(self) -> bool:
        """Is the column in the output?"""
        return self.action not in ("drop", "withhold")

    @property
    def told_action(self) -> str:
        """The action as it may be shown: the map of a `dictionary` holds values."""
        return "dictionary" if self.action.startswith("dictionary(") else self.action

    def told(self, residue: Residue) -> Told:
        """What is told of a whole cell that was changed and left `residue`."""
        identifier = self.identifier or Identifier.OTHERS
        action, confidence = self.told_action, self.confidence
        return identifier, self.entity, action, residue, "column", confidence, 1

    def as_json(self, file: int) -> dict[str, Any]:
        """The entry in the manifest and in `--dry-run`."""
        return {
            "file": file,
            "position": self.index + 1,
            "header": self.header,
            "is_path": bool(self.path),
            "action": self.told_action,
            "identifier": None if self.identifier is None else self.identifier.value,
            "whose": self.role or ("patient" if self.identifier is not None else None),
            "decided_by": self.decided_by,
            "reason": self.reason,
            "confidence": round(self.confidence, 2),
        }


def decisions_as_json(file: int, decisions: Iterable[Decision]) -> Iterator[dict[str, Any]]:
    """What is told of a file's columns: each of a table, each path of a tree once."""
    paths: set[tuple[str | None, str]] = set()
    for decision in decisions:
        if decision.path and (decision.header, decision.action) in paths:
            continue
        if decision.path:
            paths.add((decision.header, decision.action))
        yield decision.as_json(file)


@dataclass(frozen=True, slots=True)
class RowOut:
    """One record after the flow. `cells` is None if it was withheld, and `code` says why.

    `cells` has all columns of the source (those that do not leave are None). `owner` is the key of
    the row's patient, if it is known; `told` is what is known of the patient beside
    what is known of the key. `changes` and `texts` (before, after) go by column index; a
    transformed cell has one change over its whole length. `late` says that the record has dates
    after the reference date. The `repr` shows no content.
    """

    ordinal: int
    cells: tuple[str | None, ...] | None = field(default=None, repr=False)
    code: str = ""
    owner: str | None = field(default=None, repr=False)
    told: KnownValues | None = field(default=None, repr=False)
    changes: Mapping[int, tuple[Change, ...]] = field(default_factory=dict)
    texts: Mapping[int, tuple[str, str]] = field(default_factory=dict, repr=False)
    skeleton: Any = field(default=None, repr=False)
    late: bool = False
