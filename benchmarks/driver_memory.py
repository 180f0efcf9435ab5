"""The memory of the process that plans a job, by the size of the extract.

`python benchmarks/driver_memory.py FOLDER...` plans a job over each folder
(`benchmarks/linked_tables.py` writes them), in a process of its own with two workers, up to the
first file. Memory is the resident memory of that process after it gave all free memory back to the
system. With `--trace FILE`, the memory that Python allocated is told by source line.

With `--patients COUNT...`, the structures that the driver keeps are filled with random data for so
many patients, without tables.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from uuid import UUID

import numpy as np
import pyarrow as pa

from deid.jobs.folder import job_folder
from deid.jobs.job import Job
from deid.jobs.orchestration import _prepare_job
from deid.jobs.spark.encrypted_messages import pack_message
from deid.people.packed_features import PackedFeatures
from deid.people.patient_values import PATIENTS_AT_ONCE
from deid.people.patients import People
from deid.policy.model import read_policy
from deid.release.run_record import RunRecord
from deid.residual.packed.packed_forms import FormPortion, PackedForms
from deid.residual.packed.patient_forms import PackedPatient, PatientForms
from deid.text.engine import load_finder
from deid.text.scrubber import Scrubber
from safe_harbor import Identifier

_MB = 1 << 20
_LINES = 40
_FORMS = 94  # distinctive forms of a patient of Synthea
_DATA = bytes(200)
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


def fill(patients: int) -> tuple[People, PatientForms, PackedForms]:
    """What the driver keeps of so many patients, with short random data."""
    chance = random.Random(patients)
    people, forms, features = People(), PatientForms(), PackedFeatures()
    for number in range(patients):
        key = str(UUID(int=chance.getrandbits(128)))
        people._book.add(key, key)
        people._known.add_record(people.persons.number(key), _DATA)
        features.add(number, _DATA)
        forms.add(PackedPatient(key, 10, 9, _DATA))
    people._features = features
    return people, forms, PackedForms(_portions(patients))


def _portions(patients: int) -> Iterator[FormPortion]:
    chance = np.random.default_rng(patients)
    for _ in range(0, patients, PATIENTS_AT_ONCE):
        count = _FORMS * PATIENTS_AT_ONCE
        hashes = chance.integers(0, 1 << 63, count, np.uint64)
        shapes = ((Identifier.NAMES, "anywhere", "", "name", False),)
        codes = np.zeros(count, np.uint16)
        yield FormPortion(shapes, hashes, codes, b"k" * count, 10, hashes[: count // 5])


def _fill_all(counts: Sequence[int]) -> None:
    print("| patients | MB | bytes for each patient more |\n|---|---:|---:|")
    start, before = _resident(), (0, 0.0)
    for patients in counts:
        kept = fill(patients)
        held = _resident() - start
        more = (held - before[1]) * _MB / (patients - before[0])
        print(f"| {patients:,} | {held:.1f} | {more:.0f} |", flush=True)
        before = patients, held
        del kept


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
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--trace", type=Path)
    parser.add_argument("--patients", type=int, nargs="+", default=[])
    asked = parser.parse_args()
    if asked.patients:
        _fill_all(asked.patients)
        return
    if len(asked.folders) == 1:
        print(plan(asked.folders[0].resolve(), asked.trace), flush=True)
        return
    print("| extract | patients | memory MB | of the job | peak MB | message MB | CPU s |")
    print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
    for folder in asked.folders:
        subprocess.run([sys.executable, __file__, folder], check=True)


if __name__ == "__main__":
    main()
