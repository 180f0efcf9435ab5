"""The file formats. Each reads a file as records and writes the records in the same shape."""

from deid.formats.contract import (
    ColumnSource,
    ContainerPart,
    Format,
    NoteLine,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    Sink,
    is_container,
    sink_path,
)
from deid.formats.fixed_width.layout import Layout, read_layout
from deid.formats.register import (
    format_of,
    left_behind,
    members_of,
    open_source,
)

__all__ = [
    "ColumnSource",
    "ContainerPart",
    "Format",
    "Layout",
    "NoteLine",
    "ReadOptions",
    "Record",
    "RecordFault",
    "RecordSource",
    "Sink",
    "format_of",
    "is_container",
    "left_behind",
    "members_of",
    "open_source",
    "read_layout",
    "sink_path",
]
