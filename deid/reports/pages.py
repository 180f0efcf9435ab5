"""The one door to Jinja2: pages without script, without anything from elsewhere."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined


@cache
def _environment() -> Environment:
    return Environment(
        loader=ChoiceLoader(
            [
                PackageLoader("deid.reports"),
                PrefixLoader({"review": PackageLoader("deid.review")}),
            ]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, **content: Any) -> str:
    """One HTML page; everything put into it is escaped."""
    return _environment().get_template(template).render(**content)
