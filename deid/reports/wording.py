"""Numbers in sentences: counted nouns and percentages."""

from __future__ import annotations

from collections.abc import Mapping

ACTUAL_KNOWLEDGE = (
    "I have no actual knowledge that the information in this release could be used, alone or in "
    "combination with other information, to identify an individual who is a subject of it."
)
"""The statement about the condition of 164.514(b)(2)(ii), for a person to sign."""


def plural(number: float, noun: str, many: str = "") -> str:
    """The number with its noun, which is singular for 1.

    >>> plural(1, "leak"), plural(2, "leak"), plural(1200, "byte")
    ('1 leak', '2 leaks', '1200 bytes')
    """
    return f"{number} {noun if number == 1 else many or f'{noun}s'}"


def percent(share: float) -> str:
    """A share of at most 1 as a percentage with two significant digits.

    >>> percent(0.0126), percent(1), percent(0.00004)
    ('1.3 %', '100 %', '0.004 %')
    """
    return "100 %" if share >= 0.995 else f"{float(f'{100 * share:.2g}'):g} %"


def fate_shares(cells: Mapping[str, int]) -> str:
    """The number and share of filled cells by fate, the most common first; no zeros.

    >>> fate_shares({"kept": 980, "coarsened": 0, "blanked": 20})
    '980 kept (98.0 %), 20 blanked (2.0 %)'
    """
    total = sum(cells.values())
    shares = sorted((item for item in cells.items() if item[1]), key=lambda item: -item[1])
    return ", ".join(f"{n:,} {fate} ({100 * n / total:.1f} %)" for fate, n in shares)
