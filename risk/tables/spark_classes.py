"""Equivalence classes counted by Spark.

The cluster groups the rows, and this program receives one row per class.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from risk.errors import RiskError
from risk.tables.classes import Classes
from risk.tables.coding import checked_columns, encode
from risk.tables.damage import unreadable_table
from risk.tables.delimited_text import delimited_layout
from risk.tables.parquet_tables import PARQUET_SUFFIXES

_CLASS_ROWS = "rows of the class"
_MALFORMED = "row with more or fewer cells"
_SILENT_SESSION = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.eventLog.enabled": "false",
    # Folder names stay text, as when Spark is not used.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}
_ON_THIS_MACHINE = {
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "4g",
}


def read_classes_by_spark(
    path: Path | str, quasi: Sequence[str], *, delimiter: str | None = None
) -> Classes:
    """Read delimited text or Parquet with Spark, with the same classes and figures as
    `read_classes`.

    Uses the active Spark session, or one of its own: two tasks on this machine unless a master is
    configured. Raises `RiskError` `spark-missing` without pyspark or Java.
    """
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import functions
    except ImportError:
        raise _spark_missing("pyspark is not installed", "install the extra `spark`") from None
    session, own = _session()
    try:
        frame = _spark_frame(session, str(path), delimiter)
        names = [name for name in frame.columns if name != _MALFORMED]
        wanted = checked_columns(names, quasi)
        # A name may hold a dot, which Spark would read as a path into a struct.
        plain = frame.toDF(*(f"c{i}" for i in range(len(frame.columns))))
        keys = [plain[f"c{names.index(name)}"] for name in wanted]
        if len(names) < len(frame.columns):
            keys.append(plain[f"c{len(names)}"].isNotNull().alias(_MALFORMED))
        found = _as_arrow(plain.groupBy(*keys).agg(functions.count("*").alias(_CLASS_ROWS)))
    except PySparkException:
        raise unreadable_table("Spark cannot read the table", "unreadable-file") from None
    finally:
        if own:
            session.stop()
    sizes = found.column(_CLASS_ROWS).to_numpy()
    if _MALFORMED in found.column_names and any(found.column(_MALFORMED).to_pylist()):
        raise unreadable_table("a row has more or fewer cells", "ragged-row")
    table = encode(found.select(range(len(wanted))).rename_columns(wanted))
    return Classes.of(table, counts=sizes)


def _session() -> tuple[Any, bool]:
    """Return the Spark session, and whether this function created it."""
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        return active, False
    try:
        maker = SparkSession.builder.appName("deid risk")
        for key, value in _SILENT_SESSION.items():
            maker = maker.config(key, value)
        from pyspark import SparkConf

        if not SparkConf().contains("spark.master"):
            maker = maker.master("local[2]")
            for key, value in _ON_THIS_MACHINE.items():
                maker = maker.config(key, value)
        session = maker.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        return session, True
    except (PySparkException, RuntimeError, OSError):
        raise _spark_missing(
            "Spark could not be started", "install Java 17, or set JAVA_HOME"
        ) from None


def _spark_frame(session: Any, name: str, delimiter: str | None) -> Any:
    if name.lower().endswith(PARQUET_SUFFIXES) or Path(name).is_dir():
        return session.read.parquet(name)
    from pyspark.sql.types import StringType, StructField, StructType

    known, found = delimited_layout(name, delimiter)
    # A malformed row is marked instead of raising an error, because Spark's error would write the
    # row to the logs.
    fields = [StructField(column, StringType()) for column in (*known, _MALFORMED)]
    return session.read.csv(
        name,
        schema=StructType(fields),
        header=True,
        sep=found,
        quote='"',
        escape='"',
        multiLine=True,
        mode="PERMISSIVE",
        columnNameOfCorruptRecord=_MALFORMED,
    )


def _as_arrow(frame: Any) -> pa.Table:
    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    return pa.Table.from_batches(frame._collect_as_arrow())  # before Spark 4


def _spark_missing(message: str, hint: str) -> RiskError:
    return RiskError(message, code="spark-missing", place="--engine spark", hint=hint)
