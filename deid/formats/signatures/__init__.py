"""What a content is by its own signature, whatever its name says: `sniff` and its table."""

from deid.formats.signatures.sniffing import sniff, sniff_file
from deid.formats.signatures.table import Signature, read_signatures

__all__ = ["Signature", "read_signatures", "sniff", "sniff_file"]
