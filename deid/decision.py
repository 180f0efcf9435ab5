"""The decision on a column: what happens to its cells and its name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from deid.text.change import ChangeFacts
from recognizers import conforms, held_shape
from safe_harbor import Identifier, Residue

if TYPE_CHECKING:
    from deid.vouching.voucher import Voucher

DecidedBy = Literal["policy", "schema", "profiled"]


@dataclass(frozen=True, slots=True)
class ColumnDecision:
    """What happens to one column of a table.

    `action` is the name of a transform, `keep`, `text` (searched as text), `drop` (by policy) or
    `withhold` (the policy does not name the column and its profile is uncertain). `header` is the
    name that may be shown, None if the name may identify a person. `out_header` is the name in OUT.
    `original` is the name in the input, which is compared but never shown. `entity` is the Presidio
    type of the cells, for the transform. `birth` is set if the dates or years are birth dates.
    `shape` is the detailed type that the cells of a kept column must match. `role` is the role of
    the person whom the values describe ("" for the patient). In published formats, `path` is the
    path of the values, and `part` is the kind of known value that they are. `other_column` is the
    index of the column that the action names. `is_closed` is set if the format itself compared the
    cells with its lists and with the labels beside them. `voucher` decides which cells of a kept
    column may be released.
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
    other_column: int | None = None
    voucher: Voucher | None = field(default=None, repr=False, compare=False)
    original: str = field(default="", repr=False)
    is_closed: bool = False

    @property
    def stays(self) -> bool:
        """Whether the cells identify no person and are released, unchanged or generalized."""
        return self.identifier is None and self.leaves and self.action not in ("text", "remove")

    @property
    def is_listed(self) -> bool:
        """Whether the format found every cell in the closed list of its place (`listed`)."""
        return self.shape == "listed"

    def refuses(self, value: str) -> tuple[Identifier, str] | None:
        """Why a kept cell must not be released: a possible identifier and the key of the reason."""
        if self.voucher is not None:
            refusal = self.voucher.refuses(value)
            return None if refusal is None else (refusal.identifier, refusal.why)
        if self.shape and not conforms(self.shape, value):
            return held_shape(value) or Identifier.OTHERS, "shape"
        return None

    @property
    def leaves(self) -> bool:
        """Whether the column is in the output."""
        return self.action not in ("drop", "withhold")

    @property
    def shown_action(self) -> str:
        """The action as it may be shown: the map of a `dictionary` holds values and is left out."""
        return "dictionary" if self.action.startswith("dictionary(") else self.action

    def change_facts(self, residue: Residue) -> ChangeFacts:
        """The facts about a change to a whole cell, after which `residue` remains of the value."""
        identifier = self.identifier or Identifier.OTHERS
        action, confidence = self.shown_action, self.confidence
        return identifier, self.entity, action, residue, "column", confidence

    def as_json(self, file: int) -> dict[str, Any]:
        """The entry in the manifest and in `--dry-run`."""
        return {
            "file": file,
            "position": self.index + 1,
            "header": self.header,
            "is_path": bool(self.path),
            "action": self.shown_action,
            "identifier": None if self.identifier is None else self.identifier.value,
            "whose": self.role or ("patient" if self.identifier is not None else None),
            "decided_by": self.decided_by,
            "reason": self.reason,
            "confidence": round(self.confidence, 2),
        }


def decisions_as_json(
    file: int,
    decisions: Iterable[ColumnDecision],
    cells: Mapping[tuple[int, str], int] | None = None,
) -> Iterator[dict[str, Any]]:
    """The manifest entries of a file's columns; a path that recurs in a tree gets one entry.

    `cells` counts filled cells by column position (from 1) and by what happened to them.
    """
    fates: dict[int, Counter[str]] = defaultdict(Counter)
    for (position, fate), number in (cells or {}).items():
        fates[position][fate] += number
    entries: dict[Any, dict[str, Any]] = {}
    for decision in decisions:
        path = (decision.header, decision.action) if decision.path else decision.index
        entry = entries.setdefault(path, decision.as_json(file))
        if cells is not None:
            entry["cells"] = dict(Counter(entry.get("cells", {})) + fates[decision.index + 1])
    yield from entries.values()
