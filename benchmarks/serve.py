"""Load on `deid serve`: many requests at once, a steady stream, and memory.

`python benchmarks/serve.py [--at-once 200] [--stream 2000] [--memory 20000] [--fast]` starts the
service in a process of its own. Each request has 1,000 characters of the shipped summaries with
other digits each time, so that no window of the network repeats. `--parts` starts no service: it
measures the CPU time of each part of the search. Both print tables of `benchmarks/serve.md`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
SUMMARIES = "".join(
    path.read_text("utf-8") for path in sorted((ROOT / "corpora/sample/discharge").glob("*.txt"))
)
PIECES = len(SUMMARIES) // 1000
PARTS_ROUNDS = 5
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Load:
    """The results of one run of requests: the seconds of each, and the status codes."""

    seconds: list[float] = field(default_factory=list)
    codes: Counter[int] = field(default_factory=Counter)

    def percentile(self, share: float) -> float:
        """Seconds within which that share of the requests was answered."""
        return sorted(self.seconds)[min(len(self.seconds) - 1, int(share * len(self.seconds)))]


def texts() -> Iterator[str]:
    """An endless series of texts of 1,000 characters."""
    for turn in count():
        for piece in range(PIECES):
            text = SUMMARIES[1000 * piece : 1000 * piece + 1000]
            yield re.sub(r"\d{2,}", lambda m, t=turn: str(int(m[0]) + 7 * t)[-len(m[0]) :], text)


async def ask(address: str, number: int, together: int, source) -> Load:  # type: ignore[no-untyped-def]
    """Send `number` requests over `together` connections, one after another on each connection.

    It uses plain sockets, because a client library takes as long for a request as the service.
    """
    load, left = Load(), iter([next(source) for _ in range(number)])
    host, port = address.removeprefix("http://").split(":")

    async def one() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        for text in left:
            body = json.dumps({"text": text, "language": "en"}).encode()
            head = f"POST /analyze HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            began = time.monotonic()
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
            length = re.search(r"(?i)content-length: (\d+)", answer)
            await reader.readexactly(int(length[1]) if length else 0)
            load.seconds.append(time.monotonic() - began)
            load.codes[int(answer.split()[1])] += 1
        writer.close()

    await asyncio.gather(*(one() for _ in range(together)))
    return load


def family(process: int) -> list[int]:
    """The service and the processes that it started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, children)]


def memory(process: int) -> int:
    """Memory in MB of the service and its processes; shared memory is counted once."""
    rows = (Path(f"/proc/{one}/smaps_rollup").read_text() for one in family(process))
    return sum(int(re.findall(r"(?m)^Pss:\s+(\d+)", row)[0]) for row in rows) >> 10


def cpu(process: int) -> float:
    """CPU seconds of the service and its processes."""
    stats = (Path(f"/proc/{one}/stat").read_text().rpartition(")")[2] for one in family(process))
    return sum(int(part) for stat in stats for part in stat.split()[11:13]) / _TICKS


def main() -> int:
    """Start the service, send the requests, print the table."""
    parser = argparse.ArgumentParser()
    for name, number in (("at-once", 200), ("stream", 2000), ("memory", 20_000)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--parts", action="store_true")
    asked = parser.parse_args()
    if asked.parts:
        print_parts(asked.fast)
        return 0
    command = [sys.executable, "-m", "deid", "serve", "--port", "0"]
    command += ["--fast"] if asked.fast else []
    service = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    try:
        assert service.stderr is not None
        found = re.search(r"http://\S+?(?=;)", service.stderr.readline())
        assert found
        print(json.dumps({"load of the machine": os.getloadavg(), "cores": os.cpu_count()}))
        measure(found[0], service.pid, asked)
    finally:
        service.terminate()
        service.wait(20)
    return 0


def print_parts(fast: bool) -> None:
    """Print the CPU milliseconds of each part for a text: in batches of sixteen, and alone."""
    import spacy

    import deid
    from recognizers import Finder
    from recognizers.model.network import read_all
    from recognizers.presidio.spacy_component import FindingComponent

    finder = Finder.load(fast=fast)
    assert finder.model is not None
    model, pipeline, component = finder.model, spacy.blank("en"), FindingComponent(finder)
    engine = deid.Deidentifier(fast=fast)
    source = texts()

    def ready(some: list[str]) -> Callable[[], object]:
        """A call of the decision on texts that rules and network have already read."""
        readings = finder.read(some, finder.modelled(some))
        return lambda: finder.decided(readings)

    def described(some: list[str]) -> Callable[[], object]:
        docs = list(map(pipeline.make_doc, some))
        return lambda: list(component.pipe(docs, 16))

    parts: dict[str, Callable[[list[str]], Callable[[], object]]] = {
        "cutting into word pieces": lambda some: lambda: model.encode_all(some),
        "word pieces and network": lambda some: lambda: read_all(model, some),
        "rules": lambda some: lambda: finder.read(some, [None] * len(some)),
        "decision": ready,
        "whole search": lambda some: lambda: finder.find_all(some),
        "spaCy component, without tokenizing": described,
        "spaCy's tokenizer": lambda some: lambda: list(map(pipeline.make_doc, some)),
        "scrub_texts": lambda some: lambda: engine.scrub_texts(some),
    }
    print(json.dumps({"load of the machine": os.getloadavg(), "cores": os.cpu_count()}))
    print("| part | ms in batches of 16 | ms one by one |\n|---|---:|---:|")
    taken: dict[tuple[str, int], list[float]] = {}
    for _ in range(PARTS_ROUNDS + 1):  # in turns; the first round is not counted
        for name, part in parts.items():
            for size in (16, 1):
                spent = 0.0
                for _ in range(64 // size):
                    call = part(list(islice(source, size)))
                    began = time.process_time()
                    call()
                    spent += time.process_time() - began
                taken.setdefault((name, size), []).append(1000 * spent / 64)
    for name in parts:
        together, alone = (median(taken[name, size][1:]) for size in (16, 1))
        print(f"| {name} | {together:.2f} | {alone:.2f} |", flush=True)


def measure(address: str, process: int, asked: argparse.Namespace) -> None:
    """Do every run, and print a row for each."""
    source = texts()
    asyncio.run(ask(address, 20, 2, source))  # the first requests are not counted
    print(
        "| requests | at a time | median s | 99 % take at most, s | CPU ms per request "
        "| HTTP status: answers | memory MB |"
    )
    print("|---:|---:|---:|---:|---:|---|---:|")
    runs = [(asked.at_once, asked.at_once), (asked.stream, 8), (asked.stream, 2)]
    runs += [(asked.memory // 4, 8)] * 4
    for number, together in runs:
        before = cpu(process)
        load = asyncio.run(ask(address, number, together, source))
        each = 1000 * (cpu(process) - before) / max(1, number)
        codes = ", ".join(f"{code}: {times}" for code, times in sorted(load.codes.items()))
        print(
            f"| {number} | {together} | {load.percentile(0.5):.2f} | {load.percentile(0.99):.2f} |"
            f" {each:.1f} | {codes} | {memory(process)} |",
            flush=True,
        )


if __name__ == "__main__":
    raise SystemExit(main())
