"""The value-free account of a release: what went in, what was done, what it may claim."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from deid.policy import Policy
from deid.residual import Hit
from safe_harbor import BY_HAND, Identifier, Residue, Verdict


@dataclass(frozen=True, slots=True)
class FileAccount:
    """One file of the job, named by its ordinal: SHA-256, bytes, records."""

    sha256: str
    bytes: int
    records: int

    @classmethod
    def of(cls, path: Path, records: int) -> FileAccount:
        """Hash a file as it lies on disk."""
        digest, size = hashlib.sha256(), 0
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
                size += len(block)
        return cls(digest.hexdigest(), size, records)

    def as_json(self) -> dict[str, Any]:
        return {"sha256": self.sha256, "bytes": self.bytes, "records": self.records}


@dataclass(slots=True)
class Tally:
    """What the job counts while it runs; `dated_later`: records with dates after the reference."""

    documents: int = 0
    rows: int = 0
    records_in: int = 0
    records_out: int = 0
    quarantined: int = 0
    dated_later: int = 0
    found: dict[Identifier, int] = field(default_factory=lambda: dict.fromkeys(Identifier, 0))
    replaced: dict[Identifier, int] = field(default_factory=lambda: dict.fromkeys(Identifier, 0))
    second_search: dict[Identifier, int] = field(
        default_factory=lambda: dict.fromkeys(Identifier, 0)
    )

    def count(
        self, identifier: Identifier, residue: Residue, round_: int = 1, times: int = 1
    ) -> None:
        """Identifiers seen, and what was left of them."""
        self.found[identifier] += times
        self.replaced[identifier] += times * (residue is not Residue.VALUE)
        self.second_search[identifier] += times * (round_ > 1)

    def add(self, other: Tally) -> None:
        """Count what another has counted."""
        self.documents += other.documents
        self.rows += other.rows
        self.records_in += other.records_in
        self.records_out += other.records_out
        self.quarantined += other.quarantined
        self.dated_later += other.dated_later
        for mine, others in (
            (self.found, other.found),
            (self.replaced, other.replaced),
            (self.second_search, other.second_search),
        ):
            for word, number in others.items():
                mine[word] += number


@dataclass(frozen=True, slots=True)
class Account:
    """All a manifest is made of. `hits` are known values still there, by word; `places` where.

    `verdict` is the policy's: it is asked for of every table, and worked out once.
    """

    policy: Policy
    verdict: Verdict
    tally: Tally
    reference_date: date
    known_values: int
    searched_bytes: int
    hits: Mapping[Identifier, int]
    places: tuple[Hit, ...]
    engine: Mapping[str, Any]
    zip3: Mapping[str, str]
    crosswalk: Mapping[str, Any] | None
    inputs: Mapping[int, FileAccount]
    outputs: Mapping[int, FileAccount]
    columns: tuple[Mapping[str, Any], ...]
    left_behind: tuple[Mapping[str, Any], ...] = ()
    tables: Mapping[int, Tally] = field(default_factory=dict)
    known_roles: Mapping[str, int] = field(default_factory=dict)
    risk: tuple[Mapping[str, Any], ...] | None = None

    @property
    def held(self) -> bool:
        """Must this release be held back?"""
        risky = any(measured["holds"] for measured in self.risk or ())
        return sum(self.hits.values()) > 0 or bool(self.verdict.breaches) or risky

    def state(self, word: Identifier) -> str:
        """PASS, FAIL or NOT_EVALUATED. What was not looked at never counts as passed.

        A picture named in one file says nothing of the pictures in another.
        """
        states = [self._state(word, self.tally, self.hits.get(word, 0))]
        if word in BY_HAND:
            states += [self._state(word, tally, 0) for tally in self.tables.values()]
        return _worst(states)

    def _state(self, word: Identifier, tally: Tally, hits: int) -> str:
        breached = any(b.identifier is word for b in self.verdict.breaches)
        if hits or breached:
            return "FAIL"
        looked_at = tally.documents + tally.rows > 0
        if not looked_at or (word in BY_HAND and not tally.found[word]):
            return "NOT_EVALUATED"
        return "PASS"

    def of_table(self, *ordinals: int) -> dict[str, Any]:
        """The same of one table, or of several together: records, and of each identifier what was
        found and its state."""
        tally = Tally()
        for ordinal in ordinals:
            tally.add(self.tables[ordinal])
        files = set(ordinals)
        hits = Counter(hit.word for hit in self.places if hit.file in files)
        states = {
            w.value: _worst([self._state(w, self.tables[n], hits[w]) for n in ordinals])
            for w in Identifier
        }
        return {
            "records_in": tally.records_in,
            "records_out": tally.records_out,
            "quarantined": tally.quarantined,
            "found": {word.value: n for word, n in tally.found.items() if n},
            "replaced": {word.value: n for word, n in tally.replaced.items() if n},
            "state": states,
        }

    @property
    def released_sha256(self) -> str:
        """One hash for all that is released: SHA-256 of the SHA-256s of the files, a line each."""
        return released_sha256([output.sha256 for output in self.outputs.values()])

    def as_json(self) -> dict[str, Any]:
        """`manifest.json`."""
        verdict, tally = self.verdict, self.tally
        supported = "none" if self.held else verdict.supported.value
        return {
            "policy": self.policy.name,
            "policy_sha256": self.policy.sha256,
            "claim": self.policy.claim.value,
            "verdict": {
                "supported": supported,
                "breaches": [
                    {
                        "identifier": breach.identifier.value,
                        "residue": None if breach.residue is None else breach.residue.value,
                        "citation": breach.citation,
                    }
                    for breach in verdict.breaches
                ],
            },
            "documents": tally.documents,
            "rows": tally.rows,
            "records_in": tally.records_in,
            "records_out": tally.records_out,
            "quarantined": tally.quarantined,
            "identifiers": {
                word.value: {
                    "found": tally.found[word],
                    "replaced": tally.replaced[word],
                    "second_search": tally.second_search[word],
                    "state": self.state(word),
                }
                for word in Identifier
            },
            "tables": {str(ordinal): self.of_table(ordinal) for ordinal in self.tables},
            "residual": {
                "known_values": self.known_values,
                "known_values_by_role": dict(sorted(self.known_roles.items())),
                "searched_bytes": self.searched_bytes,
                "hits": sum(self.hits.values()),
            },
            "columns": list(self.columns),
            "left_behind": list(self.left_behind),
            "risk": None if self.risk is None else list(self.risk),
            "engine": dict(self.engine),
            "zip3": dict(self.zip3),
            "reference_date": self.reference_date.isoformat(),
            "records_after_reference": tally.dated_later,
            "crosswalk": None if self.crosswalk is None else dict(self.crosswalk),
            "inputs": {str(n): account.as_json() for n, account in self.inputs.items()},
            "outputs": {str(n): account.as_json() for n, account in self.outputs.items()},
            "released_sha256": self.released_sha256,
        }


def released_sha256(outputs: Sequence[str]) -> str:
    """SHA-256 of the SHA-256s, a line each."""
    return hashlib.sha256("".join(f"{sha256}\n" for sha256 in outputs).encode()).hexdigest()


def _worst(states: Sequence[str]) -> str:
    return next(state for state in ("FAIL", "NOT_EVALUATED", "PASS") if state in states)
