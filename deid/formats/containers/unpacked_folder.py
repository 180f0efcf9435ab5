"""Folders for what is unpacked: for their owner only, and gone when nobody reads from them."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path

from deid.spool import process_folder

# Archives that hold others, three deep, and the one before.
_FOLDERS_KEPT = 4


class UnpackedFolder:
    """A folder that lasts as long as this object, in the process that made it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(dir=process_folder()))
        self._end = weakref.finalize(self, _remove_folder, self.path, os.getpid())

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("an unpacked file cannot be pickled")


def _remove_folder(path: Path, process: int) -> None:
    """Remove it, unless a forked process forgets what its parent still reads."""
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)


_unpacked: OrderedDict[tuple[int, Hashable], tuple[UnpackedFolder, Path]] = OrderedDict()


def unpacked_once(key: Hashable, unpack: Callable[[Path], Path]) -> tuple[UnpackedFolder, Path]:
    """What `unpack` puts into a folder; the latest few are not unpacked again."""
    own = (os.getpid(), key)
    if own in _unpacked:
        _unpacked.move_to_end(own)
        return _unpacked[own]
    folder = UnpackedFolder()
    _unpacked[own] = folder, unpack(folder.path)
    while len(_unpacked) > _FOLDERS_KEPT:
        _unpacked.popitem(last=False)
    return _unpacked[own]
