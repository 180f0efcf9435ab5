"""Speed, memory and startup compared with default Presidio: writes `speed.md`.

    .venv/bin/python benchmarks/speed.py --spacy-model FOLDER

Every engine runs in a process of its own on the same core; rounds take turns, so that a busy
machine slows all of them alike. `FOLDER` holds the weights of `en_core_web_sm` or `en_core_web_lg`,
which no package registry carries; without it Presidio's row is left out and the page is only
printed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))
CORPORA = ROOT / "corpora"
ENGINES = ("presidio", "default", "fast", "rules")
SHOWN = {
    "presidio": "default Presidio",
    "default": "`Finder.load()`",
    "fast": "`Finder.load(fast=True)`",
    "rules": "rules alone",
}
ROUNDS = 3
SHORT, LONG = 3_000, 2_000_000
LONG_PRESIDIO = 100_000  # more takes it minutes
FIRST = "Seen by Dr. Okafor on 03/14/2023."
COLUMNS = (
    "| engine | notes: characters per second | notes: speed divided by the speed of Presidio "
    "| pieces of 3 kB: characters per second | one long text: characters per second "
    "| start to first finding, CPU s | memory after notes and pieces | memory after the long text |"
)
Search = Callable[[list[str]], Any]


def notes() -> list[str]:
    """The handwritten notes and those of the clinic."""
    files = (CORPORA / "handwritten" / "notes.jsonl", CORPORA / "clinic" / "notes_gold.jsonl")
    return [json.loads(line)["text"] for f in files for line in f.read_text("utf-8").splitlines()]


def turned(turn: int) -> list[str]:
    """The notes with other digits and another beginning, so that none of their windows repeats."""
    table = str.maketrans("0123456789", "".join(str((d + turn) % 10) for d in range(10)))
    return [f"{'* ' * turn}\n{note.translate(table)}\n" for note in notes()]


def long_text(length: int) -> str:
    """All notes repeated with other digits, up to `length` characters."""
    parts: list[str] = []
    turn = 0
    while sum(map(len, parts)) < length:
        turn += 1
        parts += turned(turn)
    return "".join(parts)[:length]


def cut(text: str, size: int) -> list[str]:
    """Pieces of about `size` characters, cut at line breaks."""
    pieces, here = [], 0
    while here < len(text):
        end = text.rfind("\n", here + size // 2, here + size) + 1 or here + size
        pieces.append(text[here:end])
        here = end
    return pieces


def presidio(model: str) -> Search:
    """A default `AnalyzerEngine()`, except for the model's folder and without a network call."""
    import tldextract
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())  # type: ignore[assignment]
    named = {"lang_code": "en", "model_name": model}
    settings = {"nlp_engine_name": "spacy", "models": [named]}
    engine = AnalyzerEngine(
        nlp_engine=NlpEngineProvider(nlp_configuration=settings).create_engine()
    )
    return lambda texts: [engine.analyze(text, language="en") for text in texts]


def ours(engine: str) -> Search:
    from recognizers import Finder

    finder = Finder.load(
        model=engine != "rules", fast=engine == "fast", reference_date=date(2026, 11, 21)
    )
    return finder.find_all


def asked_for(what: str, turn: int, engine: str) -> list[str]:
    if what == "notes":
        return turned(turn)
    if what == "short":
        return cut("".join(turned(turn)), SHORT)
    return [long_text(LONG_PRESIDIO if engine == "presidio" else LONG)]


def child(engine: str, model: str) -> None:
    """Run one engine in this process: print a JSON line of results, then one per line read."""
    began = time.process_time()
    search = presidio(model) if engine == "presidio" else ours(engine)
    search([FIRST])
    row: dict[str, float] = {"first": time.process_time() - began}
    print(json.dumps(row), flush=True)
    for turn, line in enumerate(sys.stdin, 1):
        wanted = asked_for(line.strip(), turn, engine)
        began = time.process_time()
        search(wanted)
        spent = time.process_time() - began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        speed = sum(map(len, wanted)) / spent
        print(json.dumps({"speed": speed, "memory": memory}), flush=True)


class Engine:
    """A child process that runs one engine."""

    def __init__(self, name: str, model: str) -> None:
        self.name = name
        command = [sys.executable, str(Path(__file__)), "--child", name, "--spacy-model", model]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            # Every round but the first starts from compiled modules, as an installed package does.
            env={k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        )
        self.first = float(self._answer()["first"])
        self.speeds: dict[str, list[float]] = {}
        self.memory: dict[str, float] = {}

    def _answer(self) -> dict[str, float]:
        assert self._process.stdout is not None
        answer: dict[str, float] = json.loads(self._process.stdout.readline())
        return answer

    def run(self, what: str) -> None:
        assert self._process.stdin is not None
        print(what, file=self._process.stdin, flush=True)
        answer = self._answer()
        self.speeds.setdefault(what, []).append(answer["speed"])
        self.memory[what] = answer["memory"]

    def speed(self, what: str) -> float:
        return statistics.median(self.speeds[what])

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def measure(model: str) -> list[Engine]:
    """Run every engine on every text, in turns."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    engines = [Engine(name, model) for name in ENGINES if model or name != "presidio"]
    for engine in engines:
        engine.run("notes")
        engine.speeds.clear()
    for what, rounds in (("notes", ROUNDS), ("short", ROUNDS), ("long", 1)):
        for _ in range(rounds):
            for engine in engines:
                engine.run(what)
    for engine in engines:
        engine.close()
    return engines


def page(engines: list[Engine], model: str) -> str:
    base = next((e for e in engines if e.name == "presidio"), None)
    lines = [
        "# Speed and memory compared with default Presidio",
        "",
        "Made by `.venv/bin/python benchmarks/speed.py --spacy-model FOLDER`.",
        "",
        "Each engine runs in a separate process on one core, and the engines take turns after each",
        f"round. Speeds are characters per CPU second: medians of {ROUNDS} rounds, after one round",
        "that is not counted. The long text is read in a single round.",
        "",
        "The engines are default Presidio, this engine with its default network (`Finder.load()`),",
        "this engine with its small network (`Finder.load(fast=True)`), and this engine without a",
        "network (*rules alone*). Each engine reads three inputs:",
        "",
        f"* *Notes*: {len(notes())} notes of `corpora/` with {sum(map(len, notes())):,} characters",
        "  in all.",
        "* *Pieces of 3 kB*: the same notes, cut into pieces of 3,000 characters.",
        f"* *One long text*: {LONG:,} characters (for Presidio {LONG_PRESIDIO:,}). It repeats the",
        "  notes with other digits each time. So the engine computes every part of the text, and",
        "  takes no result from a cache.",
        "",
        f"Load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.",
        f"Processor: {processor()}.",
        "" if base is None else f"Presidio 2.2 ran with the spaCy model `{Path(model).name}`.",
        "",
        COLUMNS,
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for engine in engines:
        times = "-" if base is None else f"{engine.speed('notes') / base.speed('notes'):.1f}"
        lines.append(
            f"| {SHOWN[engine.name]} | {engine.speed('notes'):,.0f} | {times} | "
            f"{engine.speed('short'):,.0f} | {engine.speed('long'):,.0f} | {engine.first:.2f} | "
            f"{engine.memory['short']:.0f} MB | {engine.memory['long']:.0f} MB |"
        )
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def processor() -> str:
    """Name, family and model of the CPU, on which the speed of eight-bit products depends."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    told = {key.strip(): value.strip() for key, _, value in (x.partition(":") for x in lines)}
    return f"{told['model name']}, family {told['cpu family']}, model {told['model']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spacy-model", default="", help="a folder with config.cfg")
    parser.add_argument("--child", choices=ENGINES, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        child(asked.child, asked.spacy_model)
        return
    text = page(measure(asked.spacy_model), asked.spacy_model)
    if not asked.spacy_model:
        print(text)
        return
    (HERE / "speed.md").write_text(text, "utf-8")
    print(f"wrote {HERE / 'speed.md'}")


if __name__ == "__main__":
    main()
