"""Write the result of a plan: the released table, the list of changes, and a policy that repeats
it."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from deid.errors import DeidError
from deid.plans.actions import action_of
from deid.plans.planning import MadePlan
from deid.plans.request import PlanArguments
from deid.policy.model import parse_policy, policy_text
from deid.standard_streams import is_dash
from recognizers import profile
from risk import (
    CodedColumn,
    CodedTable,
    Hierarchy,
    HierarchyRule,
    Plan,
    changed_cells,
    read_delimiter,
    save_plan,
)

_SAMPLE = 2_000
_CHUNK = 100_000
# What the columns of each built-in hierarchy hold, and which transform has the result of a level.
_RULE_IDENTIFIERS = {
    "date": {"identifier": "dates", "entity": "DATE_TIME"},
    "age": {"identifier": "dates", "entity": "AGE"},
    "zip": {"identifier": "places", "entity": "US_ZIP_CODE"},
    "state": {"identifier": "places", "entity": "US_STATE"},
}
_ACTIONS = {("age", 1): "age_cap", ("zip", 1): "zip3", ("state", 0): "keep_state"}


@dataclass(frozen=True)
class PlanColumns:
    """The columns besides the quasi-identifiers.

    Some stay unchanged, the others are withheld, each with the reason.
    """

    stays: tuple[str, ...]
    withheld: Mapping[str, str]


def columns_kept(table: CodedTable, quasi: Sequence[str], keep: Sequence[str]) -> PlanColumns:
    """Decide which other columns stay: those named in `keep`, and those that the column profile
    classifies as `keep`. All others are withheld with the reason."""
    unknown = [name for name in keep if name not in table.names]
    if unknown:
        raise DeidError(
            "unknown-column",
            "--keep names a column that the table lacks",
            place="--keep",
            hint="the name must equal the header exactly",
        )
    stays, withheld = [], {}
    for column in table.columns:
        if column.name in quasi:
            continue
        if column.name in keep:
            stays.append(column.name)
            continue
        sample = column.values[column.codes[:_SAMPLE]]
        seen = profile(column.name, [None if v is None else str(v) for v in sample])
        if seen.kind != "keep":
            withheld[column.name] = f"has the profile `{seen.kind}`"
        elif all(v is None or seen.may_stay(str(v)) for v in column.values):
            stays.append(column.name)
        else:
            withheld[column.name] = "has cells that look like a person's values"
    return PlanColumns(tuple(stays), withheld)


def write_plan_table(
    path: Path, whole: CodedTable, plan: Plan, stays: Sequence[str], delimiter: str
) -> None:
    """Write the released rows as delimited text, in the order of the columns read.

    The file appears completely or not at all.
    """
    kept = None if bool(plan.kept.all()) else plan.kept.nonzero()[0]
    columns = []
    for column in whole.columns:
        if column.name in plan.table.names:
            columns.append(plan.table.column(column.name))
        elif column.name in stays:
            codes = column.codes if kept is None else column.codes[kept]
            columns.append(CodedColumn(column.name, codes, column.values))
    write_table(path, columns, plan.table.rows, delimiter)


def write_table(path: Path, columns: Sequence[CodedColumn], rows: int, delimiter: str) -> None:
    """Write columns as delimited text, completely or not at all."""
    if is_dash(path):
        _write_rows(sys.stdout, columns, rows, delimiter)
        return
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="") as stream:
            _write_rows(stream, columns, rows, delimiter)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write_rows(stream: IO[str], columns: Sequence[CodedColumn], rows: int, delimiter: str) -> None:
    out = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    out.writerow([column.name for column in columns])
    for chunk in _text_rows(columns, rows):
        out.writerows(chunk)


def _text_rows(columns: Sequence[CodedColumn], rows: int) -> Iterator[Iterator[tuple[str, ...]]]:
    texts = [["" if value is None else str(value) for value in c.values] for c in columns]
    for start in range(0, rows, _CHUNK):
        cells = [
            map(text.__getitem__, column.codes[start : start + _CHUNK].tolist())
            for text, column in zip(texts, columns, strict=True)
        ]
        yield zip(*cells, strict=True)


def write_changes(path: Path, table: CodedTable, plan: Plan) -> None:
    """List every changed cell: row (from 1), column, action and reason, without values."""
    reason = "; ".join(
        " ".join(f"{key} {value}" for key, value in limit.describe().items())
        for limit in plan.request.limits
    )
    with path.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(["row", "column", "action", "reason"])
        for row, column, action in changed_cells(table, plan):
            out.writerow([row, "*" if column is None else column, action, reason])


def policy_of(made: MadePlan, kept: PlanColumns) -> tuple[str, tuple[str, ...]]:
    """Return a policy for `deid scrub` that repeats the plan as far as its transforms can.

    The second result names the columns that no transform can recode. The policy drops them; `deid
    plan --apply` recodes them with the saved plan.
    """
    plan, columns, beyond = made.plan, list[dict[str, str]](), list[str]()
    for name in plan.table.names:
        rule = _column_rule(name, plan, made.rules.get(name), plan.hierarchies.get(name))
        if rule is None or name in made.rewritten:
            beyond.append(name)
            rule = {"action": "drop", "reason": "only the saved plan recodes it"}
        columns.append({"name": name, **rule})
    for name in made.perturbed:
        columns.append(
            {"name": name, "action": "drop", "reason": "only the saved plan perturbs it"}
        )
        beyond.append(name)
    for name in (name for name in kept.stays if name not in made.perturbed):
        reason = "its profile identifies nobody, or --keep names it"
        columns.append({"name": name, "action": "keep", "reason": reason})
    columns += [{"name": name, "action": "drop"} for name in kept.withheld]
    base = policy_text("expert_determination")
    rules = "".join(f"  - {json.dumps(column, ensure_ascii=False)}\n" for column in columns)
    text = base.replace("name: expert_determination", "name: planned", 1)
    text = text.replace("columns: []\n", f"columns:\n{rules}")
    parse_policy(text)
    return text, tuple(beyond)


def _column_rule(
    name: str, plan: Plan, rule: HierarchyRule | None, hierarchy: Hierarchy | None
) -> dict[str, str] | None:
    """Return the column rule with the same result as the plan; None if there is none."""
    level = plan.levels.get(name)
    if level is None or hierarchy is None:
        return None
    if len(hierarchy.labels[level]) == 1:
        return {"action": "drop", "reason": "generalized to one value by the plan"}
    kind = "" if rule is None else rule.kind
    if kind == "date" and _covers_all(hierarchy, level, 4):
        return {**_RULE_IDENTIFIERS[kind], "action": "year"}
    action = _ACTIONS.get((kind, level))
    if action is not None:
        return {**_RULE_IDENTIFIERS[kind], "action": action}
    if level and (action := action_of(kind, hierarchy, level)) is not None:
        return {
            **_RULE_IDENTIFIERS.get(kind, {}),
            "action": action,
            "reason": "coarsened by the plan",
        }
    if level == 0:
        return {
            **_RULE_IDENTIFIERS.get(kind, {}),
            "action": "keep",
            "reason": "left unchanged by the plan",
        }
    return None


def _covers_all(hierarchy: Hierarchy, level: int, width: int) -> bool:
    labels = [label for label in hierarchy.labels[level] if label is not None]
    return all(len(label) == width and label.isdigit() for label in labels)


def write_release(
    out: Path, made: MadePlan, source: str, keep: Sequence[str], delimiter: str | None
) -> dict[str, Any]:
    """Write the table, the saved plan and the policy; return what was written and what was
    withheld.

    `out` is a .csv, .tsv or .txt file (the plan and the policy are written beside it), a new
    folder, or `-`: only the table, to stdout.

    Raises:
        DeidError: the output is the input, or a folder that is not empty.
    """
    folder, name = _output_place(out, source)
    kept = columns_kept(made.whole, made.plan.table.names, keep)
    if made.quasi_only:
        reason = "is outside the guarantee of differential privacy"
        withheld = dict.fromkeys((*kept.stays, *kept.withheld), reason)
        kept = PlanColumns((), withheld)
    stem = name.rsplit(".", 1)[0]
    mark = _delimiter(name, source, delimiter)
    write_plan_table(folder / name, made.whole, made.plan, kept.stays, mark)
    told: dict[str, Any] = {
        "table": name,
        "rows": made.plan.table.rows,
        "columns_kept": list(kept.stays),
        "withheld": dict(kept.withheld),
        "plan": None,
        "policy": None,
        "beyond_policy": [],
    }
    if made.plan.method == "full-domain" and not is_dash(name):
        told["plan"], told["policy"] = f"{stem}.plan.json", f"{stem}.policy.yaml"
        policy, beyond = policy_of(made, kept)
        told["beyond_policy"] = list(beyond)
        told["records_only_the_plan_leaves_out"] = made.plan.suppressed_records
        (folder / told["plan"]).write_text(save_plan(made.plan, made.rules), "utf-8")
        (folder / told["policy"]).write_text(policy, "utf-8")
    return told


def write_columns(
    out: Path,
    table: CodedTable,
    arguments: PlanArguments,
    told: Sequence[str],
    keep: Sequence[str] = (),
) -> dict[str, Any]:
    """Write the columns `told` and the other columns that may stay, as `write_release` does."""
    folder, name = _output_place(out, arguments.table)
    kept = columns_kept(table, [*told, *arguments.quasi], keep)
    columns = [c for c in table.columns if c.name in told or c.name in kept.stays]
    mark = _delimiter(name, arguments.table, arguments.delimiter)
    write_table(folder / name, columns, table.rows, mark)
    return {"table": name, "rows": table.rows, "withheld": dict(kept.withheld)}


def _output_place(out: Path, source: str) -> tuple[Path, str]:
    if is_dash(out):
        return out.parent, out.name
    if out.suffix.lower() in (".csv", ".tsv", ".txt"):
        if out.exists() and Path(source).exists() and out.samefile(source):
            raise DeidError("in-place", "--out names the input table", hint="name another file")
        if out.exists():
            raise DeidError(
                "out-exists",
                "the output exists already",
                place="--out",
                hint="name a new file",
            )
        if not out.parent.is_dir():
            raise DeidError(
                "no-folder",
                "the folder of the output does not exist",
                place="--out",
                hint="create it, or name another",
            )
        return out.parent, out.name
    if out.suffix.lower() in (".parquet", ".pq", ".xlsx", ".json", ".jsonl"):
        raise DeidError(
            "format-unknown",
            "--out names a format that `deid plan` does not write",
            hint="use -o NAME.csv or NAME.tsv, or a folder",
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DeidError(
            "out-exists",
            "the output folder is not empty",
            place="--out",
            hint="name a new folder",
        )
    out.mkdir(parents=True, exist_ok=True)
    stem = "table" if is_dash(source) else Path(source).name.split(".")[0]
    return out, f"{stem}.csv"


def _delimiter(name: str, source: str, asked: str | None) -> str:
    """The delimiter asked for, or else that of the output's suffix or of the input."""
    return asked or ("\t" if name.endswith(".tsv") else read_delimiter(source))
