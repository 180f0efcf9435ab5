"""Frames of pandas, polars and Arrow as a job, and the output of the job as such a frame."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from deid.errors import UNREADABLE, DeidError
from deid.in_memory.results import Frame, ScrubbedFrame
from deid.jobs import Job
from deid.policy.model import Policy
from deid.policy.table_rules import ColumnRule
from deid.release.releasing import Release
from deid.spool import private_folder


@contextmanager
def frame_job(
    frame: Any,
    known: Any,
    *,
    policy: Policy,
    text_columns: Sequence[str],
    patient_key: str | None,
    table: str,
    strict_columns: bool,
    reference_date: date,
    run_date: date,
) -> Generator[Job]:
    """The frame as the only table of a job, in a private folder that is deleted afterward.

    Raises:
        DeidError: `frame-invalid`, `column-missing`, `column-twice`.
    """
    if Path(table).name != table or "\0" in table:
        raise DeidError(
            "frame-invalid",
            "`table` must be the name of a table, not a path",
            hint="give the name without folders",
        )
    _refuse_same_columns(frame)
    arrow = arrow_table(frame)
    if absent := sum(column not in arrow.column_names for column in text_columns):
        raise DeidError(
            "column-missing",
            f"{absent} of `text_columns` are not in the frame",
            hint="the names must equal those of the frame exactly",
        )
    with private_folder() as folder:
        place = folder / "in" / f"{table}.parquet"
        place.parent.mkdir()
        pq.write_table(arrow, place)
        yield Job(
            inputs=(place,),
            out=folder / "out",
            policy=_with_text_columns(policy, text_columns),
            reference_date=reference_date,
            known=_known_paths(known, folder),
            patient_key=patient_key,
            strict_columns=strict_columns,
            run_date=run_date,
        )


def _refuse_same_columns(frame: Any) -> None:
    """Refuse two columns of the same name, which a policy could not distinguish."""
    # In Arrow, `columns` are the values and `column_names` the names.
    given = frame.column_names if hasattr(frame, "column_names") else getattr(frame, "columns", ())
    names = list(given)
    places = [n for n, name in enumerate(names, 1) if names.index(name) < n - 1]
    if places:
        raise DeidError(
            "column-twice",
            f"{len(places)} columns of the frame have the same name as an earlier one",
            place=f"column {places[0]}",
            hint="give each column a different name",
        )


def _with_text_columns(policy: Policy, text_columns: Sequence[str]) -> Policy:
    if not text_columns:
        return policy
    rules = tuple(ColumnRule(name=name, action="text") for name in text_columns)
    return policy.model_copy(update={"columns": rules + policy.columns})


def _known_paths(known: Any, folder: Path) -> tuple[Path, ...]:
    if known is None:
        return ()
    if isinstance(known, str | Path):
        return (Path(known),)
    place = folder / "known" / "patients.parquet"
    place.parent.mkdir()
    pq.write_table(arrow_table(known), place)
    return (place,)


def arrow_table(frame: Any) -> pa.Table:
    """A pandas, polars or Arrow frame as an Arrow table, without a pandas index.

    Raises:
        DeidError: `frame-invalid`.
    """
    if isinstance(frame, pa.Table):
        return frame
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame])
    try:
        if _is_of(frame, "polars", "DataFrame"):
            return frame.to_arrow()
        if _is_of(frame, "pandas", "DataFrame"):
            return pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
    except (pa.ArrowException, TypeError, ValueError):
        # `from None`: the message may show a cell.
        raise DeidError(
            "frame-invalid",
            "a column of the frame holds values of several types",
            hint="convert such columns to text first",
        ) from None
    raise DeidError(
        "frame-invalid",
        "the frame is not of pandas, polars or Arrow",
        hint="convert it to one of these",
    )


def _is_of(frame: Any, package: str, name: str) -> bool:
    """Whether the frame is of that class, checked without importing its package."""
    kind = getattr(sys.modules.get(package), name, None)
    return kind is not None and isinstance(frame, kind)


def read_scrubbed(release: Release, like: Frame) -> ScrubbedFrame[Frame]:
    """The output of the job, as a frame of the same library as `like`."""
    if release.out is None:
        return ScrubbedFrame(None, release.manifest, (), (), ())
    notes = release.out / "_release"
    quarantine = _lines(notes / "quarantine.jsonl")
    lost = {row["record"] for row in quarantine}
    files = list(release.out.glob("*.parquet"))
    if len(files) != 1 or None in lost:
        raise DeidError(
            "frame-withheld",
            "the rows of the frame were withheld",
            hint="save it as Parquet and scrub that file to see why",
            exit_code=UNREADABLE,
        )
    table = pq.read_table(files[0])
    records = release.manifest["records_in"]
    kept = [place for place in range(records) if place + 1 not in lost]
    frame = _as_library_of(like, table, kept)
    return ScrubbedFrame(frame, release.manifest, _lines(notes / "changes.jsonl"), quarantine, kept)


def _lines(path: Path) -> tuple[Mapping[str, Any], ...]:
    if not path.exists():
        return ()
    return tuple(map(json.loads, path.read_text("utf-8").splitlines()))


def _as_library_of(like: Any, table: pa.Table, kept: Sequence[int]) -> Any:
    if isinstance(like, pa.RecordBatch):
        return table.combine_chunks().to_batches()[0] if table.num_rows else table
    if isinstance(like, pa.Table):
        return table
    if _is_of(like, "polars", "DataFrame"):
        return sys.modules["polars"].from_arrow(table)
    frame = table.to_pandas()
    frame.index = kept  # the labels of the input are not searched, and may be names or numbers
    return frame
