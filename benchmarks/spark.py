"""`--engine local` beside `--engine spark`, the same cores, the same bytes.

`python benchmarks/spark.py [notes] [rows]`, under a Python that has pyspark: that many notes, each
a file of its own, then a plain table of that many rows, in turns. Seconds of the processor are
those of everything that was started, Java too.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SUMMARIES = ROOT / "corpora" / "sample" / "discharge"
ENGINES = {"local": ("--workers", "2"), "spark": ("--workers", "2", "--engine", "spark")}
_BE_PARENT_OF_ORPHANS = 36


@dataclass(frozen=True)
class Run:
    """One job: seconds by the clock and of the processor, what it wrote."""

    seconds: float
    cpu: float
    digest: str


def write_notes(folder: Path, notes: int) -> None:
    """The shipped summaries again and again, with other digits each time."""
    folder.mkdir()
    texts = [path.read_text("utf-8") for path in sorted(SUMMARIES.glob("*.txt"))]
    for number, text in enumerate(islice(_again(texts), notes)):
        (folder / f"note-{number:05}.txt").write_text(text, "utf-8")


def _again(texts: list[str]):  # type: ignore[no-untyped-def]
    for turn in count():
        for text in texts:
            yield re.sub(r"\d{6,}", lambda m, t=turn: str(int(m[0]) + 7 * t).zfill(len(m[0])), text)


def run(engine: str, source: Path, out: Path) -> Run:
    """Scrub it, and wait for all that was started to end."""
    command = [sys.executable, "-m", "deid", "scrub", str(source), "-o", str(out), "--quiet"]
    before, began = _cpu(), time.monotonic()
    subprocess.run([*command, *ENGINES[engine]], cwd=ROOT, check=True)
    seconds = time.monotonic() - began
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return Run(seconds, _cpu() - before, _digest(out))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _digest(out: Path) -> str:
    """Of all that is released but the account, which names the engine."""
    whole = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        if path.name not in ("manifest.json", "evidence.html"):
            whole.update(path.relative_to(out).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def main() -> int:
    """Both engines over both sets, in turns."""
    if importlib.util.find_spec("pyspark") is None:
        print("pyspark is not installed: nothing to measure")
        return 0
    sys.path.insert(0, str(HERE))
    from tables import write

    notes, rows = (int(n) for n in (*sys.argv[1:3], *("240", "400000")[len(sys.argv) - 1 :]))
    ctypes.CDLL(None).prctl(_BE_PARENT_OF_ORPHANS, 1, 0, 0, 0)
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
