"""`make demo`: scrub the shipped sample, show before and after, and say where the evidence lies."""

from __future__ import annotations

import shutil
import sys
from datetime import date
from pathlib import Path

from rich.console import Console
from rich.text import Text

from deid.engine import describe, load_finder
from deid.job import Job, scrub
from deid.policy import read_policy
from deid.release import FOLDER

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "out"
TABLES = ("patients", "contacts", "encounters", "results", "devices", "notes")
REFERENCE = date(2026, 11, 21)
SHOWN = 14


def main() -> int:
    """Ten discharge summaries and a linked extract of six tables, all fictional."""
    console = Console(width=None if sys.stdout.isatty() else 110, force_terminal=True)
    shutil.rmtree(OUT / "demo", ignore_errors=True)
    (OUT / "demo-diff.html").unlink(missing_ok=True)
    OUT.mkdir(exist_ok=True)
    extract = [HERE / "clinic" / f"{name}.csv" for name in TABLES]
    job = Job(
        inputs=(HERE / "sample" / "discharge", *extract),
        out=OUT / "demo",
        policy=read_policy("safe_harbor"),
        reference_date=REFERENCE,
        known=(HERE / "clinic" / "patients.csv", HERE / "clinic" / "contacts.csv"),
        patient_key="patientId",
        diff=OUT / "demo-diff.html",
    )
    finder = load_finder(REFERENCE)
    release = scrub(job, finder, engine=describe())
    if release.out is None:
        console.print("[bold red]held: nothing was released")
        return release.exit_code
    show(console, release.out)
    tally, manifest = release.account.tally, release.manifest
    console.print()
    console.print(
        f"[bold]{tally.records_in}[/] records in, [bold]{tally.records_out}[/] out, "
        f"[bold]{tally.quarantined}[/] quarantined; "
        f"[bold]{sum(tally.replaced.values())}[/] identifiers taken out"
    )
    residual = manifest["residual"]
    console.print(
        f"[bold]{residual['known_values']}[/] known values searched for in "
        f"[bold]{residual['searched_bytes']}[/] bytes: [bold]{residual['hits']}[/] still there"
    )
    console.print(f"verdict   [bold green]{manifest['verdict']['supported']}")
    console.print(f"evidence  {(release.out / FOLDER / 'evidence.html').relative_to(HERE.parent)}")
    console.print("diff      out/demo-diff.html (holds originals)")
    return 0


def show(console: Console, out: Path) -> None:
    """The first lines of one summary, before and after, in colour."""
    name = "summary-01.txt"
    before = (HERE / "sample" / "discharge" / name).read_text("utf-8").splitlines()
    after = (out / name).read_text("utf-8").splitlines()
    console.print(f"[bold]{name}[/], its first changed lines\n")
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    for old, new in pairs[:SHOWN]:
        console.print(Text("- ", "red") + coloured(old, new, "red"), soft_wrap=True)
        console.print(Text("+ ", "green") + coloured(new, old, "green"), soft_wrap=True)


def coloured(line: str, other: str, colour: str) -> Text:
    """The line, with what the other one does not have in colour."""
    from difflib import SequenceMatcher

    text = Text()
    matcher = SequenceMatcher(None, line, other, autojunk=False)
    for kind, start, end, _, _ in matcher.get_opcodes():
        if start < end:
            text.append(line[start:end], "" if kind == "equal" else f"bold {colour}")
    return text


if __name__ == "__main__":
    raise SystemExit(main())
