"""A job: the request, its plan, the workers, resuming, and the release."""

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
