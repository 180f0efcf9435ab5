"""Recognizes file formats by content, not by file name: `sniff` and its table."""

from deid.formats.signatures.sniffing import sniff, sniff_file
from deid.formats.signatures.table import Signature, read_signatures

__all__ = ["Signature", "read_signatures", "sniff", "sniff_file"]
