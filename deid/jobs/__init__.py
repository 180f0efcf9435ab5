"""A job: the request, its plan, the workers, resuming, and the release."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deid.jobs.engine_choice import open_codes, prepared_job, refuse_engine
    from deid.jobs.folder import job_folder_path, unfinished
    from deid.jobs.input_listing import LocalFiles, list_inputs, local_files
    from deid.jobs.job import InputTable, Job, OpenedTable, WithheldRecord
    from deid.jobs.job_plan import JobPlan, plan_dry_run, plan_job
    from deid.jobs.orchestration import refuse_out, run_job
    from deid.jobs.progress import Progress, ProgressStatus, ignore_progress
    from deid.jobs.resume_terms import done_already
    from deid.jobs.spark.cluster_job import Cluster

__all__ = [
    "Cluster",
    "InputTable",
    "Job",
    "JobPlan",
    "LocalFiles",
    "OpenedTable",
    "Progress",
    "ProgressStatus",
    "WithheldRecord",
    "done_already",
    "ignore_progress",
    "job_folder_path",
    "list_inputs",
    "local_files",
    "open_codes",
    "plan_dry_run",
    "plan_job",
    "prepared_job",
    "refuse_engine",
    "refuse_out",
    "run_job",
    "unfinished",
]

# Imported on first use: finding identifiers in a text needs neither workers nor a release.
_MODULE_OF_NAME = {
    "Cluster": "spark.cluster_job",
    "InputTable": "job",
    "Job": "job",
    "JobPlan": "job_plan",
    "LocalFiles": "input_listing",
    "OpenedTable": "job",
    "Progress": "progress",
    "ProgressStatus": "progress",
    "WithheldRecord": "job",
    "done_already": "resume_terms",
    "ignore_progress": "progress",
    "job_folder_path": "folder",
    "list_inputs": "input_listing",
    "local_files": "input_listing",
    "open_codes": "engine_choice",
    "plan_dry_run": "job_plan",
    "plan_job": "job_plan",
    "prepared_job": "engine_choice",
    "refuse_engine": "engine_choice",
    "refuse_out": "orchestration",
    "run_job": "orchestration",
    "unfinished": "folder",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF_NAME:
        raise AttributeError(name)
    return getattr(import_module(f"deid.jobs.{_MODULE_OF_NAME[name]}"), name)
