"""Folders for unpacked files: readable only by their owner, removed when no source uses them."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path

from deid.spool import process_folder

# Room for the nested archives, up to three levels deep, and for the archive before them.
_FOLDERS_KEPT = 4


class UnpackedFolder:
    """A folder that exists as long as this object, in the process that made it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(dir=process_folder()))
        self._end = weakref.finalize(self, _remove_folder, self.path, os.getpid())

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("an unpacked file cannot be pickled")


def _remove_folder(path: Path, process: int) -> None:
    """Remove the folder, except in a forked process, whose parent may still read it."""
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)


_unpacked: OrderedDict[tuple[int, Hashable], tuple[UnpackedFolder, Path]] = OrderedDict()


def unpacked_once(key: Hashable, unpack: Callable[[Path], Path]) -> tuple[UnpackedFolder, Path]:
    """Unpack into a new folder with `unpack`, or return a recent folder of the same key."""
    own = (os.getpid(), key)
    if own in _unpacked:
        _unpacked.move_to_end(own)
        return _unpacked[own]
    folder = UnpackedFolder()
    _unpacked[own] = folder, unpack(folder.path)
    while len(_unpacked) > _FOLDERS_KEPT:
        _unpacked.popitem(last=False)
    return _unpacked[own]
