"""The job: what was asked for, planned, run by workers, resumed, released."""

from deid.jobs.cluster import Cluster
from deid.jobs.conduct import refuse_out, scrub
from deid.jobs.folder import place_of, unfinished
from deid.jobs.job import Fallen, Job, Opened, Unit
from deid.jobs.listing import list_inputs
from deid.jobs.planning import Plan, plan, sketch
from deid.jobs.progress import Progress, Standing
from deid.jobs.terms import done_already

__all__ = [
    "Cluster",
    "Fallen",
    "Job",
    "Opened",
    "Plan",
    "Progress",
    "Standing",
    "Unit",
    "done_already",
    "list_inputs",
    "place_of",
    "plan",
    "refuse_out",
    "scrub",
    "sketch",
    "unfinished",
]
