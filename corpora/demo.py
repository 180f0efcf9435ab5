"""`make demo`: scrub the shipped sample, show it before and after, and name the evidence page."""

from __future__ import annotations

import json
import shutil
import sys
from datetime import UTC, date, datetime
from pathlib import Path

from rich.console import Console
from rich.containers import Lines
from rich.text import Text

from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.release.releasing import Release
from deid.release.run_record import begin_run
from deid.release.sealing import RELEASE_FOLDER as FOLDER
from deid.text.engine import describe, load_finder

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "out"
TABLES = ("patients", "contacts", "encounters", "results", "devices", "notes")
REFERENCE = date(2026, 11, 21)
SHOWN = 14


def main(folder: Path = OUT) -> int:
    """Ten discharge summaries and a linked extract of six tables, all fictional, into a folder."""
    console = Console(width=None if sys.stdout.isatty() else 110)
    shutil.rmtree(folder / "demo", ignore_errors=True)
    (folder / "demo-diff.html").unlink(missing_ok=True)
    folder.mkdir(exist_ok=True)
    extract = [HERE / "clinic" / f"{name}.csv" for name in TABLES]
    job = Job(
        inputs=(HERE / "sample" / "discharge", *extract),
        out=folder / "demo",
        policy=read_policy("safe_harbor"),
        reference_date=REFERENCE,
        known=(HERE / "clinic" / "patients.csv", HERE / "clinic" / "contacts.csv"),
        patient_key="patientId",
        diff=folder / "demo-diff.html",
    )
    finder = load_finder(REFERENCE)
    run = begin_run("corpora/demo.py", None, lambda: datetime.now(UTC))
    release = run_job(job, finder, engine=describe(), run=run)
    if release.out is None:
        console.print("[bold red]held: nothing was released")
        return release.exit_code
    show(console, release.out)
    tell(console, release)
    return release.exit_code


def tell(console: Console, release: Release) -> None:
    """Print the figures, the verdict and the paths of the pages."""
    tally, manifest = release.account.tally, release.manifest
    residual = manifest["residual"]
    lines = (
        (
            f"\n{tally.records_in} records in, {tally.records_out} out, "
            f"{tally.quarantined} quarantined; "
            f"{sum(tally.replaced.values())} identifiers removed"
        ),
        (
            f"{residual['known_values']} known values searched for in "
            f"{residual['searched_bytes']} bytes: {residual['hits']} hits"
        ),
        f"verdict   [bold green]{manifest['verdict']['supported']}[/]",
        "evidence  out/demo/_release/evidence.html",
        "diff      out/demo-diff.html (holds originals)",
    )
    for line in lines:
        console.print(line, highlight=False)


def show(console: Console, out: Path) -> None:
    """The first changed lines of one summary, before and after, in color."""
    name = "summary-01.txt"
    before = (HERE / "sample" / "discharge" / name).read_text("utf-8")
    after = (out / name).read_text("utf-8")
    changes = changes_of_first_record(out)
    old = coloured(before, [(c["start"], c["end"]) for c in changes], "bold red")
    new = coloured(after, [(c["out_start"], c["out_end"]) for c in changes], "bold green")
    console.print(f"The first changed lines of {name}\n", style="bold", highlight=False)
    pairs = [(a, b) for a, b in zip(old, new, strict=True) if a.plain != b.plain]
    for line, scrubbed in pairs[:SHOWN]:
        console.print(Text("- ", "red") + line, soft_wrap=True)
        console.print(Text("+ ", "green") + scrubbed, soft_wrap=True)


def changes_of_first_record(out: Path) -> list[dict[str, int]]:
    """What `changes.jsonl` says of the first file."""
    with (out / FOLDER / "changes.jsonl").open(encoding="utf-8") as lines:
        found: list[dict[str, int]] = json.loads(next(lines))["changes"]
    return found


def coloured(text: str, spans: list[tuple[int, int]], style: str) -> Lines:
    """The lines of a text, its spans in color."""
    whole = Text(text)
    for start, end in spans:
        whole.stylize(style, start, end)
    return whole.split("\n")


if __name__ == "__main__":
    raise SystemExit(main())
