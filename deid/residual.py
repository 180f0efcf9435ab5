"""The independent search of what was written, for every known value of each record's patient."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from deid.errors import HELD, DeidError
from deid.formats import Fault, ReadOptions, open_source
from recognizers import Finding, KnownValues
from safe_harbor import NINETY_OR_OLDER, Identifier, birth_year, is_state, read_date

LARGEST_MEMO = 1 << 17
# Between the cells of a record: no form of a value runs across it.
WALL = "\n\n¦¦¦\n\n"
# What a transform may leave: a year, three ZIP digits, an age, a tag. A cell that is nothing else
# is not searched; a birth year of somebody over 89 is, by its word in the text flow.
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEFT_IN_TEXT = re.compile(r"\[[A-Z][A-Z0-9-]*\]|(?<!\d)90\+")
_RESIDUE = re.compile(r"(?:\d{3,4}|90\+|\d{1,2}(?: ?\w{1,6}\.?)?|\[[A-Z0-9-]+\]|[-+]?\d*\.\d+|)")


class Known(Protocol):
    """What the search needs to know of the patients."""

    def of(self, key: str | None) -> KnownValues | None: ...
    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Residual:
    """What the search found: values looked for, bytes searched, hits by word. Holds no value."""

    known_values: int = 0
    searched_bytes: int = 0
    by_word: Mapping[Identifier, int] = field(default_factory=dict)

    @property
    def hits(self) -> int:
        """How many known values are still there."""
        return sum(self.by_word.values())


def search_release(
    folder: Path,
    outputs: Mapping[int, tuple[Path, Sequence[str | None]]],
    options: ReadOptions,
    people: Known,
    reference_date: date,
) -> Residual:
    """Read each output file as a stranger would, and search every record for its own patient.

    `outputs` gives each file and the patient's key of each of its records, in order.

    Raises:
        DeidError: `output-unreadable`, when what was written does not read back whole.
    """
    by_word: Counter[Identifier] = Counter()
    size = 0
    looked_for: dict[str, int] = {}
    for ordinal, (path, owners) in outputs.items():
        size += path.stat().st_size
        source = open_source(path, options)
        records = source.records()
        clean: set[tuple[str, str]] = set()
        for owner, record in zip(owners, records, strict=False):
            if isinstance(record, Fault):
                raise _unreadable(ordinal)
            known = people.of(owner)
            if owner is None or known is None:
                continue
            looked_for[owner] = len(known)
            cells = [
                cell
                for cell in record.cells
                if cell and not is_residue(cell) and (owner, cell) not in clean
            ]
            found = known_in("".join(cell + WALL for cell in cells), known, reference_date)
            by_word.update(finding.identifier for finding in found)
            if not found and len(clean) < LARGEST_MEMO:
                clean.update((owner, cell) for cell in cells if len(cell) < 100)
    return Residual(sum(looked_for.values()), size, dict(by_word))


def known_in(text: str, known: KnownValues, reference_date: date) -> tuple[Finding, ...]:
    """The known values that stand in a text, apart from what the rule lets stand.

    Tags and `90+` are not values. A year alone may stay, unless it is the birth year of somebody
    over 89 on the reference date.
    """
    if not text:
        return ()
    masked = _LEFT_IN_TEXT.sub(lambda match: "¦" * len(match[0]), text)
    found = known.find(masked)
    return tuple(f for f in found if not _may_stay(masked[f.start : f.end], known, reference_date))


def _may_stay(value: str, known: KnownValues, reference_date: date) -> bool:
    if not _YEAR.fullmatch(value):
        return False
    births = (read_date(k.value, reference_date, True) for k in known if k.part == "birth")
    over = [
        birth_year(b.year, reference_date, b.month, b.day) == NINETY_OR_OLDER
        for b in births
        if b is not None and b.year == int(value)
    ]
    return not over or not all(over)


@lru_cache(maxsize=1 << 14)
def is_residue(cell: str) -> bool:
    """Is the whole cell what a transform may leave: a year, ZIP3, age, state or tag?

    A cell of one or two characters names nobody by itself.
    """
    return (
        len(cell.strip()) < 3
        or bool(_RESIDUE.fullmatch(cell))
        or (len(cell) < 24 and is_state(cell))
    )


def _unreadable(ordinal: int) -> DeidError:
    return DeidError(
        "output-unreadable",
        "an output file does not read back whole; nothing was released",
        place=f"file {ordinal}",
        exit_code=HELD,
    )
