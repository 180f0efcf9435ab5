"""What can be wrong with a crosswalk, in one sentence without a value."""

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
        "wait for it to end and start again: nothing is lost",
    )


def unreachable(place: str) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-unreachable",
        place,
        "the crosswalk cannot be opened or written",
        "check the path or URL, the rights on it, and the room on the disk",
    )


def unknown_format(place: str) -> CrosswalkError:
    return CrosswalkError(
        "not-a-crosswalk",
        place,
        "this is not a crosswalk of this version of the engine",
        "make one with `deid crosswalk init`",
    )


def already_exists(place: str) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-exists",
        place,
        "there is a crosswalk already, and it is not written over",
        "name a new place",
    )


def destroyed(place: str) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-destroyed",
        place,
        "the keys of this crosswalk were shredded; its values are gone",
        "restore a backup, if one was kept, with the key of that time",
    )


def rolled_back(place: str, seen: int, found: int) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-rolled-back",
        place,
        f"generation {seen} was seen with this key, and the crosswalk is at {found} "
        "or has another history: it is an older copy",
        "bring the newest copy, or accept this one with `deid crosswalk verify --accept-older`",
    )


def altered(place: str, what: str = "a row") -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-altered",
        place,
        f"{what} was changed outside this engine",
        "run `deid crosswalk verify` to see what was changed, then restore a backup",
    )


def schema_altered(place: str, what: str) -> CrosswalkError:
    return CrosswalkError(
        "schema-altered",
        place,
        f"the database holds what this engine did not make: {what}",
        "ask the database's administrator what changed, and restore a backup to a new place",
    )


def another_book(place: str) -> CrosswalkError:
    return CrosswalkError(
        "another-book",
        place,
        "another crosswalk was here when this key was last used",
        "bring that one back; if you put this one here yourself, accept it with "
        "`deid crosswalk verify --accept-older`",
    )


def note_missing(path: str) -> CrosswalkError:
    return CrosswalkError(
        "heads-missing",
        path,
        "the note of the last generation seen with this key is missing, so an older copy of the "
        "crosswalk would go unnoticed",
        "copy it together with the key; if it is lost, check the crosswalk against the last "
        "release and start a new note with `deid crosswalk verify --accept-older --manifest M`",
    )


def note_damaged(path: str) -> CrosswalkError:
    return CrosswalkError(
        "heads-damaged",
        path,
        "the note of the last generation seen with this key cannot be read or was changed by hand",
        "bring back a copy of it, or start a new one with "
        "`deid crosswalk verify --accept-older --manifest M`",
    )


def drill_copy(place: str) -> CrosswalkError:
    return CrosswalkError(
        "drill-copy",
        place,
        "this crosswalk is the copy of a restore drill: it gives out no new codes",
        "use the crosswalk itself, or restore the backup without --drill",
    )


def backup_damaged(place: str, faults: int) -> CrosswalkError:
    return CrosswalkError(
        "backup-damaged",
        place,
        f"the backup is not whole: {faults} faults",
        "list them with `deid crosswalk verify BACKUP`, and restore another backup",
    )


def half_written(place: str) -> CrosswalkError:
    return CrosswalkError(
        "half-written",
        place,
        "a write did not end well, and nothing of its batch was kept",
        "start again: what was given out in this batch is void",
    )
