"""Rows per second and peak memory for a table: `deid scrub` and presidio-structured.

`python benchmarks/tables.py [rows] [rows a patient] [--presidio PYTHON] [--presidio-rows N]` makes
a table of twelve columns and scrubs it from CSV to CSV and from Parquet to Parquet, with two
workers. `--presidio` names the interpreter of an environment in which presidio-structured is
installed; it gets the type of each column and processes the first N rows.

With `--comments`, the table has a name, an MRN, a phone number and a different comment in each row.
It is scrubbed with `--fast` and without, and the names that are left in the comments are counted.
`--make F` writes the CSV to a file and stops.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet

from deid.surrogates.lists import family_names, given_names, towns

COMMENTS_HEADER = (
    "mrn,patient_name,phone,birth_date,zip,city,visit_date,sex,icd10_code,result_value,unit,comment"
)
# Each comment names its patient.
COMMENTS = (
    "{first} {last} called about the refill of {drug}; asked to be called back at {phone}.",
    "Spoke with {first}; reports {symptom} since the last visit, {drug} was increased.",
    "Mrs. {last} did not come to the appointment, {symptom} has settled with {drug}.",
    "{last}, {first}: results were discussed, continue {drug} for {symptom}, {number} of {total}.",
    "Patient {first} {last} (MRN {mrn}) complains of {symptom}, no relief from {drug}.",
    "Left a message for {first} about {drug} and the {symptom}; value {number} of {total}.",
    "{first} {last} tolerated {drug} well, {symptom} better, score {number} of {total}.",
)
DRUGS = (
    "metformin", "lisinopril", "atorvastatin", "amlodipine", "omeprazole", "sertraline",
    "gabapentin", "furosemide", "prednisone", "warfarin", "albuterol", "levothyroxine",
)  # fmt: skip
SYMPTOMS = (
    "headache", "back pain", "shortness of breath", "nausea", "dizziness", "fatigue", "cough",
    "knee pain", "swelling of the ankles", "poor sleep", "palpitations", "rash",
)  # fmt: skip
HEADER = (
    "patient_id,patient_name,ssn,birth_date,zip,city,visit_date,sex,icd10_code,result_value,unit,"
    "abnormal_flag"
)
_CODES = (
    "E11.9 E11.65 I10 I25.10 I48.91 J44.9 J45.909 J06.9 K21.9 K57.30 M54.50 M17.11 N18.30 N39.0 "
    "F32.A F41.1 G43.909 G47.33 E78.5 E03.9 E66.9 D64.9 C50.911 C61 R07.9 R10.9 R51.9 Z00.00 "
    "Z23 Z79.4 S93.401A T78.40XA L40.0 H25.13 B34.9 A41.9 O80 Q21.0 P07.30 U07.1"
)
CODES = _CODES.split()
UNITS = ["mg/dL", "mmol/L", "g/dL", "%", "U/L", "10*3/uL", "mEq/L", "ng/mL", "pg/mL", "mm/h"]
FLAGS = ["", "", "", "H", "L", "HH", "LL", "abnormal"]
CHUNK = 100_000
# The ranges of SSNs, of birth dates in days after 1932, and of ZIP codes.
RANGES = ((10**6, 9 * 10**8), (0, 33_000), (1001, 99_950))


def write(path: Path, rows: int, a_patient: int, seed: int = 7) -> None:
    """The table as CSV; every name and number in it is drawn at random."""
    chance = np.random.default_rng(seed)
    patients = max(rows // a_patient, 1)
    people = _People.drawn(patients, chance)
    with path.open("w", encoding="utf-8") as file:
        file.write(HEADER + "\n")
        for start in range(0, rows, CHUNK):
            size = min(CHUNK, rows - start)
            alone = np.arange(start, start + size)
            whose = alone if a_patient == 1 else chance.integers(0, patients, size)
            file.write(_lines(people.cells(whose), size, chance))


def write_comments(path: Path, rows: int, seed: int = 7) -> None:
    """A table with one patient and one comment a row, as CSV."""
    chance = np.random.default_rng(seed)
    people = _People.drawn(rows, chance)
    with path.open("w", encoding="utf-8") as file:
        file.write(COMMENTS_HEADER + "\n")
        for start in range(0, rows, CHUNK):
            size = min(CHUNK, rows - start)
            person = people.cells(np.arange(start, start + size))
            file.write(_comment_lines(person, size, chance))


def _comment_lines(person: list[list[str]], size: int, chance: np.random.Generator) -> str:
    key, name, _, birth, code, town = person
    local = chance.integers(2_000_000, 9_999_999, size)
    phones = [
        f"({a}) {n // 10**4}-{n % 10**4:04}"
        for a, n in zip(chance.choice([207, 312, 415, 617, 715, 919], size), local, strict=True)
    ]
    drawn = chance.integers(0, 1 << 16, (size, 5))
    comments = []
    for row, (pick, drug, symptom, number, total) in enumerate(drawn.tolist()):
        last, _, first = name[row].strip('"').partition(", ")
        words = {"first": first, "last": last, "phone": phones[row], "mrn": key[row]}
        words |= {"drug": DRUGS[drug % len(DRUGS)], "symptom": SYMPTOMS[symptom % len(SYMPTOMS)]}
        text = COMMENTS[pick % len(COMMENTS)]
        comments.append(
            f'"{text.format(**words, number=number % 90 + 10, total=total % 900 + 100)}"'
        )
    days, sex, codes, values, units, _ = _visit_cells(size, chance)
    columns = (key, name, phones, birth, code, town, days, sex, codes, values, units, comments)
    return "".join(",".join(cells) + "\n" for cells in zip(*columns, strict=True))


def names_left(table: Path, released: Path) -> int:
    """The number of comments that still contain the first name or surname of their patient."""
    left = 0
    with (
        table.open(encoding="utf-8", newline="") as one,
        released.open(encoding="utf-8", newline="") as other,
    ):
        for before, after in zip(csv.DictReader(one), csv.DictReader(other), strict=True):
            words = set(re.findall(r"[^\W\d_]+", after["comment"]))
            named = set(re.findall(r"[^\W\d_]+", before["patient_name"]))
            template = re.findall(r"[^\W\d_]+", before["comment"])
            left += any(template.count(word) and word in words for word in named)
    return left


@dataclass(frozen=True)
class _People:
    """The patients by column: keys, indexes in the lists of names and towns, numbers, days."""

    columns: tuple[np.ndarray, ...]
    lists: tuple[np.ndarray, ...]

    @classmethod
    def drawn(cls, count: int, chance: np.random.Generator) -> _People:
        names = [(name, n) for name, (*_, n) in given_names().items()]
        families = [(name, n) for name, (_, n) in family_names().items()]
        lists = [np.array([name for name, _ in some]) for some in (names, families)]
        weights = [np.array([n for _, n in some], float) for some in (names, families)]
        drawn = [chance.choice(len(w), count, p=w / w.sum()) for w in weights]
        keys = chance.permutation(count) + 4_000_000
        numbers = [chance.integers(low, high, count) for low, high in RANGES]
        columns = (keys, *drawn, *numbers, chance.integers(0, len(towns().items), count))
        return cls(columns, (*lists, np.array(towns().items)))

    def cells(self, whose: np.ndarray) -> list[list[str]]:
        """Key, name, SSN, birth date, ZIP and town of each row."""
        key, first, last, ssn, day, code, town = (column[whose] for column in self.columns)
        firsts, lasts, places = self.lists
        names = zip(lasts[last], firsts[first], strict=True)
        return [
            [f"{k:08}" for k in key],
            [f'"{last.title()}, {first.title()}"' for last, first in names],
            [f"{n // 10**6:03}-{n // 10**4 % 100:02}-{n % 10**4:04}" for n in ssn],
            np.datetime_as_string(np.datetime64("1932-01-01") + day).tolist(),
            [f"{n:05}" for n in code],
            places[town].tolist(),
        ]


def _lines(person: list[list[str]], size: int, chance: np.random.Generator) -> str:
    visit = _visit_cells(size, chance)
    return "".join(",".join(cells) + "\n" for cells in zip(*person, *visit, strict=True))


def _visit_cells(size: int, chance: np.random.Generator) -> list[list[str]]:
    """Day, sex, diagnosis, result, unit and flag of each row."""
    days = np.datetime64("2015-01-01") + chance.integers(0, 4000, size)
    values = chance.gamma(4.0, 20.0, size)
    return [
        np.datetime_as_string(days).tolist(),
        chance.choice(["F", "M"], size).tolist(),
        chance.choice(CODES, size).tolist(),
        [f"{value:.1f}" for value in values],
        chance.choice(UNITS, size).tolist(),
        chance.choice(FLAGS, size).tolist(),
    ]


PRESIDIO = """
import sys
import pandas as pd
from presidio_anonymizer.entities import OperatorConfig
from presidio_structured import PandasDataProcessor, StructuredAnalysis, StructuredEngine
frame = pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False, nrows=int(sys.argv[3]))
kinds = dict(patient_id="ID", patient_name="PERSON", ssn="US_SSN", birth_date="DATE", zip="ZIP",
             city="LOCATION", visit_date="DATE")
first = lambda size: OperatorConfig("custom", {"lambda": lambda value: value[:size]})
replaced = OperatorConfig("replace", {"new_value": "[X]"})
operators = dict(DEFAULT=replaced, DATE=first(4), ZIP=first(3))
engine = StructuredEngine(PandasDataProcessor())
engine.anonymize(frame, StructuredAnalysis(entity_mapping=kinds), operators).to_csv(
    sys.argv[2], index=False)
"""


@dataclass(frozen=True)
class Run:
    """One command: wall seconds, CPU seconds, and the peak memory of its first process."""

    wall: float
    cpu: float
    megabytes: float

    def line(self, name: str, rows: int) -> str:
        """A row of the table in tables.md."""
        return (
            f"| {name} | {rows:,} | {self.wall:.1f} | {self.cpu:.1f} | {rows / self.wall:,.0f} "
            f"| {rows / self.cpu:,.0f} | {self.megabytes:.0f} |"
        )


def run(command: list[str]) -> Run:
    """Run the command to its end; its output is not shown."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} ended with {os.waitstatus_to_exitcode(status)}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(time.perf_counter() - start, cpu, used.ru_maxrss / 1024)


def main() -> None:
    """Make the tables, scrub them, print a line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", type=int, nargs="?", default=100_000)
    parser.add_argument("a_patient", type=int, nargs="?", default=4)
    parser.add_argument("--comments", action="store_true")
    parser.add_argument("--make", type=Path)
    parser.add_argument("--workers", default="2")
    parser.add_argument("--presidio")
    parser.add_argument("--presidio-rows", type=int, default=20_000)
    asked = parser.parse_args()
    if asked.make is not None:
        _make(asked.make, asked)
        return
    print("| what | rows | s | CPU s | rows/s | rows/CPU s | peak MB |")
    with tempfile.TemporaryDirectory() as name:
        table = Path(name) / "table.csv"
        _make(table, asked)
        if asked.comments:
            _scrub_comments(table, asked.rows, asked.workers)
        else:
            _scrub_structured(table, asked)


def _make(table: Path, asked: argparse.Namespace) -> None:
    if asked.comments:
        write_comments(table, asked.rows)
    else:
        write(table, asked.rows, asked.a_patient)


def _scrub(table: Path, out: Path, workers: str, *options: str) -> Run:
    deid = str(Path(sys.executable).with_name("deid"))
    return run([deid, "scrub", str(table), "-o", str(out), "--workers", workers, "-q", *options])


def _scrub_comments(table: Path, rows: int, workers: str) -> None:
    for options in (("--fast",), ()):
        out = table.with_name("-".join(("out", *options)))
        done = _scrub(table, out, workers, *options)
        print(done.line(" ".join(("deid scrub, comments", *options)), rows), flush=True)
        print(f"names left: {names_left(table, out / table.name)}", flush=True)


def _scrub_structured(table: Path, asked: argparse.Namespace) -> None:
    _to_parquet(table, table.with_suffix(".parquet"))
    for kind in ("csv", "parquet"):
        done = _scrub(table.with_suffix(f".{kind}"), table.with_name(f"out-{kind}"), asked.workers)
        print(done.line(f"deid scrub, {kind}", asked.rows), flush=True)
    if asked.presidio:
        rows = min(asked.presidio_rows, asked.rows)
        target = str(table.with_name("presidio.csv"))
        done = run([asked.presidio, "-c", PRESIDIO, str(table), target, str(rows)])
        print(done.line("presidio-structured, csv", rows))


def _to_parquet(table: Path, target: Path) -> None:
    """Write the table as Parquet: numbers and dates typed, keys and ZIP codes as text."""
    text = {"patient_id": pa.string(), "zip": pa.string()}
    options = pa_csv.ConvertOptions(column_types=text)
    reader = pa_csv.open_csv(table, convert_options=options)
    with reader, pa_parquet.ParquetWriter(target, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


if __name__ == "__main__":
    main()
