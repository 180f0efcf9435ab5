"""A job: the request, its plan, the workers, resuming, and the release."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deid.jobs.engine_choice import open_codes as open_codes
    from deid.jobs.engine_choice import prepared_job as prepared_job
    from deid.jobs.engine_choice import refuse_engine as refuse_engine
    from deid.jobs.folder import job_folder_path as job_folder_path
    from deid.jobs.folder import unfinished as unfinished
    from deid.jobs.input_listing import LocalFiles as LocalFiles
    from deid.jobs.input_listing import list_inputs as list_inputs
    from deid.jobs.input_listing import local_files as local_files
    from deid.jobs.job import InputTable as InputTable
    from deid.jobs.job import Job as Job
    from deid.jobs.job import OpenedTable as OpenedTable
    from deid.jobs.job import WithheldRecord as WithheldRecord
    from deid.jobs.job_plan import JobPlan as JobPlan
    from deid.jobs.job_plan import plan_job as plan_job
    from deid.jobs.orchestration import refuse_out as refuse_out
    from deid.jobs.orchestration import run_job as run_job
    from deid.jobs.progress import Progress as Progress
    from deid.jobs.progress import ProgressStatus as ProgressStatus
    from deid.jobs.progress import ignore_progress as ignore_progress
    from deid.jobs.resume_terms import done_already as done_already
    from deid.jobs.spark.cluster_job import Cluster as Cluster


# Imported on first use: finding identifiers in a text needs neither workers nor a release.
_JOB_MODULES: dict[str, tuple[str, ...]] = {
    "deid.jobs.engine_choice": ("open_codes", "prepared_job", "refuse_engine"),
    "deid.jobs.folder": ("job_folder_path", "unfinished"),
    "deid.jobs.input_listing": ("LocalFiles", "list_inputs", "local_files"),
    "deid.jobs.job": ("InputTable", "Job", "OpenedTable", "WithheldRecord"),
    "deid.jobs.job_plan": ("JobPlan", "plan_job"),
    "deid.jobs.orchestration": ("refuse_out", "run_job"),
    "deid.jobs.progress": ("Progress", "ProgressStatus", "ignore_progress"),
    "deid.jobs.resume_terms": ("done_already",),
    "deid.jobs.spark.cluster_job": ("Cluster",),
}
_MODULE_OF_JOBS = {name: module for module, names in _JOB_MODULES.items() for name in names}
__all__ = sorted(_MODULE_OF_JOBS)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF_JOBS:
        raise AttributeError(name)
    return getattr(import_module(_MODULE_OF_JOBS[name]), name)
