"""Compares the PostgreSQL catalog of a crosswalk's tables with the expected one.

A trigger, a rule, a row-level security policy, a default, an inheriting table or an index over a
function can change what a statement does, so anything that is not listed is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

_CATALOG_FOLDER = files(__name__.rpartition(".")[0])
# Restricts the search path to the schema of the book, with system names first.
OWN_SCHEMA = (_CATALOG_FOLDER / "own_schema.sql").read_text("utf-8")
FACTS = (_CATALOG_FOLDER / "facts.sql").read_text("utf-8")


def strangers(found: Iterable[tuple[str, str, str]]) -> tuple[str, ...]:
    """Describes unexpected and missing objects without naming them."""
    there, expected = Counter(found), Counter(_expected())
    planted = sorted({(kind, of) for kind, of, _ in there - expected})
    gone = sorted({(kind, of) for kind, of, _ in expected - there} - set(planted))
    return (
        *(f"a {kind} of {of}" for kind, of in planted),
        *(f"a missing {kind} of {of}" for kind, of in gone),
    )


@cache
def _expected() -> tuple[tuple[str, str, str], ...]:
    lines = (_CATALOG_FOLDER / "facts.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return tuple((kind, of, fact) for kind, of, fact in rows)
