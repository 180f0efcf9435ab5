"""The text of a PDF for the search. It is read by pypdf, which shares no code with the reader."""

from __future__ import annotations

import io
import logging

PDF_START = b"%PDF-"


def pdf_text(data: bytes) -> str:
    """The texts of all pages and of the properties; "" for a file that pypdf cannot read."""
    # Imported here because most releases hold no PDF.
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # pypdf's warnings quote the file
    try:
        reader = PdfReader(io.BytesIO(data))
        told = [str(value) for value in (reader.metadata or {}).values()]
        return "\n\f\n".join([*told, *(page.extract_text() for page in reader.pages)])
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError,
            RecursionError, ArithmeticError, OSError, NotImplementedError):  # fmt: skip
        return ""
