"""Files in, the same shape out: one file a format."""

from deid.formats.contract import Fault, Format, ReadOptions, Record, Sink, Source
from deid.formats.register import FORMATS, format_of, formats, open_source

__all__ = [
    "FORMATS",
    "Fault",
    "Format",
    "ReadOptions",
    "Record",
    "Sink",
    "Source",
    "format_of",
    "formats",
    "open_source",
]
