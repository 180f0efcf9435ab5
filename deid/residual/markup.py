"""The text that XML, HTML, RTF and PDF show, used by the search only.

A reader sees one value even if tags or control words split it. Only tags that begin a line or a
cell separate values. PDF is read by pypdf, which shares no code with the reader of the job.
"""

from __future__ import annotations

import html
import io
import logging
import re

PDF_START = b"%PDF-"

_MARKUP_TAG = re.compile(
    r"<(?:!--[\s\S]{0,100000}?-->|[/?!]?([A-Za-z][\w.:-]{0,60})[^<>]{0,20000}>)"
)
# Tags of text within a line, in HTML and in WordprocessingML.
_INLINE_NAMES = """
    a abbr b big cite code del em font i ins kbd mark q s samp small span strike strong sub sup u
    var wbr w:r w:t w:rpr w:b w:bcs w:i w:ics w:u w:sz w:szcs w:rfonts w:color w:lang w:vertalign
    w:highlight w:strike w:hyperlink w:smarttag w:sdt w:sdtcontent w:sdtpr w:ins
"""
_WITHIN_A_LINE = frozenset(_INLINE_NAMES.split())
_RTF_LINE_WORDS = re.compile(r"\\(?:par|line|row|cell|sect|page|tab)(?![a-z])[ ]?")
_RTF_WORD = re.compile(r"\\[a-zA-Z]{1,32}-?\d{0,10}[ ]?|[{}\r\n]")


def shown_text(text: str) -> str:
    r"""The text without its markup; "" if it has none.

    >>> shown_text("<p>Jo<b>hn</b> &amp; Mary</p>").strip()
    'John & Mary'
    >>> shown_text(r"{\rtf1 Jo{\b hn}\par Mary}").split()
    ['John', 'Mary']
    """
    if "{\\rtf" in text[:4096].lower():
        return _RTF_WORD.sub("", _RTF_LINE_WORDS.sub("\n", text).replace("\n", "\x1f")).replace(
            "\x1f", "\n"
        )
    if "<" not in text or _MARKUP_TAG.search(text) is None:
        return ""
    return html.unescape(_MARKUP_TAG.sub(_joint, text))


def _joint(tag: re.Match[str]) -> str:
    return "" if (tag[1] or "").lower() in _WITHIN_A_LINE else "\n"


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
