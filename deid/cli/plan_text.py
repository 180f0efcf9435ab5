"""The summary of a plan as the text that `deid plan` prints."""

from __future__ import annotations

from typing import Any

# A number of generalizations below this is printed in full.
_MANY_NODES = 10**15


def plan_as_text(summary: dict[str, Any]) -> str:
    """The plan as text."""
    from risk import counted_noun

    proof = (
        "proven optimal"
        if summary["optimal"]
        else f"at most {summary['minimised']['gap']:g} above the optimum"
    )
    if summary["method"] != "full-domain":
        proof = "not proven optimal"
    levels = ", ".join(f"{name} {level}" for name, level in summary["levels"].items())
    least = summary["minimised"]
    lines = [f"{summary['method']}: {least['loss']} {least['value']:.6g} ({proof})"]
    if levels:
        lines.append(f"levels: {levels}")
    lines.append(
        f"{counted_noun(summary['records'], 'record')}, "
        f"{summary['suppressed_records']:,} suppressed, "
        f"{counted_noun(summary['classes'], 'class', 'classes')}, "
        f"smallest {summary['smallest_class']:,}"
    )
    if summary["nodes"]["total"]:
        nodes = summary["nodes"]
        total = f"{nodes['total']:,}" if nodes["total"] < _MANY_NODES else f"{nodes['total']:.2g}"
        lines.append(f"{nodes['checked']:,} of {total} generalizations checked")
    lines += [f"note: {note}" for note in summary["notes"]]
    if "differential_privacy" in summary:
        private = summary["differential_privacy"]
        lines.append(
            f"differential privacy: epsilon {private['epsilon']:g}, delta {private['delta']:g}; "
            f"{private['drawn']:,} rows drawn with probability {private['share']:.4f}, "
            f"classes of at least {private['k']}"
        )
    if "utility" in summary:
        lines += _utility_lines(summary["utility"])
    for told in summary.get("perturbations", ()):
        lines.append(f"perturbed {', '.join(told['columns'])}: {told['effect']}; {told['claim']}")
    if "note" in summary["details"]:
        lines.append(f"note: {summary['details']['note']}")
    if "warning" in summary["details"]:
        lines.append(f"warning: {summary['details']['warning']}")
    return "\n".join(lines)


def _utility_lines(utility: dict[str, Any]) -> list[str]:
    """The cost of a plan as text."""
    lines = []
    for found in utility["columns"]:
        before, after = found["mean"]["before"], found["mean"]["after"]
        told = "not available" if after is None else f"{after:.6g}"
        lines.append(f"mean of {found['column']}: {before:.6g} before, {told} after")
    change = utility["largest_change_of_a_correlation"]
    if change is not None:
        lines.append(f"correlations change by {change:.3f} at most")
    for term in (utility["regression"] or {"terms": ()})["terms"]:
        after = term["after"]
        told = "not available" if after is None else f"{after['coefficient']:.6g}"
        overlap = "" if term["overlap"] is None else f", intervals overlap {term['overlap']:.2f}"
        before = term["before"]["coefficient"]
        lines.append(f"regression, {term['term']}: {before:.6g} before, {told} after{overlap}")
    distance = utility["propensity_score_distance"]
    if distance is not None:
        lines.append(f"propensity-score distance: {distance['ratio']:.3f} of the largest possible")
    return lines
