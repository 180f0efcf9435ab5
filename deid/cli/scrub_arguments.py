"""The options of `deid scrub`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from deid.cli.option_groups import shown_command
from deid.formats import ReadOptions, read_layout
from deid.jobs import Job, LocalFiles, local_files
from deid.policy.model import SHIPPED_POLICIES, Policy


@dataclass(frozen=True, kw_only=True)
class ScrubOptions:
    """The options of `deid scrub`, as given."""

    inputs: list[str]
    out: Path | None = None
    policy: str = "safe_harbor"
    settings: list[str] | None = None
    known: list[Path] | None = None
    patient_key: str | None = None
    crosswalk: str | None = None
    key_file: Path | None = None
    reference_date: str | None = None
    text_column: str | None = None
    id_column: str | None = None
    group_by: str | None = None
    order_by: str | None = None
    delimiter: str | None = None
    layout: Path | None = None
    pdf: str = "text"
    rtf: str = "document"
    strict_columns: bool = False
    strict: bool = False
    fast: bool = False
    recognizers: Path | None = None
    learned: Path | None = None
    diff: Path | None = None
    names_map: Path | None = None
    since: Path | None = None
    schema: list[str] | None = None
    where: list[str] | None = None
    to: str | None = None
    partition_by: str | None = None
    engine: str = "local"
    workers: int = 1
    resume: bool = False
    dry_run: bool = False
    as_json: bool = False
    quiet: bool = False
    no_progress: bool = False
    operator: str | None = None

    @property
    def shown(self) -> str:
        """The command without its values, for the evidence."""
        plain = ["reference_date", "engine", "pdf", "rtf"]
        if self.policy in SHIPPED_POLICIES:
            plain.append("policy")
        return shown_command("deid scrub", self, plain)

    def job(self, files: LocalFiles, out: Path, policy: Policy, day: date) -> Job:
        """The job of these options, with its resolved files and reference date."""
        return Job(
            inputs=files.inputs,
            out=out,
            policy=policy,
            reference_date=day,
            known=files.known,
            patient_key=self.patient_key,
            read=ReadOptions(
                self.delimiter,
                self.text_column,
                self.id_column,
                self.group_by,
                self.order_by,
                pdf=self.pdf,
                rtf=self.rtf,
                layout=None if self.layout is None else read_layout(self.layout),
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
            since=files.since,
        )


@contextmanager
def spooled_job(asked: ScrubOptions, out: Path, policy: Policy, day: date) -> Iterator[Job]:
    """Yield the job of these options; inputs that are not files are copied to a private folder.

    Raises:
        DeidError: any error of `local_files`.
    """
    chosen = {"schemas": asked.schema or (), "where": asked.where or ()}
    with local_files(asked.inputs, asked.known or (), asked.since, **chosen) as files:
        yield asked.job(files, out, policy, day)
