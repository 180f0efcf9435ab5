"""The folder of a job, next to OUT.

The folder exists as long as the job runs or can be resumed. Only its owner can read it. `out/` is
the release being made, `parts/` holds each file's part of `changes.jsonl` and of the diff, `work/`
holds files that are being written. A killed job leaves the folder for `--resume`; a job that
succeeds or fails removes it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from deid.errors import INTERRUPTED, DeidError
from deid.jobs.progress_ledger import ProgressLedger, read_progress
from deid.release.manifest import FileAccount
from deid.release.sealing import MANIFEST, RELEASE_FOLDER

# The processes of a killed job release the lock within moments.
_WAIT_FOR_RELEASE = 3.0
RELEASING = "releasing"
START = "start"


@dataclass(slots=True)
class JobPaths:
    """The paths in a job's folder."""

    root: Path = field(repr=False)

    @property
    def out(self) -> Path:
        """The release being made."""
        return self.root / "out"

    def work(self, number: int, attempt: str = "") -> Path:
        """The folder in which one file is written."""
        return self.root / "work" / f"{number}{attempt}"

    def changes(self, number: int) -> Path:
        """A file's part of `changes.jsonl`."""
        return self.root / "parts" / f"{number}.changes"

    def diff(self, number: int) -> Path:
        """A file's part of the diff, which holds original text."""
        return self.root / "parts" / f"{number}.diff"


@dataclass(slots=True)
class JobFolder(JobPaths):
    """A locked job folder.

    `spared` means that the folder is kept if the job fails. `taken_back` means that a killed job
    had moved its release to OUT, from where it was moved back.
    """

    ledger: ProgressLedger
    lock: int
    spared: bool = False
    taken_back: bool = False

    def clear(self, *, everything: bool) -> None:
        """Make the folders; remove the half-written files of a killed job, or all its files."""
        for name in ("work", "out", "parts") if everything else ("work",):
            shutil.rmtree(self.root / name, ignore_errors=True)
        shutil.rmtree(self.out / RELEASE_FOLDER, ignore_errors=True)
        for name in ("work", "out", "parts"):
            (self.root / name).mkdir(mode=0o700, exist_ok=True)


def job_folder_path(out: Path) -> Path:
    """The path of the job folder for this OUT."""
    whole = out.resolve()
    return whole.parent / f".{whole.name}.deid-job"


def unfinished(out: Path) -> tuple[int, dict[str, str]] | None:
    """An unfinished job for this OUT: its number of finished files and its terms, or None."""
    path = job_folder_path(out) / "ledger.sqlite"
    return read_progress(path) if path.is_file() else None


@contextmanager
def job_folder(out: Path, *, resume: bool) -> Iterator[JobFolder]:
    """Make or open the folder of the job, and lock it while the job runs.

    The folder remains if the job was interrupted after some files, or if resuming was refused.

    Raises:
        DeidError: `out-in-use`, `job-unfinished`, `out-not-writable`.
    """
    new_parents = [folder for folder in out.absolute().parents if not folder.exists()]
    try:
        with _locked_folder(out, resume) as folder:
            yield folder
    finally:
        for parent in new_parents:
            with suppress(OSError):  # not empty: it holds the release or an unfinished job
                parent.rmdir()


@dataclass(slots=True)
class _HeldResources:
    """The resources of a job folder that must be released wherever an interrupt happens."""

    lock: int = -1
    fresh: bool = False
    ledger: ProgressLedger | None = None
    folder: JobFolder | None = None


@contextmanager
def _locked_folder(out: Path, resume: bool) -> Iterator[JobFolder]:
    root = job_folder_path(out)
    held = _HeldResources()
    try:
        _make(root, held)
        held.fresh = not (root / "ledger.sqlite").exists()
        held.ledger = ledger = ProgressLedger(root / "ledger.sqlite")
        _refuse_unfinished(ledger, root, resume)
        folder = JobFolder(root, ledger, held.lock, spared=len(ledger) > 0)
        _take_back(folder, out)
        held.folder = folder
        yield folder
    except (KeyboardInterrupt, DeidError) as error:
        interrupted = getattr(error, "exit_code", INTERRUPTED) == INTERRUPTED
        if interrupted and held.folder is not None:
            held.folder.spared = held.folder.spared or len(held.folder.ledger) > 0
        raise
    finally:
        _release(root, held)


def _release(root: Path, held: _HeldResources) -> None:
    """Remove what is no longer needed from the folder if no other job holds it, and unlock it."""
    if held.lock < 0:
        with suppress(OSError):  # the folder was never made
            _try_lock(root / "lock", held)
    # Checked under the lock: without the lock, another job may still finish files.
    spared = _has_progress(root, held) if held.folder is None else held.folder.spared
    if held.ledger is not None:
        held.ledger.close()
    if held.lock < 0:
        return
    if _is_ours(root / "lock", held.lock):
        _remove(root, everything=not spared)
    os.close(held.lock)


def _has_progress(root: Path, held: _HeldResources) -> bool:
    """Whether any file of the job is finished; The result is True if this is unknown, so that a
    person decides.
    """
    path = root / "ledger.sqlite"
    try:
        if held.ledger is not None:
            return len(held.ledger) > 0
        if held.fresh or not path.exists():
            return False
        with closing(ProgressLedger(path)) as found:
            return len(found) > 0
    except (DeidError, OSError):
        return True


def _remove(root: Path, *, everything: bool) -> None:
    """Remove the job's files, the ledger last: a job killed meanwhile can still be resumed."""
    for name in ("work", "parts", "out") if everything else ("work",):
        shutil.rmtree(root / name, ignore_errors=True)
    if everything:
        shutil.rmtree(root, ignore_errors=True)


def _make(root: Path, held: _HeldResources) -> None:
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        root.mkdir(mode=0o700, exist_ok=True)
        _lock(root / "lock", held)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DeidError(
            "out-not-writable",
            "the folder that holds OUT cannot be written to",
            hint="check its permissions, or name OUT in another folder",
        ) from None


def _refuse_unfinished(ledger: ProgressLedger, root: Path, resume: bool) -> None:
    if len(ledger) and not resume:
        raise DeidError(
            "job-unfinished",
            "an interrupted job for this OUT exists next to it",
            hint=f"continue it with --resume; to start over, delete the folder {root.name}",
        )


def _lock(path: Path, held: _HeldResources) -> None:
    """Lock a file. The system unlocks it when the processes that hold it end, even if killed."""
    patience = time.monotonic() + _WAIT_FOR_RELEASE
    while not _try_lock(path, held):
        if time.monotonic() > patience:
            raise DeidError(
                "out-in-use",
                "another job is writing to this OUT",
                hint="wait until it ends, or name another folder",
            )
        time.sleep(0.1)
        path.parent.mkdir(mode=0o700, exist_ok=True)


def _try_lock(path: Path, held: _HeldResources) -> bool:
    held.lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if _is_ours(path, held.lock):
        return True
    descriptor, held.lock = held.lock, -1
    os.close(descriptor)
    return False


def _is_ours(path: Path, descriptor: int) -> bool:
    """Whether this process holds the lock, and the locked file is still the one in the folder."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fstat(descriptor).st_ino == path.stat().st_ino
    except (BlockingIOError, FileNotFoundError):
        return False


def _take_back(folder: JobFolder, out: Path) -> None:
    """Move the release back from OUT if the job was killed between its last two steps."""
    manifest_sha256 = folder.ledger.terms().get(RELEASING)
    manifest = out / RELEASE_FOLDER / MANIFEST
    if not manifest_sha256 or folder.out.exists() or not manifest.is_file():
        return
    if FileAccount.of(manifest, 0).sha256 == manifest_sha256:
        out.rename(folder.out)
        folder.taken_back = True
