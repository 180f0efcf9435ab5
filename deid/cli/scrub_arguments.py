"""The options of `deid scrub`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from deid.cli.arguments import (
    CsvDelimiter,
    Fast,
    IdColumn,
    KnownTables,
    PatientKey,
    PolicySettings,
    Quiet,
    Recognizers,
    ReferenceDate,
    TextColumn,
)
from deid.cli.option_groups import shown_command
from deid.formats import ReadOptions
from deid.jobs import Job
from deid.policy.model import SHIPPED_POLICIES, Policy


@dataclass(frozen=True, kw_only=True)
class ScrubOptions:
    """The options of `deid scrub`, as given."""

    inputs: Annotated[
        list[Path], typer.Argument(metavar="INPUT", help="Files, folders, or - for stdin.")
    ]
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="OUT",
            help="A new folder for the release. Required except with --dry-run.",
        ),
    ] = None
    policy: Annotated[
        str,
        typer.Option(
            metavar="NAME-or-YAML", help="A shipped policy (see `deid policy list`) or a YAML file."
        ),
    ] = "safe_harbor"
    settings: PolicySettings = None
    known: KnownTables = None
    patient_key: PatientKey = None
    crosswalk: Annotated[
        str | None,
        typer.Option(metavar="PATH-or-URL", help="The crosswalk for codes and surrogates."),
    ] = None
    key_file: Annotated[
        Path | None, typer.Option(metavar="F", help="The key file of the crosswalk, mode 0600.")
    ] = None
    reference_date: ReferenceDate = None
    text_column: TextColumn = None
    id_column: IdColumn = None
    group_by: Annotated[
        str | None,
        typer.Option(
            metavar="C", help="For notes stored as one row per line: the column with the note key."
        ),
    ] = None
    order_by: Annotated[
        str | None, typer.Option(metavar="C", help="The column that numbers the lines of a note.")
    ] = None
    delimiter: CsvDelimiter = None
    strict_columns: Annotated[
        bool,
        typer.Option(
            "--strict-columns", help="Withhold every column that the policy does not name."
        ),
    ] = False
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Also remove words that are in no clinical or common list."),
    ] = False
    fast: Fast = False
    recognizers: Recognizers = None
    learned: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The lists that `deid review --learn DIR` wrote."),
    ] = None
    diff: Annotated[
        Path | None,
        typer.Option(
            metavar="F", help="Write a side-by-side page for the reviewer. It holds originals."
        ),
    ] = None
    names_map: Annotated[
        Path | None,
        typer.Option(
            "--names-map",
            metavar="F",
            help="Write a table of renamed columns, tables and files. It holds originals.",
        ),
    ] = None
    engine: Annotated[
        str, typer.Option(metavar="local|spark", help="Run on local processes or on Spark.")
    ] = "local"
    workers: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="The number of processes. The output does not depend on it."
        ),
    ] = 1
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a job that was interrupted or killed.")
    ] = False
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Show what would happen to every column, and write nothing."
        ),
    ] = False
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest as JSON.")] = False
    quiet: Quiet = False
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Do not show progress.")] = (
        False
    )
    operator: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who is responsible for the run, for the evidence (default: the user).",
        ),
    ] = None

    @property
    def shown(self) -> str:
        """The command without its values, for the evidence."""
        plain = ["reference_date", "engine"]
        if self.policy in SHIPPED_POLICIES:
            plain.append("policy")
        return shown_command("deid scrub", self, plain)

    def job(self, inputs: Sequence[Path], out: Path, policy: Policy, day: date) -> Job:
        """The job of these options, with resolved input files and reference date."""
        return Job(
            inputs=tuple(inputs),
            out=out,
            policy=policy,
            reference_date=day,
            known=tuple(self.known or ()),
            patient_key=self.patient_key,
            read=ReadOptions(
                self.delimiter, self.text_column, self.id_column, self.group_by, self.order_by
            ),
            strict_columns=self.strict_columns,
            diff=self.diff,
            names_map=self.names_map,
            workers=self.workers,
            resume=self.resume,
            strict=self.strict,
            learned=self.learned,
            recognizers=self.recognizers,
            run_date=date.today(),
        )
