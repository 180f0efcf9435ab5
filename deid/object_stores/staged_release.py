"""OUT in an object store: the job writes a private folder, and then copies the release to OUT.

`--resume` finds the folder again by the URL in one of its files; the folder's name does not show
the URL.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deid.errors import DeidError, unreadable
from deid.jobs import unfinished
from deid.object_stores.fetching import fetch
from deid.object_stores.object_store import ObjectStore
from deid.object_stores.publishing import is_published, publish, refuse_taken
from deid.object_stores.store_address import StoreAddress, address_in_store, is_store

_OUT_PLACE = "OUT"
_STAGED_PREFIX = "deid-staged-"
_ADDRESS = "address"


@dataclass(slots=True)
class StagedRelease:
    """Where the job writes: OUT itself, or a private folder that is then copied to the store."""

    path: Path = field(repr=False)
    store: ObjectStore | None = field(default=None, repr=False)
    published: bool = False

    @property
    def shown(self) -> str:
        """OUT as the user named it."""
        return str(self.path) if self.store is None else self.store.address.shown

    def publish(self) -> None:
        """Copy the finished release to the store, if OUT is in a store.

        Raises:
            DeidError: as `publishing.publish`.
        """
        if self.store is not None:
            publish(self.path, self.store)
            self.published = True


@contextmanager
def release_place(
    out: str | Path, inputs: Sequence[str | Path], *, resume: bool
) -> Iterator[StagedRelease]:
    """The place where the job writes its release before it is in OUT.

    If the job was killed, or the store did not accept the release, the private folder is kept for
    `--resume`.

    Raises:
        DeidError: `store-url-invalid`, `out-inside-input`, `out-exists`, `job-unfinished`, and
            errors of the store.
    """
    if not is_store(out):
        yield StagedRelease(Path(out))
        return
    address = address_in_store(out, _OUT_PLACE)
    _refuse_address(address, inputs)
    store = ObjectStore.at(address, _OUT_PLACE)
    refuse_taken(store, resume=resume)
    home = _staging_folder(f"{address.shown} {address.settings}", resume)
    path = home / "release"
    staged = StagedRelease(path, store)
    try:
        if resume and not path.exists() and unfinished(path) is None and is_published(store):
            fetch(address, path, _OUT_PLACE)
        yield staged
    finally:
        if unfinished(path) is None and (staged.published or not path.exists()):
            shutil.rmtree(home, ignore_errors=True)


def _refuse_address(address: StoreAddress, inputs: Sequence[str | Path]) -> None:
    if not address.prefix:
        hint = "write it as s3://bucket/release"
        raise unreadable("store-url-invalid", "OUT is a whole bucket", hint, _OUT_PLACE)
    for number, name in enumerate(inputs, 1):
        if is_store(name) and address_in_store(name, f"input {number}").holds(address):
            raise DeidError(
                "out-inside-input",
                "OUT lies inside an input",
                hint="name a place outside the inputs",
            )


def _staging_folder(out: str, resume: bool) -> Path:
    """The private folder for this OUT: the folder of a killed job, or a new one."""
    for home in sorted(Path(tempfile.gettempdir()).glob(f"{_STAGED_PREFIX}*")):
        if _is_own_staging(home) and (home / _ADDRESS).read_text("utf-8") == out:
            path = home / "release"
            if not resume and (path.exists() or unfinished(path) is not None):
                raise DeidError(
                    "job-unfinished",
                    "an interrupted job for this OUT exists in the folder for temporary files",
                    hint=f"continue it with --resume; to start over, delete the folder {home.name}",
                )
            return home
    home = Path(tempfile.mkdtemp(prefix=_STAGED_PREFIX))
    (home / _ADDRESS).write_text(out, "utf-8")
    return home


def _is_own_staging(home: Path) -> bool:
    """Whether only this user can have made the folder: other users may write beside it."""
    told = home.lstat()
    mine = stat.S_ISDIR(told.st_mode) and told.st_uid == os.getuid()
    return mine and stat.S_IMODE(told.st_mode) == 0o700 and (home / _ADDRESS).is_file()
