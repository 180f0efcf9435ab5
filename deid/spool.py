"""Private temporary files: for inputs that are not files, and for bytes that memory cannot hold."""

from __future__ import annotations

import atexit
import errno
import fcntl
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from deid.errors import DeidError
from deid.object_stores.store_address import address_in_store, is_store
from deid.standard_streams import is_dash

HELD_BYTES = 1 << 20
# A spill is encrypted in blocks of this size. A reader holds this many blocks.
_BLOCK_BYTES, _BLOCKS_HELD = 1 << 13, 1 << 8
_INPUTS_PREFIX = "deid-inputs-"
# The folders by process ID: a forked process has a folder of its own.
_process_folders: dict[int, Path] = {}
_URL_SCHEME = re.compile(r"[a-z][a-z0-9+_]+:/")
# The first bytes of each kind of file, and the suffix that the format of the file expects.
_SIGNATURES = (
    (b"PAR1\x15", ".parquet"),
    (b"SQLite format 3\0", ".sqlite"),
    (b"HEADER RECORD*******", ".xpt"),
    (b"{", ".jsonl"),
    (b"<", ".xml"),
)


@contextmanager
def spooled(
    inputs: Sequence[str | Path],
    plain: str = ".txt",
    schemas: Sequence[str] = (),
    where: Sequence[str] = (),
    earlier: Mapping[str, int] | None = None,
) -> Iterator[tuple[Path, ...]]:
    """The inputs as paths; inputs that are not files are copied to a private folder.

    Standard input (`-`) is written to a file. Its first bytes decide the suffix (JSON lines, XML,
    Parquet, SQLite, SAS transport), which is otherwise `plain`. The URL of a database becomes a
    folder of its tables: those of `schemas`, with the rows of `where` (`TABLE=CONDITION`).
    `earlier` maps the SHA-256 of each earlier copy to its number of rows; the rows of these copies
    become separate files. The URL of an object store becomes a copy of its objects.

    Raises:
        DeidError: any error of `snapshot` for a database, or of `fetch` for a store;
            `no-database`, if no input is a database from which to select.
    """
    if (schemas or where) and not any(is_address(n) and not is_store(n) for n in inputs):
        hint = "write the input as postgresql://user@host/database"
        raise DeidError(
            "no-database",
            "--schema or --where is given, but no input is a database at a URL",
            hint=hint,
        )
    if not any(is_dash(name) or is_address(name) for name in inputs):
        yield tuple(map(Path, inputs))
        return
    with private_folder() as folder:
        yield tuple(
            _as_path(name, folder, place, plain, schemas, where, earlier)
            for place, name in enumerate(inputs, 1)
        )


@contextmanager
def fetched(names: Sequence[str | Path]) -> Iterator[tuple[Path, ...]]:
    """Yield the files and folders; private copies take the place of those in an object store.

    Raises:
        DeidError: any error of `fetch`.
    """
    if not any(map(is_store, names)):
        yield tuple(map(Path, names))
        return
    with spooled(names) as paths:
        yield paths


@contextmanager
def private_folder() -> Iterator[Path]:
    """A new folder that only this user can read, locked as long as a process of the job lives.

    Folders that killed processes left hold originals, and are removed first.
    """
    remove_left_folders()
    folder, lock = _new_inputs_folder()
    try:
        yield folder
    finally:
        _remove_locked(os.getpid(), folder, lock)


def process_folder() -> Path:
    """A folder of this process for what it unpacks; `remove_left_folders` removes it later."""
    own = os.getpid()
    if own not in _process_folders:
        remove_left_folders()
        folder, lock = _new_inputs_folder()
        atexit.register(_remove_locked, own, folder, lock)
        _process_folders[own] = folder
    return _process_folders[own]


def remove_left_folders() -> None:
    """Remove the folders that no process locks: killed processes and ended workers left them."""
    for left in Path(tempfile.gettempdir()).glob(f"{_INPUTS_PREFIX}*"):
        with suppress(OSError):
            lock = _lock_folder(left)
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)


def _new_inputs_folder() -> tuple[Path, int]:
    """Make a folder and lock it; if another process removes it meanwhile, make a new one."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_INPUTS_PREFIX))
        with suppress(OSError):
            lock = _lock_folder(folder)
            if folder.exists():
                return folder, lock
            os.close(lock)


def _lock_folder(folder: Path) -> int:
    """Lock a folder until its descriptor is closed. Forked workers hold the lock, too.

    Raises:
        OSError: another process holds the lock, or the folder belongs to another user.
    """
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(lock).st_uid != os.getuid():
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise
    return lock


def _remove_locked(process: int, folder: Path, lock: int) -> None:
    """Remove a folder, but not from a forked process: its parent still reads the folder."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def is_address(name: str | Path) -> bool:
    """Whether the name is the URL of a database or a store, and not an existing file."""
    return bool(_URL_SCHEME.match(str(name))) and not Path(name).exists()


def _as_path(
    name: str | Path,
    folder: Path,
    place: int,
    plain: str,
    schemas: Sequence[str],
    where: Sequence[str],
    earlier: Mapping[str, int] | None,
) -> Path:
    if is_dash(name):
        return _save_standard_input(folder, plain)
    if not is_address(name):
        return Path(name)
    if is_store(name):
        from deid.object_stores.fetching import fetch

        return fetch(
            address_in_store(name, f"input {place}"), folder / str(place), f"input {place}"
        )
    from deid.formats.sql.database_addresses import address_of
    from deid.formats.sql.database_snapshot import DatabaseSelection, snapshot

    selection = DatabaseSelection.of(schemas, where)
    return snapshot(address_of(str(name)), folder / str(place), place, selection, earlier)


def _save_standard_input(folder: Path, plain: str) -> Path:
    data = sys.stdin.buffer.read()
    path = folder / f"stdin{_suffix(data) or plain}"
    path.touch(mode=0o600)
    path.write_bytes(data)
    return path


def _suffix(data: bytes) -> str | None:
    begun = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((suffix for head, suffix in _SIGNATURES if begun.startswith(head)), None)


class Spill:
    """An append-only store of bytes, in memory while they are few. Its `repr` shows only its size.

    The file on disk has no name, so nothing is left of it however the process ends, and it is
    encrypted with a key that is kept in memory only. Processes that are forked later can read it,
    but not append to it. Other machines can read a copy.
    """

    def __init__(self, held: int | None = None, sealed: _SealedFile | None = None) -> None:
        self._most_held = HELD_BYTES if held is None else held
        self._held = bytearray()
        self._sealed = sealed
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"Spill({len(self)} bytes)"

    def __len__(self) -> int:
        return self._written + len(self._held)

    def __reduce__(self) -> tuple[Any, ...]:
        return _spill_of, (self._most_held, self.read(0, len(self)))

    @property
    def _written(self) -> int:
        return 0 if self._sealed is None else _BLOCK_BYTES * self._sealed.blocks

    @property
    def is_on_disk(self) -> bool:
        """Whether a part of the bytes is on disk."""
        return self._written > 0

    def append(self, data: bytes) -> int:
        """Add bytes; return the offset at which they begin.

        Raises:
            OSError: the disk is full, or another process appends.
        """
        if os.getpid() != self._process:
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))
        place = len(self)
        self._held += data
        if len(self._held) > max(self._most_held, _BLOCK_BYTES):
            self._sealed = self._sealed or _SealedFile.new()
            self._sealed.append(self._held)
            del self._held[: len(self._held) // _BLOCK_BYTES * _BLOCK_BYTES]
        return place

    def read(self, place: int, size: int) -> bytes:
        """Up to `size` bytes, beginning at the offset `place`.

        Raises:
            OSError: the disk reports an error, or the file was altered.
        """
        stop, written = min(place + size, len(self)), self._written
        if place >= written:
            return bytes(self._held[place - written : stop - written])
        assert self._sealed is not None
        found = self._sealed.read(place, min(stop, written))
        return found + self._held[: stop - written] if stop > written else found

    def share_in(self, folder: Path) -> SharedSpill:
        """Copy the encrypted file into the folder, once, for `Spill.of_shared` on another machine.

        Raises:
            OSError: the disk refuses a read or write.
        """
        assert self._sealed is not None
        blocks = self._sealed.blocks
        path = folder / f"spill-{self._sealed.name}-{blocks}"
        if not path.is_file():
            self._sealed.copy_to(path)
        return str(path), self._sealed.key, blocks, bytes(self._held)

    @classmethod
    def of_shared(cls, shared: SharedSpill) -> Spill:
        """The same bytes, read from the copy of the encrypted file.

        Raises:
            OSError: the copy cannot be opened.
        """
        path, key, blocks, held = shared
        file = Path(path).open("rb")  # noqa: SIM115
        spill = cls(sealed=_SealedFile(file, key, blocks))
        spill._held += held
        spill._process = 0
        return spill


SharedSpill = tuple[str, bytes, int, bytes]
"""The path of the encrypted copy, its key, its number of blocks, and the bytes after them."""


class _SealedFile:
    """A file of encrypted blocks of equal size; the latest blocks read are held in memory."""

    def __init__(self, file: IO[bytes], key: bytes, blocks: int) -> None:
        from deid.crosswalk.keys.vault import Seal  # few jobs write to disk

        self.key, self.blocks, self.name = key, blocks, os.urandom(8).hex()
        self._file, self._seal = file, Seal(key)
        self._box_bytes = len(self._seal.close(bytes(_BLOCK_BYTES), b""))
        self._latest: dict[int, bytes] = {}

    @classmethod
    def new(cls) -> _SealedFile:
        from deid.crosswalk.keys.vault import KEY_BYTES

        return cls(tempfile.TemporaryFile(), os.urandom(KEY_BYTES), 0)

    def append(self, data: bytearray) -> None:
        """Add the whole blocks at the beginning of `data`."""
        more = len(data) // _BLOCK_BYTES
        for number in range(more):
            block = bytes(data[_BLOCK_BYTES * number : _BLOCK_BYTES * (number + 1)])
            self._file.write(self._seal.close(block, _name_of_block(self.blocks + number)))
        self._file.flush()
        self.blocks += more

    def read(self, start: int, stop: int) -> bytes:
        first, last = start // _BLOCK_BYTES, (stop - 1) // _BLOCK_BYTES
        blocks = b"".join(map(self._block, range(first, last + 1)))
        return blocks[start - first * _BLOCK_BYTES : stop - first * _BLOCK_BYTES]

    def _block(self, number: int) -> bytes:
        if (block := self._latest.get(number)) is None:
            block = self._opened(number)
            if len(self._latest) >= _BLOCKS_HELD:
                self._latest.pop(next(iter(self._latest)))
            self._latest[number] = block
        return block

    def _opened(self, number: int) -> bytes:
        from deid.crosswalk.keys.vault import SealError

        box = os.pread(self._file.fileno(), self._box_bytes, number * self._box_bytes)
        try:
            return self._seal.open(box, _name_of_block(number))
        except SealError:
            raise OSError(errno.EIO, os.strerror(errno.EIO)) from None

    def copy_to(self, path: Path) -> None:
        """Copy the file, which stays encrypted."""
        path.touch(mode=0o600)
        with path.open("r+b") as copy:
            step = _BLOCKS_HELD * self._box_bytes
            for place in range(0, self.blocks * self._box_bytes, step):
                copy.write(os.pread(self._file.fileno(), step, place))


def _name_of_block(block: int) -> bytes:
    return f"block {block}".encode()


def _spill_of(held: int, data: bytes) -> Spill:
    """Rebuild a spill in the process that unpickles it."""
    spill = Spill(held)
    spill.append(data)
    return spill
