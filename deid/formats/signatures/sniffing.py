"""Detects the format of a file, a text, a cell or an attachment by its content."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from deid.formats.signatures.grammars import GRAMMARS
from deid.formats.signatures.table import LEADING_BLANKS, Signature, read_signatures
from deid.formats.text.encoding import wide_codec

SNIFFED_BYTES = 1 << 16
_UTF_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"),
         (b"\xfe\xff", "utf-16"))  # fmt: skip
_MAGIC_WINDOW = 4096


def sniff(content: bytes | str) -> Signature | None:
    """The signature of the machine format that the content is or contains; None for prose.

    >>> from deid.formats.signatures import sniff
    >>> sniff("BEGIN:VCARD\\nVERSION:4.0\\nEND:VCARD").format
    'vcard'
    >>> sniff("From the desk of the ward: the patient is well.") is None
    True
    """
    head = _misread_bytes(content[:_MAGIC_WINDOW]) if isinstance(content, str) else content
    data = head.decode("latin-1")
    text = content if isinstance(content, str) else _sniffed_text(content)
    start = text.lstrip(LEADING_BLANKS)
    for signature in _candidates(data, start):
        if _signature_shows(signature, data, text, start):
            return signature
    return None


def sniff_file(path: Path, *, as_text: bool) -> Signature | None:
    """The signature of a file by its first bytes; grammars are tried only for files read `as_text`.

    The rest of a text file is checked when its text is read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(SNIFFED_BYTES)
            whole = not file.read(1)
    except OSError:
        return None
    data, text = head.decode("latin-1"), _sniffed_text(head)
    if not whole and "\n" in text:
        text = text[: text.rfind("\n") + 1]
    start = text.lstrip(LEADING_BLANKS)
    for signature in _candidates(data, start):
        if signature.how == "characters" or (signature.how == "grammar" and not as_text):
            continue
        if _signature_shows(
            signature, data, start if signature.how == "within" else text, start, here=True
        ):
            return signature
    return None


@cache
def _signatures_without(begun: bool, started: bool) -> tuple[Signature, ...]:
    """Return the signatures, without the kinds `bytes` and `start` if none of that kind matches."""
    return tuple(
        one
        for one in read_signatures()
        if (begun or one.how != "bytes" or one.at) and (started or one.how != "start")
    )


@cache
def _any_signature(how: str) -> re.Pattern[str]:
    """Return one pattern that matches if any `how` signature with offset 0 matches."""
    patterns = (s.pattern for s in read_signatures() if s.how == how and not s.at)
    return re.compile("|".join(f"(?:{p.pattern})" for p in patterns if p), re.MULTILINE)


def _candidates(data: str, start: str) -> tuple[Signature, ...]:
    """Return the signatures to try, of which a combined pattern for each kind excludes most."""
    return _signatures_without(
        bool(_any_signature("bytes").match(data)), bool(_any_signature("start").match(start))
    )


def _signature_shows(
    signature: Signature, data: str, text: str, start: str, *, here: bool = False
) -> bool:
    """Whether the content matches the signature; `data` is its first bytes as Latin-1."""
    pattern = signature.pattern
    if pattern is None:
        return GRAMMARS[signature.grammar](text)
    if signature.how == "bytes":
        return pattern.match(data, signature.at) is not None
    if signature.how == "start":
        return pattern.match(start) is not None
    if signature.holds and not any(literal in text for literal in signature.holds):
        return False
    return bool(pattern.match(text) if here else pattern.search(text))


def _misread_bytes(text: str) -> bytes:
    """The bytes of a text that may be binary data misread as Latin-1 or Windows-1252."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("cp1252", "replace")


def _sniffed_text(data: bytes) -> str:
    """The bytes decoded in their detected encoding, for patterns of ASCII characters."""
    codec = next((codec for bom, codec in _UTF_MARKS if data.startswith(bom)), "") or wide_codec(
        data
    )
    return data.decode(codec or "utf-8", "replace")
