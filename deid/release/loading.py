"""Load a checked release into a target: completely, and only once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deid.errors import DeidError
from deid.formats.sql.database_addresses import DUCKDB_SUFFIXES, address_of
from deid.formats.targets.contract import LoadedRelease, Target, target_not_empty
from deid.release.released_tables import read_release


def target_of(to: str, partition_by: Sequence[str] = ()) -> Target:
    """The target that a URL or a path names. Each kind of target is imported on first use.

    Raises:
        DeidError: `database-url-invalid`, `partition-invalid`.
    """
    is_folder = not address_of(to) and Path(to).suffix.casefold() not in DUCKDB_SUFFIXES
    if partition_by and not is_folder:
        hint = "name a folder with --to; only Parquet is partitioned"
        raise DeidError(
            "partition-invalid",
            "--partition-by is given, but --to does not name a folder",
            hint=hint,
        )
    if address_of(to):
        from deid.formats.targets.database_target import DatabaseTarget

        return DatabaseTarget.of(to)
    if is_folder:
        from deid.formats.targets.parquet_target import ParquetTarget

        return ParquetTarget(Path(to), tuple(partition_by))
    from deid.formats.targets.duckdb_target import DuckDbTarget

    return DuckDbTarget(Path(to))


def refuse_target(target: Target) -> None:
    """Refuse a target that is not empty, before a job that may take hours.

    Raises:
        DeidError: `target-not-empty`, and errors of the target.
    """
    if target.held_release() is not None:
        raise target_not_empty()


def load_release(out: Path, target: Target) -> LoadedRelease:
    """Load the tables of the release in OUT. A target that holds this release is not changed.

    A killed load can be repeated: the target then holds either nothing or the whole release.

    Raises:
        DeidError: the release or the target is refused.
    """
    release = read_release(out)
    held = target.held_release()
    if held is not None and held != release.sha256:
        raise target_not_empty()
    rows = 0 if held else target.load(release)
    return LoadedRelease(len(release.tables), rows, release.others, held is not None)
