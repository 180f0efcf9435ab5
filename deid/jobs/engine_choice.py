"""The engine of a job: its finder, its description, and the machines that do the work."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.jobs.job import Job
from deid.jobs.orchestration import run_job
from deid.jobs.spark.cluster_job import Cluster
from deid.jobs.spark.spark_executors import open_spark, pyspark_version, refuse_missing
from deid.release.releasing import Release
from deid.text.engine import describe, hash_of_recognizers, load_finder
from deid.text.reviewer_lists import ListAwareFinder, ReviewerLists
from deid.text.scrubber import TextFinder
from deid.transforms.contract import CodeSource


@dataclass(frozen=True, slots=True)
class _Engine:
    """The engine of a job.

    `described` is the engine's entry in the manifest. If there is no cluster, this machine does the
    work.
    """

    finder: TextFinder = field(repr=False)
    described: Mapping[str, Any]
    cluster: Cluster | None = None


def refuse_engine(name: str) -> None:
    """Refuse an engine that is not available.

    Raises:
        DeidError: `engine-unknown`, `spark-missing`, `java-missing`.
    """
    if name == "spark":
        refuse_missing()
    elif name != "local":
        raise DeidError(
            "engine-unknown", "--engine must be local or spark", hint="leave it out to use local"
        )


@contextmanager
def prepared_job(
    job: Job,
    crosswalk: str | Path | None = None,
    key_file: str | Path | None = None,
    *,
    engine: str = "local",
    fast: bool = False,
) -> Generator[Callable[..., Release]]:
    """Open the engine and the crosswalk of a job, and yield `run_job` with both filled in.

    Raises:
        DeidError: as `refuse_engine`; `spark-not-started`; errors of the lists in `job.learned`
            and of opening the crosswalk.
        RowError: an error in `job.recognizers`.
    """
    with (
        _open_engine(engine, job, fast=fast) as opened,
        open_codes(crosswalk, key_file) as (allocate, account),
    ):
        yield partial(
            run_job,
            job,
            opened.finder,
            allocate=allocate,
            crosswalk=account,
            engine=opened.described,
            cluster=opened.cluster,
        )


@contextmanager
def _open_engine(name: str, job: Job, *, fast: bool) -> Generator[_Engine]:
    """Open the engine `local` or `spark` for a job; stop the Spark session started for it."""
    refuse_engine(name)
    load = partial(
        load_finder,
        job.reference_date,
        run_date=job.run_date,
        strict=job.strict,
        fast=fast,
        recognizers=job.recognizers,
        remember=True,
    )
    finder: TextFinder = load()
    if job.learned is not None:
        finder = ListAwareFinder(finder, ReviewerLists.read(job.learned))
    described = describe(fast=fast)
    own = hash_of_recognizers(job.recognizers)
    if name == "local":
        yield _Engine(finder, described | own)
        return
    with open_spark(max(1, job.workers)) as spark:
        also = own | {"spark": pyspark_version()}
        yield _Engine(finder, described | also, Cluster(spark, described, load, fast))


@contextmanager
def open_codes(
    place: str | Path | None, key_file: str | Path | None
) -> Generator[tuple[CodeSource | None, Mapping[str, Any] | None]]:
    """The source of a job's codes, and the crosswalk's manifest entry (None without a crosswalk).

    Raises:
        DeidError: `no-key`, and errors of opening a crosswalk.
    """
    if place is None:
        yield None, None
        return
    from deid.crosswalk import open_for_job  # imported here because most jobs have no crosswalk

    with open_for_job(place, None if key_file is None else Path(key_file)) as opened:
        yield opened
