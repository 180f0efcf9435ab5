"""The job: what was asked for, planned, run by workers, resumed, released."""

from deid.jobs.engine_choice import Engine, open_engine, refuse_engine
from deid.jobs.folder import place_of, unfinished
from deid.jobs.input_listing import list_inputs
from deid.jobs.job import Fallen, Job, Opened, Unit
from deid.jobs.job_plan import Plan, plan, sketch
from deid.jobs.orchestration import refuse_out, scrub
from deid.jobs.progress import Progress, Standing
from deid.jobs.resume_terms import done_already
from deid.jobs.spark.cluster_job import Cluster

__all__ = [
    "Cluster",
    "Engine",
    "Fallen",
    "Job",
    "Opened",
    "Plan",
    "Progress",
    "Standing",
    "Unit",
    "done_already",
    "list_inputs",
    "open_engine",
    "place_of",
    "plan",
    "refuse_engine",
    "refuse_out",
    "scrub",
    "sketch",
    "unfinished",
]
