"""Compares `--engine local` and `--engine spark` on the same cores and the same input.

`python benchmarks/spark.py [notes] [rows]`, under a Python with pyspark, scrubs that many notes,
each in its own file, then a plain table of that many rows; the engines take turns. CPU seconds
are those of all started processes, including Java, sampled ten times a second.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SUMMARIES = ROOT / "corpora" / "sample" / "discharge"
ENGINES = {"local": ("--workers", "2"), "spark": ("--workers", "2", "--engine", "spark")}
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Run:
    """One job: wall seconds, CPU seconds, and a digest of its output."""

    seconds: float
    cpu: float
    digest: str


def write_notes(folder: Path, notes: int) -> None:
    """Write the shipped summaries repeatedly, with other digits each time."""
    folder.mkdir()
    texts = [path.read_text("utf-8") for path in sorted(SUMMARIES.glob("*.txt"))]
    for number, text in enumerate(islice(_again(texts), notes)):
        (folder / f"note-{number:05}.txt").write_text(text, "utf-8")


def _again(texts: list[str]):  # type: ignore[no-untyped-def]
    for turn in count():
        for text in texts:
            yield re.sub(r"\d{6,}", lambda m, t=turn: str(int(m[0]) + 7 * t).zfill(len(m[0])), text)


def run(engine: str, source: Path, out: Path) -> Run:
    """Scrub the source in its own process session, and sum the CPU time of its processes."""
    command = [sys.executable, "-m", "deid", "scrub", str(source), "-o", str(out), "--quiet"]
    began, used = time.monotonic(), dict[int, float]()
    job = subprocess.Popen([*command, *ENGINES[engine]], cwd=ROOT, start_new_session=True)
    while job.poll() is None:
        used |= _used(job.pid)
        time.sleep(0.1)
    if job.returncode:
        raise SystemExit(f"the job ended with {job.returncode}")
    return Run(time.monotonic() - began, sum(used.values()), _digest(out))


def _used(session: int) -> dict[int, float]:
    """The CPU seconds so far of each running process of the session."""
    found = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            told = place.read_text().rpartition(")")[2].split()
            if int(told[3]) == session:
                found[int(place.parent.name)] = (int(told[11]) + int(told[12])) / _TICKS
    return found


def _digest(out: Path) -> str:
    """A digest of all released files except the account, which names the engine."""
    whole = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        if path.name not in ("manifest.json", "evidence.html"):
            whole.update(path.relative_to(out).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def main() -> int:
    """Run both engines on both sets, in turns."""
    if importlib.util.find_spec("pyspark") is None:
        print("pyspark is not installed: nothing to measure")
        return 0
    sys.path.insert(0, str(HERE))
    from tables import write

    notes, rows = (int(n) for n in (*sys.argv[1:3], *("240", "400000")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        write_notes(folder / "notes", notes)
        write(folder / "table.csv", rows, 4)
        print("| what | engine | s | CPU s | load |\n|---|---|---:|---:|---:|")
        for what, source in ((f"{notes} notes", "notes"), (f"{rows:,} rows", "table.csv")):
            made = set()
            for engine in ENGINES:
                ran = run(engine, folder / source, folder / f"{source}-{engine}")
                made.add(ran.digest)
                load = os.getloadavg()[0]
                told = f"| {what} | {engine} | {ran.seconds:.0f} | {ran.cpu:.0f} | {load:.1f} |"
                print(told, flush=True)
            print(f"the same bytes: {len(made) == 1}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
