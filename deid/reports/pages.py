"""Render HTML pages, without scripts or external content. Only this module imports Jinja2."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from deid.reports.wording import percent, plural

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment() -> Environment:
    # Imported here because most commands make no page.
    from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined

    made = Environment(
        loader=ChoiceLoader(
            [
                PackageLoader("deid.reports"),
                PrefixLoader({"review": PackageLoader("deid.review.web")}),
            ]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"counted": plural, "percent": percent, "missed": missed}
    return made


def missed(rate: Mapping[str, float]) -> str:
    """A miss rate of the manifest as part of a sentence.

    >>> missed({"spans": 200, "missed": 4, "low": 0.005, "high": 0.05})
    '2 % (0.5 % to 5 %; 4 of 200)'
    """
    ends = f"{percent(rate['low'])} to {percent(rate['high'])}"
    share = percent(rate["missed"] / rate["spans"])
    return f"{share} ({ends}; {rate['missed']:,} of {rate['spans']:,})"


def render_page(template: str, **content: Any) -> str:
    """Render one HTML page; all content is escaped."""
    return _environment().get_template(template).render(**content)
