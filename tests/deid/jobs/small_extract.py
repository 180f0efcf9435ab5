"""A small extract of several files, and fast finders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from deid.jobs import Job
from deid.policy.model import Policy, parse_policy, policy_text, read_policy
from recognizers import Finding, KnownValues

REFERENCE = date(2026, 11, 21)
FIRST = ("Theodora", "Harlan", "Ines", "Kasia", "Dmitri", "Oluwaseun", "Brigid", "Tomasz")
LAST = ("Lowe", "Hoekstra", "Gagnon", "Brandt", "Sokolov", "Adeyemi", "Quillfeather", "Nowak")


def harmless(text: str) -> None:
    """The default poison: it does nothing."""


class KnownOnly:
    """A finder that finds known values only. It dies or fails on a word that a test plants."""

    def __init__(self, poison: Callable[[str], None] = harmless) -> None:
        self._poison = poison

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]:
        for text in texts:
            self._poison(text)
        pairs = zip(texts, knowns or [None] * len(texts), strict=True)
        return [() if known is None else known.find(text) for text, known in pairs]

    def learn(self, texts: Sequence[str], founds: Sequence[Any]) -> frozenset[str]:
        return frozenset()

    def propagate(
        self, text: str, found: tuple[Finding, ...], known: object
    ) -> tuple[Finding, ...]:
        return found


def coded_policy() -> Policy:
    """Safe Harbor with codes for keys and surrogates for names and telephone numbers."""
    text = policy_text("safe_harbor").replace("keys: numbered", "keys: as_transforms")
    for word in ("mrns", "accounts", "others"):
        text = text.replace(f"  {word}: tag", f"  {word}: code")
    for word in ("names", "phones"):
        text = text.replace(f"  {word}: tag", f"  {word}: surrogate")
    return parse_policy(text)


def write_extract(folder: Path, patients: int = 12, notes: int = 8) -> Path:
    """Linked tables, a table of notes, and notes as files and as JSON lines."""
    folder.mkdir()
    people = [
        (f"004028{n:02}", LAST[n % 8], FIRST[(n * 3) % 8], f"802-555-01{n:02}")
        for n in range(patients)
    ]
    rows = [",".join((*person, "F" if n % 2 else "M")) for n, person in enumerate(people)]
    lines = ["patient_id,last_name,first_name,phone,sex", *rows]
    (folder / "patients.csv").write_text("\n".join(lines) + "\n", "utf-8")
    visits = [f"77{n:03}-A,{people[n % patients][0]},{n % 7}.5" for n in range(patients * 3)]
    lines = ["account_number,patient_id,hemoglobin", *visits]
    (folder / "visits.csv").write_text("\n".join(lines) + "\n", "utf-8")
    told = [_note(*people[n % patients]) for n in range(notes)]
    rows = [f'{people[n % patients][0]},"{text}"' for n, text in enumerate(told)]
    (folder / "notes.csv").write_text("patient_id,note_text\n" + "\n".join(rows) + "\n", "utf-8")
    (folder / "letters").mkdir()
    for number, text in enumerate(told):
        name = f"{people[number % patients][0]}_{number:03}.txt"
        (folder / "letters" / name).write_text(text + "\n", "utf-8")
    with (folder / "more.jsonl").open("w", encoding="utf-8") as file:
        for number, text in enumerate(told):
            owner = people[number % patients][0]
            line = {"id": str(number + 1), "text": text, "patient": owner}
            file.write(json.dumps(line) + "\n")
    return folder


def _note(key: str, last: str, first: str, phone: str) -> str:
    return (
        f"{first} {last} (MRN {key}) rang from {phone} on 03/14/2023. {last} is well, takes "
        "lisinopril 10 mg daily. Plan: labs in two weeks."
    )


def job(extract: Path, out: Path, **more: Any) -> Job:
    """A Safe Harbor job over the extract, with its patients as known values."""
    settings = {
        "policy": read_policy("safe_harbor"),
        "reference_date": REFERENCE,
        "known": (extract / "patients.csv",),
        "patient_key": "patient_id",
    }
    return Job(inputs=(extract,), out=out, **settings | more)


def digest(out: Path) -> str:
    """One hash over every file name and byte below a folder."""
    whole = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        whole.update(path.relative_to(out).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()
