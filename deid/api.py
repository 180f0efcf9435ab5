"""The commands as Python functions, with the same names and results. They print nothing.

Where a command prints an error, the function raises `DeidError`. The result of the function holds
what the command reports by its exit code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from deid.columns.column_profiles import describe_columns as described
from deid.evaluation.gold import LabelMap, read_gold
from deid.evaluation.scoring import Report
from deid.evaluation.scoring import evaluate_findings as scored
from deid.evaluation.timing import timed_findings
from deid.formats import Layout, ReadOptions, members_of, open_source, read_layout
from deid.formats.targets.contract import LoadedRelease
from deid.in_memory.brought_findings import BroughtFinding
from deid.in_memory.deidentifier import Deidentifier, KnownInMemory
from deid.in_memory.results import Frame, ScrubbedFrame, ScrubbedText
from deid.installation import InstallationCheck, check_installation
from deid.jobs import Job, Progress, ignore_progress, local_files, prepared_job, refuse_engine
from deid.jobs.find_job import find_documents
from deid.object_stores.staged_release import release_place
from deid.policy.draft import Proposal, propose_columns
from deid.policy.model import Policy, read_policy
from deid.release.loading import load_release, target_of
from deid.release.release_check import Checked, check_release
from deid.release.releasing import Release
from deid.release.run_record import begin_run, utc_now
from deid.spool import spooled
from deid.text.engine import load_finder

Place = str | Path
Inputs = Place | Sequence[Place]


def scrub(
    inputs: Inputs,
    out: Place,
    *,
    policy: Place | Policy = "safe_harbor",
    known: Inputs = (),
    patient_key: str | None = None,
    crosswalk: Place | None = None,
    key_file: Place | None = None,
    reference_date: date | None = None,
    delimiter: str | None = None,
    text_column: str | None = None,
    id_column: str | None = None,
    group_by: str | None = None,
    order_by: str | None = None,
    strict_columns: bool = False,
    strict: bool = False,
    fast: bool = False,
    learned: Place | None = None,
    recognizers: Place | None = None,
    diff: Place | None = None,
    names_map: Place | None = None,
    engine: str = "local",
    workers: int = 0,
    resume: bool = False,
    progress: Progress | None = None,
    operator: str | None = None,
    since: Place | None = None,
    pdf: str = "text",
    rtf: str = "document",
    layout: Place | None = None,
    schema: Sequence[str] = (),
    where: Sequence[str] = (),
) -> Release:
    """De-identify files, then search the output for every known value (`deid scrub`).

    `release.out` is the folder written, None if the job was held. `release.manifest` and
    `release.exit_code` are those of the command. `engine` is `local` or `spark`. `local` uses
    `workers` processes (0: this process does the work). `spark` uses the active session or, without
    one, starts a local session that runs `workers` tasks at a time. `reference_date`, from which
    ages are computed, defaults to today. `recognizers` is a YAML file of your own recognizers
    (docs/guides/identifiers.md). `operator` is named in the evidence and defaults to the system
    user. `since` is an earlier release: files that it holds are not released again. `pdf` is
    `text`, `markdown` or `redacted`, which writes new pages for a PDF; `rtf` is `document` or
    `text`. `layout` is the layout of fixed-width files (docs/guides/extracts.md). If an input is
    the URL of a database, `schema` and `where` select what is read from it, as `--schema` and
    `--where` do. Inputs, `out`, `known` and `since` may be in an object store.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> _ = (place / "note.txt").write_text("Seen by Dr. Okafor on 03/14/2023.")
    >>> release = scrub(place / "note.txt", place / "out")
    >>> release.manifest["verdict"]["supported"], (release.out / "note.txt").read_text()
    ('safe_harbor', 'Seen by Dr. [NAME] on 2023.')

    Raises:
        DeidError: any error that ends the command; its `exit_code` is that of the command.
    """
    refuse_engine(engine)
    run = begin_run("deid.scrub", operator, utc_now)
    chosen = _chosen_policy(policy)
    read = ReadOptions(
        *(delimiter, text_column, id_column, group_by, order_by),
        pdf=pdf,
        rtf=rtf,
        layout=_layout_at(layout),
    )
    places = _as_places(inputs)
    with (
        release_place(out, places, resume=resume) as staged,
        local_files(places, _as_places(known), since, schemas=schema, where=where) as files,
    ):
        job = Job(
            inputs=files.inputs,
            out=staged.path,
            policy=chosen,
            reference_date=reference_date or date.today(),
            known=files.known,
            patient_key=patient_key,
            read=read,
            strict_columns=strict_columns,
            diff=_path_or_none(diff),
            names_map=_path_or_none(names_map),
            workers=workers,
            resume=resume,
            strict=strict,
            learned=_path_or_none(learned),
            recognizers=_path_or_none(recognizers),
            run_date=date.today(),
            since=files.since,
        )
        with prepared_job(job, crosswalk, key_file, engine=engine, fast=fast) as run_prepared:
            release = run_prepared(progress=progress or ignore_progress, run=run)
        if release.out is not None:
            staged.publish()
            release = replace(release, out=Path(out))
        return release


def scrub_text(
    text: str,
    policy: Place | Policy = "safe_harbor",
    known: KnownInMemory | None = None,
    findings: Sequence[BroughtFinding] | None = None,
) -> ScrubbedText:
    """De-identify one text in memory. For many texts load a `Deidentifier` once.

    >>> scrub_text("Seen by Dr. Okafor on 03/14/2023.").text
    'Seen by Dr. [NAME] on 2023.'

    Raises:
        DeidError: as `Deidentifier.scrub_text`.
    """
    return engine_for(policy).scrub_text(text, known, findings)


def scrub_texts(
    texts: Sequence[str],
    policy: Place | Policy = "safe_harbor",
    known: Sequence[KnownInMemory | None] | None = None,
    patients: Sequence[str | None] | None = None,
) -> list[ScrubbedText]:
    """De-identify texts in memory, one result each: see `Deidentifier.scrub_texts`.

    >>> [result.text for result in scrub_texts(["Call 617-555-0142.", "BP 120/80."])]
    ['Call [PHONE].', 'BP 120/80.']
    """
    return engine_for(policy).scrub_texts(texts, known, patients)


def scrub_frame(
    frame: Frame,
    *,
    policy: Place | Policy = "safe_harbor",
    text_columns: Sequence[str] = (),
    known: Any = None,
    patient_key: str | None = None,
    table: str = "frame",
    strict_columns: bool = False,
) -> ScrubbedFrame[Frame]:
    """De-identify a pandas, polars or Arrow frame in memory: see `Deidentifier.scrub_frame`.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"mrn": ["A-771234", "A-771235"], "potassium": [4.1, 3.9]})
    >>> scrub_frame(frame).frame.to_dict("list")
    {'mrn': ['[ID-1]', '[ID-2]'], 'potassium': [4.1, 3.9]}
    """
    return engine_for(policy).scrub_frame(
        frame,
        text_columns=text_columns,
        known=known,
        patient_key=patient_key,
        table=table,
        strict_columns=strict_columns,
    )


def engine_for(policy: Place | Policy) -> Deidentifier:
    """The engine of a policy. Later calls with the same policy on the same day reuse it."""
    chosen = _chosen_policy(policy)
    key = chosen.sha256, date.today()
    if key not in _engines:
        _engines.clear()  # a model takes hundreds of megabytes
        _engines[key] = Deidentifier(chosen, reference_date=key[1])
    return _engines[key]


_engines: dict[tuple[str, date], Deidentifier] = {}


def find(
    inputs: Inputs,
    *,
    known: Inputs = (),
    patient_key: str | None = None,
    reference_date: date | None = None,
    text_column: str | None = None,
    id_column: str | None = None,
    fast: bool = False,
    recognizers: Place | None = None,
) -> Iterator[dict[str, Any]]:
    """Find identifiers in each document: one dictionary per line that `deid find` prints.

    The inputs are not changed.

    A document that could not be searched has a `fault`; a file that could not be read also has
    `unread`. For one text see `recognizers.find`.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "note.txt"
    >>> _ = place.write_text("Seen by Dr. Okafor on 03/14/2023.")
    >>> for document in find(place):
    ...     print([(f["start"], f["end"], f["identifier"]) for f in document["findings"]])
    [(12, 18, 'names'), (22, 32, 'dates')]

    Raises:
        DeidError: a single input cannot be read, or a known table is refused.
    """
    return find_documents(
        [str(name) for name in _as_places(inputs)],
        load_finder(
            reference_date or date.today(),
            run_date=date.today(),
            fast=fast,
            recognizers=_path_or_none(recognizers),
        ),
        _as_paths(known),
        patient_key,
        ReadOptions(None, text_column, id_column),
    )


def check(
    out: Place,
    *,
    known: Inputs = (),
    patient_key: str | None = None,
    linked_only: bool = False,
) -> Checked:
    """Search every byte of a release, folder or file for known values (`deid check`).

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> _ = (place / "patients.csv").write_text("id,last_name\\n7,Okaforvale\\n")
    >>> _ = (place / "note.txt").write_text("Mrs. Okaforvale was seen.")
    >>> check(place / "note.txt", known=place / "patients.csv", patient_key="id").clean
    False

    Raises:
        DeidError: `input-missing`, `input-empty`, or a known table is refused.
    """
    with spooled([out]) as (place,):
        return check_release(place, _as_paths(known), patient_key, linked_only=linked_only)


def load(out: Place, to: str, *, partition_by: Sequence[str] = ()) -> LoadedRelease:
    """Load the tables of a finished release into an empty target, all or nothing (`deid load`).

    `to` is the URL of a database (with `?schema=NAME`), a DuckDB file, or a folder for Parquet,
    which `partition_by` divides by released columns.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> _ = (place / "labs.csv").write_text("mrn,potassium\\n0048213,4.1\\n0048290,3.9\\n")
    >>> _ = scrub(place / "labs.csv", place / "out")
    >>> loaded = load(place / "out", str(place / "labs.duckdb"))
    >>> loaded.tables, loaded.rows
    (1, 2)

    Raises:
        DeidError: `release-altered`, `target-not-empty`, `target-not-written`, or a database
            is refused.
    """
    return load_release(Path(out), target_of(to, partition_by))


def profile(
    tables: Inputs, *, delimiter: str | None = None, layout: Place | None = None
) -> list[Proposal]:
    """Propose what each column of each table is and what to do with it (`deid profile`).

    `deid.draft_policy` turns the proposals into a policy to edit.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "labs.csv"
    >>> _ = place.write_text("mrn,potassium\\n0048213,4.1\\n0048290,3.9\\n0048311,5.0\\n")
    >>> [(p.header, p.action, p.identifier) for p in profile(place)]
    [('mrn', 'number', 'mrns'), ('potassium', 'keep', None)]

    Raises:
        DeidError: a table cannot be read.
    """
    proposals: list[Proposal] = []
    with spooled(_as_places(tables), plain=".csv") as paths:
        files = [file for path in paths for file in _files(path)]
        for number, path in enumerate(files, 1):
            options = ReadOptions(delimiter=delimiter, layout=_layout_at(layout))
            for member in members_of(path, options):
                source = open_source(path, options, member)
                name = f"{path.name}/{member}" if member else path.name
                proposals += propose_columns(number, name, source.columns, described(name, source))
    return proposals


def evaluate(
    gold: Place,
    *,
    label_map: Place | None = None,
    not_required: Sequence[str] = ("WEEKDAY",),
    reference_date: date | None = None,
    fast: bool = False,
) -> Report:
    """Measure the engine on annotated text, as `deid evaluate` does.

    `not_required` are labels that overall recall leaves out.

    >>> import json, tempfile
    >>> place = Path(tempfile.mkdtemp()) / "gold.jsonl"
    >>> span = {"start": 12, "end": 18, "label": "NAME"}
    >>> _ = place.write_text(json.dumps({"text": "Seen by Dr. Okafor.", "spans": [span]}))
    >>> report = evaluate(place)
    >>> report.recall, report.clean_documents
    (1.0, 1)

    Raises:
        DeidError: `gold` cannot be read, or the map lacks one of its labels.
    """
    documents = read_gold(Path(gold), _labels(label_map))
    finder = load_finder(reference_date or date.today(), fast=fast)
    found, seconds = timed_findings(finder.find_all, [document.text for document in documents])
    return scored(documents, found, seconds, not_required=frozenset(not_required))


def doctor() -> list[InstallationCheck]:
    """Check the installation: versions, model, lists and tables by their hashes (`deid doctor`).

    >>> all(examined.well for examined in doctor())
    True
    """
    return check_installation()


def _chosen_policy(policy: Place | Policy) -> Policy:
    return policy if isinstance(policy, Policy) else read_policy(str(policy))


def _layout_at(path: Place | None) -> Layout | None:
    return None if path is None else read_layout(Path(path))


def _labels(path: Place | None) -> LabelMap:
    return LabelMap() if path is None else LabelMap.read(Path(path))


def _files(path: Path) -> list[Path]:
    """The file at `path`, or all files of the folder at `path` (for example, database tables)."""
    return [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())


def _path_or_none(name: Place | None) -> Path | None:
    return None if name is None else Path(name)


def _as_paths(names: Inputs) -> tuple[Path, ...]:
    return tuple(map(Path, _as_places(names)))


def _as_places(names: Inputs) -> tuple[Place, ...]:
    return (names,) if isinstance(names, str | Path) else tuple(names)
