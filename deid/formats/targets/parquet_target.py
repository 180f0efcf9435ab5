"""A new folder of Parquet, one folder per table, in Hive partitions by released values.

Partition folders are named by cells of the release, which were de-identified and checked, never by
original values.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds

from deid.errors import DeidError
from deid.formats.targets.contract import MARKER, LoadableRelease, LoadableTable, target_not_empty

_MARKER_FILE = f"_{MARKER}.json"
_MOST_PARTITIONS = 10_000


@dataclass(frozen=True, slots=True)
class ParquetTarget:
    """A folder that is empty or new; tables without a column of `by` are not partitioned."""

    path: Path = field(repr=False)
    by: tuple[str, ...] = field(default=(), repr=False)

    def held_release(self) -> str | None:
        """See `Target`.

        Raises:
            DeidError: `target-not-empty`.
        """
        if self.path.is_symlink() or (self.path.exists() and not self.path.is_dir()):
            raise target_not_empty()
        if not self.path.exists() or not any(self.path.iterdir()):
            return None
        try:
            told = json.loads((self.path / _MARKER_FILE).read_text("utf-8"))
            return f"{told['released_tree_sha256']}"
        except (OSError, ValueError, KeyError, TypeError):
            pass
        raise target_not_empty()

    def load(self, release: LoadableRelease) -> int:
        """See `Target`.

        Raises:
            DeidError: `partition-invalid`, `target-not-written`.
        """
        if not all(any(c in t.schema.names for t in release.tables) for c in self.by):
            hint = "use the name of a column in the release"
            raise DeidError(
                "partition-invalid",
                "no released table has a column that --partition-by names",
                hint=hint,
            )
        partial = self.path.with_name(f".{self.path.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        try:
            partial.mkdir(parents=True)
            rows = sum(self._write_table(partial, table) for table in release.tables)
            marker = {"released_tree_sha256": release.sha256, "tables": len(release.tables)}
            (partial / _MARKER_FILE).write_text(json.dumps(marker) + "\n", "utf-8")
            if self.path.exists():
                self.path.rmdir()
            partial.rename(self.path)
        except (pa.ArrowException, ValueError):
            hint = f"partition by columns with few values, at most {_MOST_PARTITIONS} folders"
            raise DeidError(
                "target-not-written", "the folder could not be written", place="--to", hint=hint
            ) from None
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return rows

    def _write_table(self, folder: Path, table: LoadableTable) -> int:
        own = [column for column in self.by if column in table.schema.names]
        rows = 0

        def counted() -> Iterator[pa.RecordBatch]:
            nonlocal rows
            for batch in table.batches():
                rows += batch.num_rows
                yield batch

        kinds = pa.schema([table.schema.field(column) for column in own])
        ds.write_dataset(
            counted(),
            folder / table.name.replace("/", "_"),
            schema=table.schema,
            format="parquet",
            partitioning=ds.partitioning(kinds, flavor="hive") if own else None,
            max_partitions=_MOST_PARTITIONS,
            use_threads=False,
        )
        return rows
