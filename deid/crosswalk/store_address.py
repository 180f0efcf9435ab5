"""Maps a path or a URL to a store."""

from __future__ import annotations

from pathlib import Path

from deid.crosswalk.stores.sql_store import Store
from deid.crosswalk.stores.sqlite_store import Sqlite
from deid.crosswalk.trouble import crosswalk_error


def store_at(place: str | Path) -> Store:
    """The store that a path, `sqlite:///PATH` or a `postgresql://` URL names, not yet opened."""
    scheme, apart, rest = str(place).partition("://") if isinstance(place, str) else ("", "", "")
    if scheme in ("postgresql", "postgres"):
        from deid.crosswalk.stores.postgresql_store import Postgresql

        return Postgresql(str(place))
    if apart and scheme != "sqlite":
        raise crosswalk_error("unknown-store", f"{scheme}://")
    return Sqlite(Path(rest.removeprefix("/") if apart else place))
