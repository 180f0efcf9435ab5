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


def foreign(place: str) -> CrosswalkError:
    return CrosswalkError(
        "not-a-crosswalk",
        place,
        "this is not a crosswalk of this engine",
        "make one with `deid crosswalk init`",
    )


def existing(place: str) -> CrosswalkError:
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
        "bring the newest copy, or accept this one with `deid crosswalk restore --accept-older`",
    )


def altered(place: str) -> CrosswalkError:
    return CrosswalkError(
        "crosswalk-altered",
        place,
        "a row of the crosswalk was altered outside this engine",
        "run `deid crosswalk verify`, and restore a backup",
    )


def half_written(place: str) -> CrosswalkError:
    return CrosswalkError(
        "half-written",
        place,
        "a write did not end well, and nothing of its batch was kept",
        "start again: what was given out in this batch is void",
    )
