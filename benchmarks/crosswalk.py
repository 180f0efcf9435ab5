"""The speed of a crosswalk, and how it behaves with concurrent and killed processes.

    python benchmarks/crosswalk.py throughput|contention|kills [--postgresql URL]

Without a URL the store is a SQLite file in a temporary folder; the database of a URL must be empty.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from deid.crosswalk import Crosswalk, back_up, rotate, verify
from deid.crosswalk.keys.master_keys import SecretKey, create_key_file
from deid.errors import DeidError
from safe_harbor import Identifier as I

_FORK = multiprocessing.get_context("fork")
BATCH = 10_000
SIZE = 100_000
PROCESSES, EACH, POOL = 8, 50_000, 80_000
KILLS = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("throughput", "contention", "kills"))
    parser.add_argument("--postgresql", metavar="URL")
    parser.add_argument("--batch", type=int, default=BATCH)
    asked = parser.parse_args()
    globals()["BATCH"] = asked.batch
    with tempfile.TemporaryDirectory() as folder:
        key = create_key_file(Path(folder) / "key")
        place = _place(asked.postgresql, Path(folder), "book")
        run = {"throughput": throughput, "contention": contention, "kills": kills}[asked.what]
        print(json.dumps(run(place, key, Path(folder)), indent=2))


def _place(url: str | None, folder: Path, name: str) -> str | Path:
    return folder / f"{name}.db" if url is None else url


@contextmanager
def _timed(into: dict[str, Any], name: str, count: int) -> Iterator[None]:
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    into[f"{name}_per_second"] = round(count / (time.perf_counter() - wall))
    into[f"{name}_per_cpu_second"] = round(count / (time.process_time() - cpu))


def throughput(place: str | Path, key: SecretKey, folder: Path) -> dict[str, Any]:
    """Allocations and look-ups of 100,000 identifiers in batches; each of 3 kinds has its store."""
    report: dict[str, Any] = {"identifiers": SIZE, "batch": BATCH}
    for kind, form in ((I.MRNS, "MRN{:07d}"), (I.PHONES, "(555) {:07d}"), (I.NAMES, "Ana {:07d}")):
        items = [(f"p{n}", form.format(n)) for n in range(SIZE)]
        batches = [items[at : at + BATCH] for at in range(0, SIZE, BATCH)]
        mine: dict[str, Any] = {}
        where = place.with_name(f"{kind.value}.db") if isinstance(place, Path) else place
        make = Crosswalk.open if kind is not I.MRNS and where == place else Crosswalk.create
        with make(where, key) as book:
            for what in ("allocations", "lookups"):
                with _timed(mine, what, SIZE):
                    for batch in batches:
                        book.codes(kind, batch)
            if isinstance(where, Path):
                mine["bytes_per_identifier"] = round(where.stat().st_size / SIZE)
            if kind is I.NAMES:
                rows = sum(book.counts().values())
                with _timed(report, "rows_verified", rows):
                    faults = verify(book)
                with _timed(report, "rows_rotated", rows):
                    rotate(book)
                report["faults"] = len(faults) + len(verify(book))
        report[kind.value] = mine
    return report


def _crowd(place: str | Path, key: SecretKey, seed: int, out: Connection) -> None:
    people = [(f"p{n}", f"MRN{n:07d}") for n in range(POOL)]
    mine = random.Random(seed).sample(people, EACH)
    codes: dict[str, str] = {}
    with Crosswalk.open(place, key) as book:
        for start in range(0, EACH, 1000):
            batch = mine[start : start + 1000]
            given = book.codes(I.MRNS, batch)
            codes.update((value, code) for (_, value), code in zip(batch, given, strict=True))
    out.send(codes)


def contention(place: str | Path, key: SecretKey, folder: Path) -> dict[str, Any]:
    """Eight processes at once, each with 50,000 overlapping identifiers."""
    Crosswalk.create(place, key).close()
    start, ends = time.perf_counter(), []
    for seed in range(PROCESSES):
        here, there = _FORK.Pipe(duplex=False)
        _FORK.Process(target=_crowd, args=(place, key, seed, there)).start()
        there.close()
        ends.append(here)
    answers = [end.recv() for end in ends]
    seconds = time.perf_counter() - start
    agreed: dict[str, str] = {}
    disagreements = sum(
        agreed.setdefault(value, code) != code
        for answer in answers
        for value, code in answer.items()
    )
    with Crosswalk.open(place, key) as book:
        return {
            "processes": PROCESSES,
            "asked": sum(map(len, answers)),
            "distinct": len(agreed),
            "disagreements": disagreements,
            "codes_given_twice": len(agreed) - len(set(agreed.values())),
            "rows": sum(book.counts().values()),
            "faults": len(verify(book)),
            "seconds": round(seconds, 1),
        }


def _killed(work: Callable[[Connection], None], after: float) -> list[Any]:
    here, there = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=work, args=(there,))
    child.start()
    there.close()
    said = [here.recv()]
    time.sleep(after)
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    while True:
        try:
            said.append(here.recv())
        except EOFError:
            return said


def kills(place: str | Path, key: SecretKey, folder: Path) -> dict[str, Any]:
    """Forty processes killed at random in each of allocation, rotation and backup."""
    with Crosswalk.create(place, key):
        pass
    chance = random.Random(514)
    told: dict[str, str] = {}
    report: dict[str, Any] = {"kills_of_each": KILLS}
    report["allocation"] = _kill_allocations(place, key, chance, told)
    current, report["rotation"] = _kill_rotations(place, key, chance, told, folder)
    report["backup"] = _kill_backups(place, current, chance, told, folder)
    return report


def _kill_allocations(
    place: str | Path, key: SecretKey, chance: random.Random, told: dict[str, str]
) -> dict[str, int]:
    lost = 0
    for _ in range(KILLS):
        order = chance.sample(range(20_000), 20_000)

        def work(out: Connection, order: list[int] = order) -> None:
            with Crosswalk.open(place, key) as book:
                for start in range(0, len(order), 50):
                    values = [f"MRN{n:07d}" for n in order[start : start + 50]]
                    codes = book.codes(I.MRNS, [("p", value) for value in values])
                    out.send(dict(zip(values, codes, strict=True)))

        for answer in _killed(work, chance.uniform(0, 0.15)):
            lost += sum(told.setdefault(value, code) != code for value, code in answer.items())
    return {"told": len(told), "doubled": lost, **_state(place, key, told)}


def _state(place: str | Path, key: SecretKey, told: dict[str, str]) -> dict[str, int]:
    with Crosswalk.open(place, key, accept_older=True) as book:
        codes = book.codes(I.MRNS, [("p", value) for value in told])
        faults = [fault for fault in verify(book) if fault.code != "rolled-back"]
        book.forget()
    lost = sum(a != b for a, b in zip(codes, told.values(), strict=True))
    return {"lost": lost, "faults": len(faults)}


def _kill_rotations(
    place: str | Path, key: SecretKey, chance: random.Random, told: dict[str, str], folder: Path
) -> tuple[SecretKey, dict[str, int]]:
    other = create_key_file(folder / "other")
    current, changed, bad = key, 0, 0
    for _ in range(KILLS):

        def work(out: Connection, master: SecretKey = current) -> None:
            book = Crosswalk.open(place, master)
            out.send("ready")
            while True:
                rotate(book, master=other if book.master is key else key)

        _killed(work, chance.uniform(0, 3.0))
        opening = [one for one in (key, other) if _opens(place, one)]
        bad += len(opening) != 1
        changed += opening[0] is not current
        current = opening[0]
    return current, {
        "keys_that_open_not_one": bad,
        "changed": changed,
        **_state(place, current, told),
    }


def _opens(place: str | Path, key: SecretKey) -> bool:
    try:
        Crosswalk.open(place, key).close()
    except DeidError:
        return False
    return True


def _kill_backups(
    place: str | Path, key: SecretKey, chance: random.Random, told: dict[str, str], folder: Path
) -> dict[str, int]:
    backups = folder / "backups"
    backups.mkdir()
    for _ in range(KILLS):

        def work(out: Connection) -> None:
            book = Crosswalk.open(place, key)
            out.send("ready")
            while True:
                back_up(book, backups / f"{len(list(backups.glob('*.db')))}.db")

        _killed(work, chance.uniform(0, 1.0))
    bad = 0
    whole = sorted(backups.glob("*.db"))
    for backup in whole:
        state = _state(backup, key, told)
        bad += state["lost"] + state["faults"] > 0
    return {"backups": len(whole), "bad_backups": bad, **_state(place, key, told)}


if __name__ == "__main__":
    main()
