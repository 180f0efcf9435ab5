"""Load on `deid serve`: many requests at once, a steady stream, and memory.

`python benchmarks/serve.py [--at-once 200] [--stream 2000] [--memory 20000] [--fast]` starts the
service in a process of its own. Each request has 1,000 characters of the shipped summaries with
other digits each time, so that no window of the network is met twice. It prints the table of
`benchmarks/serve.md`.
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
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
SUMMARIES = "".join(
    path.read_text("utf-8") for path in sorted((ROOT / "corpora/sample/discharge").glob("*.txt"))
)
PIECES = len(SUMMARIES) // 1000
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Load:
    """What one run of requests took: seconds each, and the status codes."""

    seconds: list[float] = field(default_factory=list)
    codes: Counter[int] = field(default_factory=Counter)

    def percentile(self, share: float) -> float:
        """Seconds within which that share of the requests was answered."""
        return sorted(self.seconds)[min(len(self.seconds) - 1, int(share * len(self.seconds)))]


def texts():  # type: ignore[no-untyped-def]
    """Texts of 1,000 characters without end."""
    for turn in count():
        for piece in range(PIECES):
            text = SUMMARIES[1000 * piece : 1000 * piece + 1000]
            yield re.sub(r"\d{2,}", lambda m, t=turn: str(int(m[0]) + 7 * t)[-len(m[0]) :], text)


async def ask(address: str, number: int, together: int, source) -> Load:  # type: ignore[no-untyped-def]
    """That many requests, so many of them at a time."""
    load, room = Load(), asyncio.Semaphore(together)
    limits = httpx.Limits(max_connections=together)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=120) as client:

        async def one(text: str) -> None:
            async with room:
                began = time.monotonic()
                answer = await client.post("/analyze", json={"text": text, "language": "en"})
                load.seconds.append(time.monotonic() - began)
                load.codes[answer.status_code] += 1

        await asyncio.gather(*(one(next(source)) for _ in range(number)))
    return load


def memory(process: int) -> int:
    """Resident memory in MB."""
    return (
        int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20
    )


def cpu(process: int) -> float:
    """Seconds of the processor."""
    parts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / _TICKS


def main() -> int:
    """Start the service, ask, print the table."""
    parser = argparse.ArgumentParser()
    for name, number in (("at-once", 200), ("stream", 2000), ("memory", 20_000)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--fast", action="store_true")
    asked = parser.parse_args()
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


def measure(address: str, process: int, asked: argparse.Namespace) -> None:
    """Every run, and a row for each."""
    source = texts()
    asyncio.run(ask(address, 20, 2, source))  # the first requests are not counted
    print(
        "| requests | at a time | median s | 99 % within s | CPU ms each | answered | memory MB |"
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
