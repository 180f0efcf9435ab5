"""The main job, from its room: `from deid.job import Job, scrub`."""

from deid.jobs import Fallen, Job, Opened, Unit, list_inputs, plan, scrub

__all__ = ["Fallen", "Job", "Opened", "Unit", "list_inputs", "plan", "scrub"]
