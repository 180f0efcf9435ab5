"""Groupings from tables; `tables/SOURCE.md` gives their sources.

States are grouped to Census divisions and regions, ZIP3 to states, ICD-10-CM codes to blocks and
chapters.
"""

from __future__ import annotations

from functools import cache

from risk.packaged import packaged_rows


def _table_rows(name: str) -> list[dict[str, str]]:
    return packaged_rows("risk.hierarchies.tables", name)


@cache
def regions() -> dict[str, tuple[str, str]]:
    """Census division and region of each state, by its postal code."""
    rows = _table_rows("regions.csv")
    return {s: (r["division"], r["region"]) for r in rows for s in r["states"].split()}


@cache
def _prefixes() -> dict[str, str]:
    rows = _table_rows("zip3_states.csv")
    return {f"{n:03}": r["state"] for r in rows for n in range(int(r["first"]), int(r["last"]) + 1)}


def state_of(prefix: str) -> str:
    """The state of a ZIP3, `other` if no state has it."""
    return _prefixes().get(prefix, "other")


@cache
def icd10cm_blocks() -> tuple[list[str], list[dict[str, str]]]:
    """The first categories of the ICD-10-CM blocks in ascending order, and the row of each
    block."""
    rows = _table_rows("icd10cm_blocks.csv")
    return [row["first"] for row in rows], rows
