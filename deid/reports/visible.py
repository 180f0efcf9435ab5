"""Make hidden characters visible on a page."""

from __future__ import annotations

import re

# Characters that hide or reverse their neighbors. Each is replaced by one character, so that
# offsets do not change.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
HIDDEN_MARK = "◆"


def show_hidden_characters(text: str) -> str:
    """The text with every hidden or direction-changing character shown as a diamond.

    >>> show_hidden_characters("a\\u202eb")
    'a◆b'
    """
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(HIDDEN_MARK, text)


def count_hidden_characters(text: str) -> int:
    """Count the hidden characters; a carriage return before a line feed does not count."""
    return len(_HIDDEN.findall(text.replace("\r\n", "\n")))
