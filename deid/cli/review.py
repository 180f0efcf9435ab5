"""`deid review OUT`: the reviewer's web page, its sampling plan, what comes of it."""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deid.cli import need_server, say
from deid.errors import HELD

if TYPE_CHECKING:
    from deid.keys import MasterKey
    from deid.review.batch import Batch
    from deid.review.desk import Desk
    from deid.review.ledger import Ledger
    from deid.review.sampling import Design

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="What `deid scrub -o OUT` wrote.")],
    originals: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="The inputs of the job; read where they lie."),
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", help="0 takes any free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the link only.")] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Draw the sample, print the plan, open no page.")
    ] = False,
    export: Annotated[
        Path | None, typer.Option(metavar="F", help="A new folder: JSON, CSV, brat; then no page.")
    ] = None,
    learn: Annotated[
        Path | None,
        typer.Option(metavar="F", help="A new folder: lists and notes for the next run. Values!"),
    ] = None,
    reviewer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Each gets a link of their own; default: you."),
    ] = None,
    adjudicator: Annotated[
        str | None, typer.Option(metavar="NAME", help="Decides where two reviewers differ.")
    ] = None,
    share: Annotated[
        bool, typer.Option("--share", help="The scrubbed side alone, to project.")
    ] = False,
    rate: Annotated[
        float, typer.Option(metavar="R", help="The share of leaking notes to exclude.")
    ] = 0.01,
    confidence: Annotated[float, typer.Option(metavar="C")] = 0.95,
    leaks: Annotated[int, typer.Option(metavar="N", help="Leaks the plan allows for.")] = 0,
    stratify: Annotated[
        str, typer.Option(metavar="COL", help="`folder`, `file` or a column of the release.")
    ] = "",
    stratum_minimum: Annotated[
        int, typer.Option(metavar="N", help="Notes of every stratum; 59 bound it alone by 5 %.")
    ] = 0,
    per_patient: Annotated[
        int, typer.Option(metavar="N", help="Notes of a patient; 0: whose they are counts not.")
    ] = 1,
    correlation: Annotated[
        float, typer.Option(metavar="ICC", help="How alike the notes of a patient leak.")
    ] = 1.0,
    patient_column: Annotated[
        str, typer.Option(metavar="COL", help="A column of the release that tells patients apart.")
    ] = "",
    known: Annotated[
        list[Path] | None, typer.Option(metavar="TABLE", help="Says who the patients are.")
    ] = None,
    patient_key: Annotated[str | None, typer.Option(metavar="COL")] = None,
    two_stage: Annotated[bool, typer.Option("--two-stage", help="Stop early at no leak.")] = False,
    seeded_leaks: Annotated[
        int, typer.Option(metavar="N", help="Planted, to measure the reviewer.")
    ] = 0,
    sensitivity: Annotated[
        float, typer.Option(metavar="S", help="What share of leaks a reviewer is taken to find.")
    ] = 1.0,
    seed: Annotated[
        str | None, typer.Option(metavar="S", help="The same seed draws the same sample.")
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(metavar="F", help="Seals the comments of reviewers.")
    ] = None,
    delimiter: Annotated[str | None, typer.Option(metavar="C", help="Of CSV.")] = None,
    bind: Annotated[str, typer.Option(metavar="ADDRESS")] = "127.0.0.1",
    remote: Annotated[
        bool, typer.Option("--remote", help="Serve other machines; needs a certificate.")
    ] = False,
    host_name: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    certificate: Annotated[Path | None, typer.Option(metavar="PEM")] = None,
    certificate_key: Annotated[Path | None, typer.Option(metavar="PEM")] = None,
    idle_minutes: Annotated[float, typer.Option(metavar="M", help="Then the page locks.")] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="The plan or figures as JSON.")] = False,
) -> int:
    """Read a fair sample of a release, mark what is wrong, and bound what still leaks.

    Exit codes: 0 done; 2 usage; 3 a leak is confirmed and the release is on hold; 6 OUT, or the
    originals, are not what the manifest says.
    """
    from deid.formats import ReadOptions
    from deid.review.batch import open_batch
    from deid.review.ledger import Ledger, ledger_path
    from deid.review.sampling import Design

    design = Design(
        rate=rate,
        confidence=confidence,
        leaks=leaks,
        stratify=stratify,
        per_patient=per_patient,
        correlation=correlation,
        minimum=stratum_minimum,
        two_stage=two_stage,
        seeded=seeded_leaks,
        sensitivity=sensitivity,
        seed=seed or secrets.token_hex(16),
    )
    batch = open_batch(out, tuple(originals or ()), ReadOptions(delimiter))
    ledger = Ledger(ledger_path(out), batch.digest, lambda: datetime.now(UTC), _key(key_file))
    try:
        patients = (patient_column, tuple(known or ()), patient_key)
        desk, fresh = _desk(batch, ledger, design, patients)
        if plan:
            return _tell_plan(desk, fresh, as_json)
        if export is not None or learn is not None:
            return _finish(desk, export, learn, as_json)
        from deid.review.outcome import record

        need_server("review-not-installed", "the page", "review")
        from deid.review.server import Serving, login_name, serve

        names = tuple(reviewer or ()) or (() if adjudicator else (login_name(),))
        serving = Serving(
            names,
            adjudicator,
            port,
            bind,
            remote,
            tuple(host_name or ()),
            certificate,
            certificate_key,
            share,
            not no_browser,
            idle_minutes,
        )
        serve(desk, serving, say)
        held = record(desk, datetime.now(UTC))
        say(desk.standing().sentence)
        return _told_hold(held)
    finally:
        ledger.close()


def _key(path: Path | None) -> MasterKey | None:
    from deid.keys import read_key_file

    return None if path is None else read_key_file(path)


def _desk(
    batch: Batch,
    ledger: Ledger,
    design: Design,
    patients: tuple[str, tuple[Path, ...], str | None],
) -> tuple[Desk, bool]:
    from deid.review.desk import has_plan, open_desk
    from deid.review.sampling_frame import frame

    units = None if has_plan(ledger) else frame(batch, design.stratify, *patients)
    return open_desk(batch, ledger, units, design)


def _tell_plan(desk: Desk, fresh: bool, as_json: bool) -> int:
    told = desk.plan.as_json()
    if as_json:
        print(json.dumps(told, indent=2))
        return 0
    design = desk.plan.design
    if not fresh:
        say("the sample was drawn before, and stays as it is")
    print(
        f"read {told['notes_to_read']} of {told['notes_in_batch']} notes of {told['patients']} "
        f"patients: {design.leaks} leaks among them exclude a leak rate above {design.rate:.2%} "
        f"at {design.confidence:.0%} ({told['method']})"
    )
    for name, layer in told["strata"].items():
        if name:
            print(f"  {name}: {layer['to_read']} of {layer['notes']}")
    if stages := told["stages"]:
        print(
            f"  first {stages['first']}; with at most {stages['accept']} leaks stop, "
            f"otherwise {stages['second']} more"
        )
    print(f"  seed {design.seed}, {len(desk.seeded)} seeded leaks")
    return 0


def _finish(desk: Desk, export: Path | None, learn: Path | None, as_json: bool) -> int:
    from deid.review.exports import write_export
    from deid.review.learning import write_learned
    from deid.review.outcome import record

    now = datetime.now(UTC)
    if export is not None:
        write_export(desk, export, now)
    if learn is not None:
        write_learned(desk, learn)
    held = record(desk, now)
    standing = desk.standing()
    if as_json:
        print(json.dumps(standing.as_json(), indent=2))
    say(standing.sentence)
    return _told_hold(held)


def _told_hold(held: bool) -> int:
    if held:
        say("error: held: a leak was confirmed; scrub again before this leaves [leak-confirmed]")
    return HELD if held else 0
