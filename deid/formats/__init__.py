"""Files in, the same shape out: one file a format."""

from deid.formats.contract import (
    ColumnSource,
    Container,
    Fault,
    Format,
    Note,
    Part,
    ReadOptions,
    Record,
    Sink,
    Source,
    TreeSource,
    is_container,
    sink_path,
)
from deid.formats.register import (
    FORMATS,
    format_of,
    formats,
    left_behind,
    members_of,
    open_source,
)

__all__ = [
    "FORMATS",
    "ColumnSource",
    "Container",
    "Fault",
    "Format",
    "Note",
    "Part",
    "ReadOptions",
    "Record",
    "Sink",
    "Source",
    "TreeSource",
    "format_of",
    "formats",
    "is_container",
    "left_behind",
    "members_of",
    "open_source",
    "sink_path",
]
