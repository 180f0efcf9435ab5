"""Messages to and from executors, pickled and encrypted with a key that belongs to this job.

Broadcasts, task results, blocks spilled to disk and files in the job's folder therefore hold no
readable value, and only data made by this job is unpickled. Some objects are not pickled, and only
a name is sent in their place. For the finder, the executor uses the finder that it loaded itself.
For the job's folder, it gets the paths without the ledger. For the crosswalk's allocator, it gets
one that can only record requests. Bytes that the parent spilled to disk lie in an encrypted file
beside OUT, from which the executor reads what it needs; the message holds the key of the file.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.arrow.work_partitions import THIS_PROCESS
from deid.crosswalk.keys.vault import RandomBytes, Seal
from deid.jobs.folder import JobFolder, JobPaths
from deid.jobs.spark.allocation_requests import RemoteAllocator
from deid.spool import Spill
from deid.text.scrubber import TextFinder
from deid.transforms.contract import CodeSource
from recognizers import Finder

# One call of the cipher accepts less than 2 GiB.
_PIECE_BYTES = 1 << 26
_SIZE = 8


@dataclass(frozen=True, slots=True)
class EncryptedMessages:
    """Encrypts and decrypts messages with one key.

    `what` names the use of a message: a message cannot be opened for another use.
    """

    _seal: Seal

    @classmethod
    def under(cls, key: bytes, chance: RandomBytes) -> EncryptedMessages:
        """Messages encrypted with a key of 32 bytes."""
        return cls(Seal(key, chance))

    def close(self, packed: bytes, what: str) -> bytes:
        """Encrypt in pieces that cannot be reordered, removed or added."""
        pieces = [packed[at : at + _PIECE_BYTES] for at in range(0, len(packed) or 1, _PIECE_BYTES)]
        sealed = [
            self._seal.close(piece, _bound(what, place, len(pieces)))
            for place, piece in enumerate(pieces)
        ]
        return b"".join(
            number.to_bytes(_SIZE, "big") for number in (len(sealed), *map(len, sealed))
        ) + b"".join(sealed)

    def open(self, box: bytes, what: str) -> bytes:
        """Decrypt a message.

        Raises:
            SealError: the message was not encrypted with this key for this use.
        """
        numbers = memoryview(box)
        count = int.from_bytes(numbers[:_SIZE], "big")
        sizes = [
            int.from_bytes(numbers[_SIZE * n : _SIZE * (n + 1)], "big") for n in range(1, count + 1)
        ]
        at, pieces = _SIZE * (count + 1), []
        for place, size in enumerate(sizes):
            piece = bytes(numbers[at : at + size])
            pieces.append(self._seal.open(piece, _bound(what, place, count)))
            at += size
        return b"".join(pieces)


def _bound(what: str, place: int, count: int) -> bytes:
    return f"{what}\0{place}\0{count}".encode()


def pack_message(
    thing: Any, allocator: CodeSource | None = None, spills: Path | None = None
) -> bytes:
    """Pickle an object; a part that must not be sent is replaced by a name.

    Bytes spilled to disk are put in the folder `spills`, if there is one.
    """
    stream = io.BytesIO()
    _Packer(stream, allocator, spills).dump(thing)
    return stream.getvalue()


def unpack_message(packed: bytes, finder: TextFinder | None = None) -> Any:
    """Unpickle an object; names of parts become the executor's own finder, folder or allocator."""
    return _Unpacker(io.BytesIO(packed), finder).load()


class _Packer(pickle.Pickler):
    def __init__(
        self, stream: io.BytesIO, allocator: CodeSource | None, spills: Path | None
    ) -> None:
        super().__init__(stream, protocol=5)
        self._allocator = allocator
        self._spills = spills

    def persistent_id(self, thing: Any) -> tuple[str, Any] | None:
        if isinstance(thing, Finder):
            return "finder", ""
        if isinstance(thing, JobFolder):
            return "folder", str(thing.root)
        if isinstance(thing, RemoteMarker):
            return "alone", ""
        if self._allocator is not None and thing is self._allocator:
            return "desk", ""
        if isinstance(thing, Spill) and self._spills is not None and thing.is_on_disk:
            return "spill", thing.share_in(self._spills)
        return None


class _Unpacker(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, finder: TextFinder | None) -> None:
        super().__init__(stream)
        self._finder = finder

    def persistent_load(self, told: tuple[str, Any]) -> Any:
        what, where = told
        if what == "finder" and self._finder is not None:
            return self._finder
        if what == "folder":
            return JobPaths(Path(where))
        if what == "alone":
            return THIS_PROCESS
        if what == "desk":
            return RemoteAllocator({})
        if what == "spill":
            return Spill.of_shared(where)
        raise pickle.UnpicklingError("a part that must not travel")


@dataclass(frozen=True, slots=True)
class RemoteMarker:
    """Marks work that is divided among executors.

    An executor that receives this mark does the work by itself.
    """

    spread: Callable[..., Any] = field(repr=False)

    def __call__(self, *arguments: Any) -> Any:
        """Call the marked function."""
        return self.spread(*arguments)
