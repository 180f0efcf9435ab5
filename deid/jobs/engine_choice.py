"""The engine of a job: what finds identifiers, its description, and where the work is done."""

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
    """`described` goes into the manifest. Without a cluster the work is done on this machine."""

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
        raise DeidError("engine-unknown", "--engine must be local or spark")


@contextmanager
def prepared_job(
    job: Job,
    crosswalk: str | Path | None = None,
    key_file: str | Path | None = None,
    *,
    engine: str = "local",
    fast: bool = False,
) -> Generator[Callable[..., Release]]:
    """`run_job` for this job, with the engine and the crosswalk it asks for, which stay open.

    Raises:
        DeidError: as `refuse_engine`; `spark-not-started`; what a list of `job.learned` says, and
            what opening a crosswalk says.
        RowError: what `job.recognizers` says.
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
    """Open the engine `local` or `spark` for a job; end a Spark that was started for it."""
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
    """What supplies the codes of a job, and the crosswalk's entry in the manifest, if there is one.

    Raises:
        DeidError: `no-key`, and what opening a crosswalk says.
    """
    if place is None:
        yield None, None
        return
    from deid.crosswalk import open_for_job  # most jobs have none

    with open_for_job(place, None if key_file is None else Path(key_file)) as opened:
        yield opened
