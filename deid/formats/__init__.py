"""Files in, the same shape out: one file a format."""

from deid.formats.contract import Fault, Format, ReadOptions, Record, Sink, Source, TreeSource
from deid.formats.locus import Locus, LocusTable
from deid.formats.register import FORMATS, format_of, formats, open_source

__all__ = [
    "FORMATS",
    "Fault",
    "Format",
    "Locus",
    "LocusTable",
    "ReadOptions",
    "Record",
    "Sink",
    "Source",
    "TreeSource",
    "format_of",
    "formats",
    "open_source",
]
