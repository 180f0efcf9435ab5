"""The tokens of RTF 1.9.1: groups, control words and bytes of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from deid.formats.documents.whole_text import refuse_document

_RTF_TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(?![A-Za-z])(-?\d{1,10})?[ ]?"
    rb"|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|[\r\n]+"
    rb"|([^\\{}\r\n]+)|\\$",
    re.DOTALL,
)
MOST_RTF_DEPTH = 500


@dataclass(frozen=True, slots=True)
class RtfToken:
    """A token. `kind` is `open`, `close`, `word`, `sign` or `bytes`."""

    kind: str
    word: str = ""
    number: int | None = None
    data: bytes = field(default=b"", repr=False)


def tokenize_rtf(data: bytes) -> Iterator[RtfToken]:
    r"""The tokens of the outermost group. The binary data after `\bin` is skipped.

    Raises:
        DeidError: `broken-rtf` for groups that do not close and invalid escapes,
            `rtf-limits` for deep nesting.
    """
    place, depth, end = 0, 0, len(data)
    while place < end:
        found = _RTF_TOKEN.match(data, place)
        if found is None or found[0] in (b"\\", b"\\'"):
            raise refuse_document("broken-rtf")
        place = found.end()
        token = _rtf_token(found)
        if token is None:
            continue
        depth += (token.kind == "open") - (token.kind == "close")
        if depth > MOST_RTF_DEPTH:
            raise refuse_document("rtf-limits")
        if token.word == "bin":
            place += max(0, token.number or 0)
            continue
        yield token
        if depth <= 0:
            return
    raise refuse_document("broken-rtf")


def _rtf_token(found: re.Match[bytes]) -> RtfToken | None:
    """The token of a match; None for the file's line ends."""
    word, number, coded, sign, brace, plain = found.group(1, 2, 3, 4, 5, 6)
    if word is not None:
        return RtfToken("word", word.decode("ascii"), int(number) if number else None)
    if coded is not None:
        return RtfToken("bytes", data=bytes.fromhex(coded.decode("ascii")), word="'")
    if sign == b"'":
        raise refuse_document("broken-rtf")
    if sign is not None:
        return RtfToken("sign", sign.decode("latin-1"))
    if brace is not None:
        return RtfToken("open" if brace == b"{" else "close")
    return None if plain is None else RtfToken("bytes", data=plain)
