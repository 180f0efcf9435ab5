"""The errors of a crosswalk, each one sentence without a value."""

from __future__ import annotations

from deid.errors import KEY, DeidError


class CrosswalkError(DeidError):
    """A crosswalk is missing, locked, altered, rolled back, destroyed or of another format."""

    def __init__(self, code: str, place: str, message: str, hint: str) -> None:
        super().__init__(code, message, place=place, hint=hint, exit_code=KEY)


def locked(place: str) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-locked",
        place,
        "another process holds the crosswalk",
        "wait until it ends, then run again: nothing is lost",
    )


def unreachable(place: str) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-unreachable",
        place,
        "the crosswalk cannot be opened or written to",
        "check the path or URL, its permissions and the free disk space",
    )


def unknown_format(place: str) -> CrosswalkError:
    return CrosswalkError(
        "not-a-crosswalk",
        place,
        "this is not a crosswalk that this version of the engine can read",
        "create one with `deid crosswalk init`",
    )


def already_exists(place: str) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-exists",
        place,
        "a crosswalk exists here already and is not overwritten",
        "give a new path or URL",
    )


def destroyed(place: str) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-destroyed",
        place,
        "the keys of this crosswalk were destroyed; its values cannot be read",
        "restore a backup, if there is one, with the key of that time",
    )


def rolled_back(place: str, seen: int, found: int) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-rolled-back",
        place,
        f"generation {seen} was seen with this key, and the crosswalk is at {found} "
        "or has another history: it is an older copy",
        "use the newest copy, or accept this one with `deid crosswalk verify --accept-older`",
    )


def altered(place: str, what: str = "a row") -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-altered",
        place,
        f"{what} was changed outside the engine",
        "run `deid crosswalk verify` to see what was changed, then restore a backup",
    )


def schema_altered(place: str, what: str) -> CrosswalkError:
    return CrosswalkError(
        "schema-altered",
        place,
        f"the database holds objects that the engine did not create: {what}",
        "ask the database's administrator what changed, and restore a backup to a new place",
    )


def another_book(place: str) -> CrosswalkError:
    return CrosswalkError(
        "another-book",
        place,
        "a different crosswalk was here when this key was last used",
        "restore that one; if you put this one here yourself, accept it with "
        "`deid crosswalk verify --accept-older`",
    )


def note_missing(path: str) -> CrosswalkError:
    return CrosswalkError(
        "heads-missing",
        path,
        "the record of the last generation seen with this key is missing, so an older copy of the "
        "crosswalk would go unnoticed",
        "copy it together with the key; if it is lost, check the crosswalk against the last "
        "release and start a new record with `deid crosswalk verify --accept-older --manifest M`",
    )


def note_damaged(path: str) -> CrosswalkError:
    return CrosswalkError(
        "heads-damaged",
        path,
        "the record of the last generation seen with this key cannot be read or was "
        "changed by hand",
        "restore a copy of it, or start a new one with "
        "`deid crosswalk verify --accept-older --manifest M`",
    )


def drill_copy(place: str) -> CrosswalkError:
    return CrosswalkError(
        "drill-copy",
        place,
        "this crosswalk is the copy of a restore drill and issues no new codes",
        "use the crosswalk itself, or restore the backup without --drill",
    )


def backup_damaged(place: str, faults: int) -> CrosswalkError:
    return CrosswalkError(
        "backup-damaged",
        place,
        f"the backup is damaged: {faults} faults",
        "list them with `deid crosswalk verify BACKUP`, and restore another backup",
    )


def half_written(place: str) -> CrosswalkError:
    return CrosswalkError(
        "half-written",
        place,
        "a write failed, and nothing of its batch was kept",
        "run again: the codes issued in this batch are void",
    )
