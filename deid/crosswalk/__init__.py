"""The crosswalk of 45 CFR 164.514(c): it stores random codes, surrogates and date shifts."""

from deid.crosswalk.audit.verification import NOTE, BookFault, events, verify
from deid.crosswalk.backups import back_up, restore_backup
from deid.crosswalk.book import Crosswalk, Revealed
from deid.crosswalk.code_allocator import CodeAllocator, CrosswalkAccount, open_for_job
from deid.crosswalk.keys.rotation import destroy, rotate
from deid.crosswalk.trouble import CrosswalkError

__all__ = [
    "NOTE",
    "BookFault",
    "CodeAllocator",
    "Crosswalk",
    "CrosswalkAccount",
    "CrosswalkError",
    "Revealed",
    "back_up",
    "destroy",
    "events",
    "open_for_job",
    "restore_backup",
    "rotate",
    "verify",
]
