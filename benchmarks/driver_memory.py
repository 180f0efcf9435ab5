"""The memory of the process that plans a job, by the size of the extract.

`python benchmarks/driver_memory.py FOLDER...` plans a job over each folder
(`benchmarks/linked_tables.py` writes them), in a process of its own with two workers, up to the
first file. Memory is the resident memory of that process after it gave all free memory back to the
system. With
`--trace FILE`, the memory that Python allocated is told by source line.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from datetime import date
from pathlib import Path

import pyarrow as pa

from deid.jobs.folder import job_folder
from deid.jobs.job import Job
from deid.jobs.orchestration import _prepare_job
from deid.jobs.spark.encrypted_messages import pack_message
from deid.policy.model import read_policy
from deid.release.run_record import RunRecord
from deid.text.engine import load_finder
from deid.text.scrubber import Scrubber

_MB = 1 << 20
_LINES = 40
_DAY = date(2026, 1, 1)


def plan(folder: Path, traced: Path | None) -> str:
    """Plan a job over this folder, and return its row of the table."""
    finder = load_finder(_DAY, fast=True)
    start = _resident()
    if traced is not None:
        tracemalloc.start()
    began = time.process_time()
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        out = Path(name) / "out"
        job = Job((folder,), out, read_policy("safe_harbor"), _DAY, workers=2)
        with job_folder(job.out, resume=False) as place:
            scrubber = Scrubber(job.policy, finder, job.reference_date, None, None)
            account = _prepare_job(job, place, scrubber, None, {}, None, RunRecord())
            used = time.process_time() - began
            held, peak = _resident(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            if traced is not None:
                _write_trace(traced)
            work = place.root / "work"
            message = len(pack_message(account.shared, None, work)) / _MB
        patients = len(account.shared.people)
    figures = f"{held:.1f} | {held - start:.1f} | {peak:.0f} | {message:.2f} | {used:.0f}"
    return f"| {folder.name} | {patients:,} | {figures} |"


def _resident() -> float:
    """The resident memory of this process in MB, without what is free."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _MB


def _write_trace(path: Path) -> None:
    found = tracemalloc.take_snapshot().statistics("lineno")
    path.write_text("".join(f"{line}\n" for line in found[:_LINES]), "utf-8")


def main() -> None:
    """Plan a job over each folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--trace", type=Path)
    asked = parser.parse_args()
    if len(asked.folders) == 1:
        print(plan(asked.folders[0].resolve(), asked.trace), flush=True)
        return
    print("| extract | patients | memory MB | of the job | peak MB | message MB | CPU s |")
    print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
    for folder in asked.folders:
        subprocess.run([sys.executable, __file__, folder], check=True)


if __name__ == "__main__":
    main()
