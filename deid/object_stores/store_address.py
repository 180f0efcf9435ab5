"""URLs of object stores: `s3://bucket/prefix`, `gs://...`, `abfs://container@account/prefix`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

from deid.errors import unreadable

_STORE_URL = re.compile(
    r"(s3a?|gs|gcs|abfss?):/{1,2}(?=[^/])([^/?]+)/?([^?]*)(?:\?(.*))?", re.DOTALL
)
_SCHEMES = {"s3a": "s3", "gcs": "gs", "abfss": "abfs"}
_STORE_SETTINGS = {
    "s3": {"endpoint_override", "region", "scheme"},
    "gs": {"anonymous", "endpoint_override", "scheme"},
    "abfs": {"blob_storage_authority", "dfs_storage_authority", "scheme"},
}


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """A place in an object store: `s3`, `gs` or `abfs`, the bucket or container, and the prefix.

    `account` is for Azure only. The `repr` hides all but the scheme: names of objects may identify
    patients, as file names may.
    """

    scheme: str
    bucket: str = field(repr=False)
    prefix: str = field(repr=False)
    account: str = field(default="", repr=False)
    settings: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def path(self) -> str:
        """Bucket and prefix."""
        return f"{self.bucket}/{self.prefix}" if self.prefix else self.bucket

    @property
    def shown(self) -> str:
        """The URL without its settings."""
        host = f"{self.bucket}@{self.account}" if self.account else self.bucket
        return f"{self.scheme}://{host}/{self.prefix}"

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    def holds(self, other: StoreAddress) -> bool:
        """Whether the other address is this one or below it."""
        place, below = (self.scheme, self.account), (other.scheme, other.account)
        return place == below and f"{other.path}/".startswith(f"{self.path}/")


def is_store(name: str | Path | None) -> bool:
    """Whether the name is the URL of an object store and not the path of an existing file."""
    return bool(_STORE_URL.fullmatch(str(name))) and not Path(str(name)).exists()


def address_in_store(name: str | Path, place: str) -> StoreAddress:
    """Return the address in a URL, even if a `Path` removed one of its slashes.

    Raises:
        DeidError: `store-url-invalid`: it holds a password, or a setting that no store has.
    """
    found = _STORE_URL.fullmatch(str(name))
    scheme = "" if found is None else _SCHEMES.get(found[1], found[1])
    settings = {} if found is None else dict(parse_qsl(found[4] or "", keep_blank_values=True))
    if found is None or ":" in found[2] or not set(settings) <= _STORE_SETTINGS[scheme]:
        hint = (
            "write it as s3://bucket/folder; credentials come from the environment or the files "
            "of the store's own tools, never from the URL"
        )
        raise unreadable("store-url-invalid", "this is not the URL of an object store", hint, place)
    bucket, at, host = found[2].partition("@")
    account = host.partition(".")[0] if scheme == "abfs" else ""
    if (scheme == "abfs") is not bool(at):
        hint = "abfs://container@account/folder; only Azure's URLs have an @"
        raise unreadable("store-url-invalid", "this is not the URL of an object store", hint, place)
    return StoreAddress(
        scheme, bucket, found[3].strip("/"), account, tuple(sorted(settings.items()))
    )
