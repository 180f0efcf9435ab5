"""A new DuckDB file, written under a temporary name and renamed when it is complete."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa

from deid.errors import DeidError
from deid.formats.sql.duckdb_file import created
from deid.formats.sql.sqlite_file import quote_sql_name
from deid.formats.targets.contract import MARKER, LoadableRelease, target_not_empty


@dataclass(frozen=True, slots=True)
class DuckDbTarget:
    """A DuckDB file, which must not exist yet."""

    path: Path = field(repr=False)

    def held_release(self) -> str | None:
        """See `Target`.

        Raises:
            DeidError: `target-not-empty`.
        """
        if not self.path.exists() and not self.path.is_symlink():
            return None
        try:
            with closing(duckdb.connect(str(self.path), read_only=True)) as database:
                [(found,)] = database.execute(f"select * from {MARKER}").fetchall()
                return str(found)
        except (duckdb.Error, ValueError):
            pass
        raise target_not_empty()

    def load(self, release: LoadableRelease) -> int:
        """See `Target`.

        Raises:
            DeidError: `target-not-written`.
        """
        partial = self.path.with_name(f".{self.path.name}.partial")
        partial.unlink(missing_ok=True)
        partial.with_name(f"{partial.name}.wal").unlink(missing_ok=True)
        rows = 0
        try:
            with closing(created(partial)) as database:
                for table in release.tables:
                    rows += _load_duckdb_table(database, table.name, table.schema, table.batches())
                database.execute(
                    f"create table {MARKER} as select ? as released_tree_sha256", [release.sha256]
                )
                database.execute("checkpoint")
            partial.rename(self.path)
        except duckdb.Error:
            raise DeidError(
                "target-not-written",
                "the DuckDB file could not be written",
                place="--to",
                hint="check the permissions of its folder and the free disk space",
            ) from None
        finally:
            partial.unlink(missing_ok=True)
        return rows


def _load_duckdb_table(
    database: duckdb.DuckDBPyConnection, name: str, schema: pa.Schema, batches: object
) -> int:
    database.register("released_rows", pa.RecordBatchReader.from_batches(schema, batches))
    table = quote_sql_name(name)
    database.execute(f"create table {table} as select * from released_rows")
    database.unregister("released_rows")
    [(rows,)] = database.execute(f"select count(*) from {table}").fetchall()
    return int(rows)
