"""The job: what was asked for, planned, run by workers, resumed, released."""

from deid.jobs.cluster import Cluster
from deid.jobs.conduct import refuse_out, scrub
from deid.jobs.engines import Engine, open_engine, refuse_engine
from deid.jobs.folder import place_of, unfinished
from deid.jobs.job import Fallen, Job, Opened, Unit
from deid.jobs.listing import list_inputs
from deid.jobs.planning import Plan, plan, sketch
from deid.jobs.progress import Progress, Standing
from deid.jobs.terms import done_already

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
