"""The crosswalk of 45 CFR 164.514(c): it stores random codes, surrogates and date shifts."""

from deid.crosswalk.audit.verification import NOTE, events, verify
from deid.crosswalk.backups import back_up, restore_backup
from deid.crosswalk.book import Crosswalk
from deid.crosswalk.code_allocator import CodeAllocator, open_for_job
from deid.crosswalk.keys.rotation import destroy, rotate
from deid.crosswalk.trouble import CrosswalkError

__all__ = [
    "NOTE",
    "CodeAllocator",
    "Crosswalk",
    "CrosswalkError",
    "back_up",
    "destroy",
    "events",
    "open_for_job",
    "restore_backup",
    "rotate",
    "verify",
]
