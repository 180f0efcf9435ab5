"""Kills a job at random points and resumes it each time: `python benchmarks/resume.py [kills]`.

A synthetic extract of linked tables and notes is scrubbed by the whole engine with two workers. The
job gets `kill -9` at a random moment, is resumed, is killed again, and so on. When the job ends,
its output is compared byte for byte with that of an undisturbed job, its records are counted, and
the next job begins. The figures go to `benchmarks/resume.md`.
"""

from __future__ import annotations

import hashlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from deid.jobs import job_folder_path, unfinished

# Keys whose values differ from run to run, and the hashes that cover them.
OF_THE_RUN = ("operator", "command", "start", "end", "release_files", "manifest_sha256")
HERE = Path(__file__).resolve().parent
FIRST = (
    "Theodora",
    "Harlan",
    "Ines",
    "Kasia",
    "Dmitri",
    "Oluwaseun",
    "Brigid",
    "Tomasz",
    "Anneliese",
    "Rajesh",
)
LAST = (
    "Lowe",
    "Hoekstra",
    "Gagnon",
    "Brandt",
    "Sokolov",
    "Adeyemi",
    "Quillfeather",
    "Nowak",
    "Ferreira",
    "Iyer",
)
REFERENCE = "2026-11-21"
KILLS = 50


def write_extract(folder: Path, patients: int = 40, visits: int = 1500) -> int:
    """Write linked tables of patients and visits, and notes in a table, in files and as JSON
    lines; return the number of records."""
    folder.mkdir()
    people = [
        (f"00{402800 + n}", LAST[n % 10], FIRST[n * 7 % 10], f"802-555-{n:04}")
        for n in range(patients)
    ]
    rows = [",".join((*p, f"{1930 + n}-03-1{n % 10}")) for n, p in enumerate(people)]
    _table(folder / "patients.csv", "patient_id,last_name,first_name,phone,birth_date", rows)
    for year in range(4):
        rows = [
            f"{year}{n:06}-A,{people[n % patients][0]},202{year}-0{n % 9 + 1}-1{n % 10},{n % 17}.5"
            for n in range(visits)
        ]
        _table(folder / f"visits{year}.csv", "account_number,patient_id,visit_date,sodium", rows)
    notes = [_note(people[n % patients], n) for n in range(40)]
    rows = [f'{people[n % patients][0]},"{text}"' for n, text in enumerate(notes)]
    _table(folder / "notes.csv", "patient_id,note_text", rows)
    (folder / "letters").mkdir()
    for n, text in enumerate(notes[:20]):
        (folder / "letters" / f"{people[n % patients][0]}_{n:03}.txt").write_text(text + "\n")
    lines = [
        json.dumps({"id": str(n + 1), "text": text, "patient": people[n % patients][0]})
        for n, text in enumerate(notes)
    ]
    (folder / "more.jsonl").write_text("\n".join(lines) + "\n")
    return patients + 4 * visits + 40 + 20 + 40


def _table(path: Path, header: str, rows: list[str]) -> None:
    path.write_text("\n".join((header, *rows)) + "\n")


def _note(person: tuple[str, str, str, str], n: int) -> str:
    key, last, first, phone = person
    return (
        f"{first} {last} (MRN {key}) was seen on 03/1{n % 10}/2023 by Dr. {LAST[n * 3 % 10]}. "
        f"Ms. {last} rang from {phone}. Takes lisinopril {n % 4 * 10} mg daily; labs in two weeks."
    )


@dataclass
class Tally:
    """The results of the kills."""

    kills: int = 0
    jobs: int = 0
    resumed_files: int = 0
    points: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def start(source: Path, out: Path) -> subprocess.Popen[bytes]:
    """Start the job with the usual command."""
    command = [sys.executable, "-m", "deid", "scrub", str(source), "-o", str(out), "--resume"]
    known = ["--known", str(source / "patients.csv"), "--patient-key", "patient_id"]
    more = ["--workers", "2", "--reference-date", REFERENCE, "--quiet"]
    return subprocess.Popen([*command, *known, *more], cwd=HERE.parent, stderr=subprocess.PIPE)


def digest(out: Path) -> str:
    """One hash of all file names and bytes, and of the manifest without what differs by run."""
    whole = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        data = b"" if path.name == "evidence.html" else path.read_bytes()
        if path.name == "manifest.json":
            told = json.loads(data)
            data = json.dumps({k: v for k, v in told.items() if k not in OF_THE_RUN}).encode()
        whole.update(path.relative_to(out).as_posix().encode() + b"\0" + data)
    return whole.hexdigest()


def main() -> int:
    """Kill, resume, compare; exit 1 if anything differs."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    chance = random.Random(164514)
    with tempfile.TemporaryDirectory(prefix="deid-resume-") as folder:
        place = Path(folder)
        records = write_extract(place / "in")
        began = time.monotonic()
        assert start(place / "in", place / "whole").wait() == 0
        seconds = time.monotonic() - began
        wanted = digest(place / "whole")
        tally = Tally()
        while tally.kills < kills:
            until_done(place, seconds, kills, chance, tally)
            check(place, wanted, records, tally)
        text = told(tally, records, seconds)
    (HERE / "resume.md").write_text(text)
    print(text)
    return bool(tally.faults)


def until_done(
    place: Path, seconds: float, kills: int, chance: random.Random, tally: Tally
) -> None:
    """One job, killed again and again until it ends by itself."""
    source, out = place / "in", place / "out"
    kept = 0
    while True:
        process = start(source, out)
        after = chance.uniform(0, 1.05 * seconds) if tally.kills < kills else None
        try:
            process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            tally.kills += 1
            before = unfinished(out)
            files = before[0] if before else 0
            if not out.exists() and files < kept:
                tally.faults.append("a file that was done is lost")
            kept = files
            tally.resumed_files += files
            tally.points.append(round((after or 0) / seconds, 2))
            continue
        tally.jobs += 1
        if process.returncode:
            tally.faults.append(f"exit {process.returncode}")
        return


def check(place: Path, wanted: str, records: int, tally: Tally) -> None:
    """Check that the output of a killed job equals that of an undisturbed job."""
    out = place / "out"
    if digest(out) != wanted:
        tally.faults.append("bytes differ")
    manifest = json.loads((out / "_release" / "manifest.json").read_text())
    if not manifest["records_in"] == records == manifest["records_out"] + manifest["quarantined"]:
        tally.faults.append("records lost or doubled")
    if job_folder_path(out).exists():
        tally.faults.append("the job's folder is still there")
    for path in sorted(out.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    out.rmdir()


def told(tally: Tally, records: int, seconds: float) -> str:
    """The page."""
    thirds = [sum(third / 3 <= p < (third + 1) / 3 for p in tally.points) for third in range(4)]
    return (
        "# Killed and resumed\n\n"
        f"Made by `python benchmarks/resume.py {tally.kills}`. A job scrubs {records:,} records in "
        f"27 files with two workers. An uninterrupted job takes {seconds:.0f} s. The test kills "
        "the job at a random moment and resumes it, again and again until the job ends. Then it "
        f"starts the next job of this kind, until there were {tally.kills} kills.\n\n"
        "| what was counted | number |\n|---|---|\n"
        f"| kills (`kill -9`) | {tally.kills} |\n"
        f"| kills in the first third of the time of an uninterrupted job | {thirds[0]} |\n"
        f"| kills in the second third of this time | {thirds[1]} |\n"
        f"| kills in the last third of this time | {thirds[2]} |\n"
        f"| kills after this time | {thirds[3]} |\n"
        f"| jobs that ended | {tally.jobs} |\n"
        "| files, in all jobs, that were finished before a kill and not processed again after it "
        f"| {tally.resumed_files} |\n"
        "| outputs that differ in any byte from the output of an uninterrupted job | "
        f"{tally.faults.count('bytes differ')} |\n"
        f"| records lost or written twice | {tally.faults.count('records lost or doubled')} |\n"
        f"| other faults | {_others(tally)} |\n"
    )


def _others(tally: Tally) -> str:
    listed = {"bytes differ", "records lost or doubled"}
    return "; ".join(fault for fault in tally.faults if fault not in listed) or "0"


if __name__ == "__main__":
    raise SystemExit(main())
