"""The engine of a job: what finds identifiers, its description, and where the work is done."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from deid.errors import DeidError
from deid.jobs.job import Job
from deid.jobs.spark.cluster_job import Cluster
from deid.jobs.spark.spark_executors import open_spark, pyspark_version, refuse_missing
from deid.text.engine import describe, load_finder
from deid.text.reviewer_lists import ListAwareFinder, ReviewerLists
from deid.text.scrubber import TextFinder


@dataclass(frozen=True, slots=True)
class Engine:
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
def open_engine(name: str, job: Job, *, fast: bool = False) -> Generator[Engine]:
    """Open the engine `local` or `spark` for a job; end a Spark that was started for it.

    Raises:
        DeidError: as `refuse_engine`; `spark-not-started`; what a list of `job.learned` says.
    """
    refuse_engine(name)
    run_date, strict = job.run_date, job.strict
    load = partial(load_finder, job.reference_date, run_date=run_date, strict=strict, fast=fast)
    finder: TextFinder = load()
    if job.learned is not None:
        finder = ListAwareFinder(finder, ReviewerLists.read(job.learned))
    described = describe(fast=fast)
    if name == "local":
        yield Engine(finder, described)
        return
    with open_spark(max(1, job.workers)) as spark:
        also = {"spark": pyspark_version()}
        yield Engine(finder, described | also, Cluster(spark, described, load, fast))
