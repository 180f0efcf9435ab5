"""The policies compared with Safe Harbor, as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from risk.reports.charts import horizontal_bars
from risk.reports.rendering import fill_template, safe_chart


def render_policies(
    records: int,
    percents: Mapping[str, float],
    limit: float,
    models: Sequence[str],
    rows: Sequence[tuple[str, Sequence[str]]],
) -> str:
    """Render one HTML page without scripts.

    It has a bar for each policy's total risk in percent of the records, a line at the risk of Safe
    Harbor, and a table of the risk by every model, as text.
    """
    return fill_template(
        "policies.html",
        records=records,
        models=models,
        rows=rows,
        chart=safe_chart(
            horizontal_bars("Total risk", percents, "% of records", limit=limit) if percents else ""
        ),
    )
