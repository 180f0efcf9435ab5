"""Text for a page on which nothing is other than it seems."""

from __future__ import annotations

import re

# Characters that hide or turn round what stands beside them: shown, one for one, so that
# offsets stay.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
STAND_IN = "◆"


def show_hidden_characters(text: str) -> str:
    """The text with every hidden or direction-turning character shown by a stand-in.

    >>> plain("a\\u202eb")
    'a◆b'
    """
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(STAND_IN, text)


def count_hidden_characters(text: str) -> int:
    """How many such characters a text holds; a carriage return before a line feed is none."""
    return len(_HIDDEN.findall(text.replace("\r\n", "\n")))
