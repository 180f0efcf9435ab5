"""Make hidden characters visible, so that a page shows the text as it is."""

from __future__ import annotations

import re

# Characters that hide their neighbors or reverse them. Each is replaced by one character, so that
# offsets stay.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
HIDDEN_MARK = "◆"


def show_hidden_characters(text: str) -> str:
    """The text with every hidden or direction-changing character shown as a diamond.

    >>> plain("a\\u202eb")
    'a◆b'
    """
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(HIDDEN_MARK, text)


def count_hidden_characters(text: str) -> int:
    """Count such characters; a carriage return before a line feed does not count."""
    return len(_HIDDEN.findall(text.replace("\r\n", "\n")))
