"""Access to an object store through Arrow. A job connects only to stores that the user names.

Credentials come from the places that the store's own tools use. A store's own error messages hold
names of objects and accounts, so a fixed sentence replaces each message.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs as fs

from deid.errors import DeidError, unreadable
from deid.object_stores.store_address import StoreAddress

OBJECT_BLOCK = 1 << 20
_RETRIED_FOR = timedelta(seconds=60)
_READ_HINT = "check the URL, the credentials and the right to list and read"
_WRITE_HINT = "check the URL, the credentials and the right to list, read, write and delete"


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object below a prefix. The `repr` hides its path below the prefix."""

    relative: str = field(repr=False)
    size: int


@dataclass(frozen=True, slots=True)
class ObjectStore:
    """The objects below an address. `place` is the argument that named it, for errors."""

    address: StoreAddress = field(repr=False)
    files: fs.FileSystem = field(repr=False)
    place: str

    @classmethod
    def at(cls, address: StoreAddress, place: str) -> ObjectStore:
        """Connect to the store of an address. For S3, ask AWS for the region if none is given.

        Raises:
            DeidError: `store-unreachable`.
        """
        with _told_plainly("store-unreachable", "the store cannot be reached", _READ_HINT, place):
            return cls(address, _CLIENTS[address.scheme](address), place)

    def is_object(self) -> bool:
        """Whether the address is that of one object rather than of a prefix.

        Raises:
            DeidError: `store-unreadable`.
        """
        with self._reading():
            [found] = self.files.get_file_info([self.address.path])
            return bool(found.type == fs.FileType.File)

    def objects(self) -> list[StoredObject]:
        """The objects below the prefix, by name.

        Raises:
            DeidError: `store-unreadable`.
        """
        with self._reading():
            below = fs.FileSelector(self.address.path, allow_not_found=True, recursive=True)
            found = self.files.get_file_info(below)
        base = f"{self.address.path}/"
        objects = [
            StoredObject(one.path.removeprefix(base), one.size)
            for one in found
            if one.type == fs.FileType.File
        ]
        return sorted(objects, key=lambda one: one.relative)

    def read_into(self, relative: str, target: Path) -> None:
        """Copy an object to a new file.

        Raises:
            DeidError: `store-unreadable`.
            OSError: the disk is full or refuses a write.
        """
        with target.open("xb") as file:
            for block in self._blocks(relative):
                file.write(block)

    def _blocks(self, relative: str) -> Iterator[bytes]:
        with self._reading():
            stream = self.files.open_input_stream(self._whole_path(relative))
        while True:
            with self._reading():
                block = stream.read(OBJECT_BLOCK)
            if not block:
                return
            yield block

    def read(self, relative: str) -> bytes:
        """The bytes of a small object; empty if there is no such object.

        Raises:
            DeidError: `store-unreadable`.
        """
        path = self._whole_path(relative)
        with self._reading():
            [found] = self.files.get_file_info([path])
            if found.type != fs.FileType.File:
                return b""
        return b"".join(self._blocks(relative))

    def write(self, relative: str, content: Path | bytes) -> None:
        """Write an object: as a whole, or not at all.

        Raises:
            DeidError: `store-not-written`.
        """
        with self._writing():
            stream = self.files.open_output_stream(self._whole_path(relative), buffer_size=0)
        with _open_content(content) as blocks:
            for block in blocks:
                with self._writing():
                    stream.write(block)
        with self._writing():
            stream.close()

    def delete(self, relative: str) -> None:
        """Delete an object.

        Raises:
            DeidError: `store-not-written`.
        """
        with self._writing():
            self.files.delete_file(self._whole_path(relative))

    def _whole_path(self, relative: str) -> str:
        return f"{self.address.path}/{relative}" if relative else self.address.path

    def _reading(self) -> Any:
        return _told_plainly(
            "store-unreadable", "the store could not be read", _READ_HINT, self.place
        )

    def _writing(self) -> Any:
        return _told_plainly(
            "store-not-written", "the store did not accept the release", _WRITE_HINT, self.place
        )


@contextmanager
def _open_content(content: Path | bytes) -> Iterator[Iterator[bytes]]:
    if isinstance(content, bytes):
        yield iter([content])
        return
    with content.open("rb") as file:
        yield iter(lambda: file.read(8 * OBJECT_BLOCK), b"")


@contextmanager
def _told_plainly(code: str, message: str, hint: str, place: str) -> Iterator[None]:
    """Replace an error of the store, which holds names and accounts, by a fixed sentence."""
    try:
        yield
        return
    except DeidError:
        raise
    except (OSError, ValueError, TypeError, pa.ArrowException):
        pass
    raise unreadable(code, message, hint, place)


def _s3(address: StoreAddress) -> fs.FileSystem:
    asked = dict(address.settings)
    environ = os.environ
    endpoint = asked.get("endpoint_override") or environ.get(
        "AWS_ENDPOINT_URL_S3", environ.get("AWS_ENDPOINT_URL")
    )
    region = asked.get("region") or environ.get("AWS_REGION", environ.get("AWS_DEFAULT_REGION"))
    if not region:
        # With an endpoint, do not ask for the region: the question would go to AWS instead.
        region = "us-east-1" if endpoint else fs.resolve_s3_region(address.bucket)
    return fs.S3FileSystem(region=region, **_endpoint(endpoint, asked))


def _gs(address: StoreAddress) -> fs.FileSystem:
    asked = dict(address.settings)
    return fs.GcsFileSystem(
        anonymous=asked.get("anonymous") == "true",
        retry_time_limit=_RETRIED_FOR,
        **_endpoint(asked.get("endpoint_override"), asked),
    )


def _endpoint(endpoint: str | None, asked: Mapping[str, str]) -> dict[str, str]:
    """The settings for a store at an endpoint that is not the vendor's; HTTPS by default."""
    if not endpoint:
        return {}
    scheme, _, host = endpoint.rpartition("://")
    return {"endpoint_override": host, "scheme": asked.get("scheme") or scheme or "https"}


def _abfs(address: StoreAddress) -> fs.FileSystem:
    asked = dict(address.settings)
    scheme = asked.pop("scheme", None)
    schemes = {f"{kind}_storage_scheme": scheme for kind in ("blob", "dfs")} if scheme else {}
    key, token = os.environ.get("AZURE_STORAGE_KEY"), os.environ.get("AZURE_STORAGE_SAS_TOKEN")
    own = {"account_key": key} if key else {"sas_token": token} if token else {}
    return fs.AzureFileSystem(address.account, **own, **asked, **schemes)


_CLIENTS: dict[str, Callable[[StoreAddress], fs.FileSystem]] = {
    "s3": _s3,
    "gs": _gs,
    "abfs": _abfs,
}
