"""A number with its noun, for the sentences of reports."""

from __future__ import annotations


def counted_noun(number: int, noun: str, many: str = "") -> str:
    """The number with thousands separators, and its noun; `no` for zero.

    >>> counted_noun(1, "record"), counted_noun(1200, "class", "classes"), counted_noun(0, "person")
    ('1 record', '1,200 classes', 'no person')
    """
    if not number:
        return f"no {noun}"
    return f"{number:,} {noun if number == 1 else many or f'{noun}s'}"
