"""The manifest of a release, without values: its inputs, the changes made, and its claim."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from deid.policy.model import Policy
from deid.release.hold import must_hold
from deid.release.run_record import RunRecord
from deid.reports.miss_rates import ALL, MissRate, measured_misses
from deid.reports.states import HELD_STATE, NONE_KNOWN_LEFT, NOT_EVALUATED, SEARCHED, status, worst
from deid.residual.hits import ResidualHit
from deid.vouching import UNVOUCHED
from safe_harbor import BY_HAND, Identifier, Residue, Verdict


@dataclass(frozen=True, slots=True)
class FileAccount:
    """One file of the job, named by its ordinal: SHA-256, bytes, records."""

    sha256: str
    bytes: int
    records: int

    @classmethod
    def of(cls, path: Path, records: int) -> FileAccount:
        """Hash a file on disk."""
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
            return cls(digest.hexdigest(), file.tell(), records)

    def as_json(self) -> dict[str, Any]:
        return {"sha256": self.sha256, "bytes": self.bytes, "records": self.records}


KEPT, COARSENED, REPLACED, BLANKED = "kept", "coarsened", "replaced", "blanked"
TEXT, DROPPED = "text", "dropped"
CELL_FATES = (KEPT, COARSENED, REPLACED, BLANKED, TEXT, DROPPED)
"""What may happen to a cell: released unchanged; reduced to a year, state or other part; replaced
by a tag, code or surrogate; emptied; searched as a text; left out together with its column."""


@dataclass(slots=True)
class ReleaseCounts:
    """The counts of a running job.

    `dated_later` counts the records with dates after the reference date.
    """

    documents: int = 0
    rows: int = 0
    records_in: int = 0
    records_out: int = 0
    quarantined: int = 0
    dated_later: int = 0
    found: dict[Identifier, int] = field(default_factory=lambda: dict.fromkeys(Identifier, 0))
    replaced: dict[Identifier, int] = field(default_factory=lambda: dict.fromkeys(Identifier, 0))
    blanked: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Blanked cells of kept columns, by column position and reason."""
    cells: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Filled cells of the released records, by column position and one of `CELL_FATES`."""

    def count(self, identifier: Identifier, residue: Residue, times: int = 1) -> None:
        """Count identifiers that were found, and how many of them were replaced."""
        self.found[identifier] += times
        self.replaced[identifier] += times * (residue is not Residue.VALUE)

    def add(self, other: ReleaseCounts) -> None:
        """Add other counts to these."""
        self.documents += other.documents
        self.rows += other.rows
        self.records_in += other.records_in
        self.records_out += other.records_out
        self.quarantined += other.quarantined
        self.dated_later += other.dated_later
        self.blanked += other.blanked
        self.cells += other.cells
        for mine, others in ((self.found, other.found), (self.replaced, other.replaced)):
            for word, number in others.items():
                mine[word] += number


@dataclass(frozen=True, slots=True)
class Account:
    """The data from which a manifest is made.

    `hits` counts known values still in the output by identifier; `places` says where they are.
    `verdict` is the verdict on the policy, computed once. `sought` lists the identifiers with known
    values that were searched for. `unlinked` counts records that name no known patient, and
    `known_tables` counts the tables given with `--known`. `names_known` says whether any patient's
    name is known. `documents` are the files of `_release/` by name. `since` is the earlier release
    that this one continues. `tree_sha256` covers the released files with their paths.
    """

    policy: Policy
    verdict: Verdict
    tally: ReleaseCounts
    reference_date: date
    known_values: int
    searched_bytes: int
    hits: Mapping[Identifier, int]
    places: tuple[ResidualHit, ...]
    engine: Mapping[str, Any]
    zip3: Mapping[str, str]
    crosswalk: Mapping[str, Any] | None
    inputs: Mapping[int, FileAccount]
    outputs: Mapping[int, FileAccount]
    columns: tuple[Mapping[str, Any], ...]
    left_behind: tuple[Mapping[str, Any], ...] = ()
    tables: Mapping[int, ReleaseCounts] = field(default_factory=dict)
    known_roles: Mapping[str, int] = field(default_factory=dict)
    risk: tuple[Mapping[str, Any], ...] | None = None
    sought: frozenset[Identifier] = frozenset()
    unlinked: int = 0
    known_tables: int = 0
    names_known: bool = False
    run: RunRecord = field(default_factory=RunRecord)
    documents: Mapping[str, FileAccount] = field(default_factory=dict)
    tree_sha256: str = ""
    since: Mapping[str, Any] | None = None

    @property
    def held(self) -> bool:
        """Whether the release must be held."""
        return must_hold(self.hits, self.verdict, self.risk or ())

    def state(self, word: Identifier) -> str:
        """The state of an identifier, one of `deid.reports.states`.

        For biometrics and photographs, the worst state of any table decides: a picture found in one
        file is no evidence about pictures in another file.
        """
        states = [self._state(word, self.tally, self.hits.get(word, 0))]
        if word in BY_HAND:
            states += [self._state(word, tally, 0) for tally in self.tables.values()]
        return worst(states)

    def _state(self, word: Identifier, tally: ReleaseCounts, hits: int) -> str:
        breached = any(b.identifier is word for b in self.verdict.breaches)
        if hits or breached:
            return HELD_STATE
        looked_at = tally.documents + tally.rows > 0
        if not looked_at or (word in BY_HAND and not tally.found[word]):
            return NOT_EVALUATED
        known = word in self.sought and (word is not Identifier.NAMES or self.names_known)
        return NONE_KNOWN_LEFT if known else SEARCHED

    def of_table(self, ordinal: int) -> dict[str, Any]:
        """The entry of one table: counts of records, and findings and state per identifier."""
        tally = self.tables[ordinal]
        hits = Counter(hit.word for hit in self.places if hit.file == ordinal)
        return {
            "records_in": tally.records_in,
            "records_out": tally.records_out,
            "quarantined": tally.quarantined,
            "found": {word.value: n for word, n in tally.found.items() if n},
            "replaced": {word.value: n for word, n in tally.replaced.items() if n},
            "state": {w.value: self._state(w, tally, hits[w]) for w in Identifier},
        }

    @property
    def blanked_cells(self) -> list[dict[str, Any]]:
        """The cells of kept columns that were blanked: file, column, count and reason."""
        headers = {(c["file"], c["position"]): c["header"] for c in self.columns}
        return [
            {
                "file": ordinal,
                "position": position,
                "header": headers.get((ordinal, position)),
                "why": why,
                "meaning": UNVOUCHED[why],
                "cells": cells,
            }
            for ordinal, tally in self.tables.items()
            for (position, why), cells in sorted(tally.blanked.items())
        ]

    @property
    def cells(self) -> dict[str, int]:
        """The number of filled cells in all tables, by their fate (kept, replaced and so on)."""
        totals = dict.fromkeys(CELL_FATES, 0)
        for (_, fate), number in self.tally.cells.items():
            totals[fate] += number
        return totals

    @property
    def released_sha256(self) -> str:
        """The SHA-256 over the SHA-256 of each released file, one per line."""
        return released_sha256([output.sha256 for output in self.outputs.values()])

    def as_json(self) -> dict[str, Any]:
        """`manifest.json` without its seal."""
        tally = self.tally
        measured = measured_misses(self.engine)
        content = {
            "policy": self.policy.name,
            "policy_sha256": self.policy.sha256,
            "claim": self.policy.claim.value,
            **self.run.as_json(),
            "verdict": self._verdict(),
            "documents": tally.documents,
            "rows": tally.rows,
            "records_in": tally.records_in,
            "records_out": tally.records_out,
            "quarantined": tally.quarantined,
            "identifiers": self._identifiers(measured),
            "tables": {str(ordinal): self.of_table(ordinal) for ordinal in self.tables},
            "residual": {
                "known_values": self.known_values,
                "known_values_by_role": dict(sorted(self.known_roles.items())),
                "searched_bytes": self.searched_bytes,
                "unlinked_records": self.unlinked,
                "known_tables": self.known_tables,
                "patient_names_known": self.names_known,
                "hits": sum(self.hits.values()),
            },
            "measured_miss_rate": _miss_rate_part(measured),
            "columns": list(self.columns),
            "cells": self.cells,
            "blanked_cells": self.blanked_cells,
            "left_behind": list(self.left_behind),
            "risk": None if self.risk is None else list(self.risk),
            "engine": dict(self.engine),
            "zip3": dict(self.zip3),
            "reference_date": self.reference_date.isoformat(),
            "records_after_reference": tally.dated_later,
            "since": None if self.since is None else dict(self.since),
            "crosswalk": None if self.crosswalk is None else dict(self.crosswalk),
            "inputs": {str(n): account.as_json() for n, account in self.inputs.items()},
            "outputs": {str(n): account.as_json() for n, account in self.outputs.items()},
            "released_sha256": self.released_sha256,
            "released_tree_sha256": self.tree_sha256,
            "release_files": {name: file.as_json() for name, file in self.documents.items()},
        }
        content["verdict"]["status"] = status(content)
        return content

    def _verdict(self) -> dict[str, Any]:
        verdict = self.verdict
        return {
            "supported": "none" if self.held else verdict.supported.value,
            "held": self.held,
            "rule": verdict.rule,
            "reason": verdict.reason,
            "breaches": [
                {
                    "identifier": breach.identifier.value,
                    "residue": None if breach.residue is None else breach.residue.value,
                    "citation": breach.citation,
                    "reason": breach.reason,
                }
                for breach in verdict.breaches
            ],
        }

    def _identifiers(self, measured: Mapping[str, MissRate]) -> dict[str, Any]:
        residues = self.policy.residues()
        return {
            word.value: {
                "found": self.tally.found[word],
                "replaced": self.tally.replaced[word],
                "hits": self.hits.get(word, 0),
                "may_be_left": sorted(residue.value for residue in residues[word]),
                "miss_rate": measured[word].as_json() if word in measured else None,
                "state": self.state(word),
            }
            for word in Identifier
        }


def _miss_rate_part(measured: Mapping[str, MissRate]) -> dict[str, Any] | None:
    """The miss rate over all identifiers, and the date and data of its measurement."""
    if ALL not in measured:
        return None
    whole = measured[ALL]
    return whole.as_json() | {"measured": whole.measured, "source": whole.source}


def released_sha256(outputs: Sequence[str]) -> str:
    """The SHA-256 of these SHA-256s, one per line."""
    return hashlib.sha256("".join(f"{sha256}\n" for sha256 in outputs).encode()).hexdigest()
