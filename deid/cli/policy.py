"""`deid policy list|show|check|compare|schema`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from deid.errors import HELD
from deid.policy.column_agreement import compare_columns as compare_classes
from deid.policy.model import SHIPPED_POLICIES, Policy, parse_policy, policy_text

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Shipped policies, their text, what they may claim.",
    no_args_is_help=True,
)
_Name = Annotated[
    str, typer.Argument(metavar="POLICY", help="A shipped name, a YAML file, or - (stdin).")
]


@app.command("list")
def list_policies(as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """The shipped policies and the claim each supports."""
    read = [(name, parse_policy(policy_text(name))) for name in SHIPPED_POLICIES]
    found = [
        {"policy": name, "claim": p.claim.value, "supported": p.verdict().supported.value}
        for name, p in read
    ]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for f in found:
        print(f"{f['policy']}\tclaims {f['claim']}\tsupported {f['supported']}")


@app.command()
def show(policy: _Name, as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """The text of a policy, to copy and edit."""
    text = policy_text(policy)
    if as_json:
        print(json.dumps(parse_policy(text).model_dump(mode="json", by_alias=True), indent=2))
    else:
        print(text, end="")


@app.command()
def check(policy: _Name, as_json: Annotated[bool, typer.Option("--json")] = False) -> int:
    """The claim a policy supports, and every breach of the one it makes (then exit 3)."""
    parsed = parse_policy(policy_text(policy))
    verdict = parsed.verdict()
    breaches = [
        {
            "identifier": b.identifier.value,
            "residue": None if b.residue is None else b.residue.value,
            "citation": b.citation,
            "reason": b.reason,
        }
        for b in verdict.breaches
    ]
    if as_json:
        content = {
            "policy": parsed.name,
            "claim": parsed.claim.value,
            "supported": verdict.supported.value,
            "rule": verdict.rule,
            "breaches": breaches,
        }
        print(json.dumps(content, indent=2))
    else:
        print(f"{parsed.name}: claims {parsed.claim.value}, supports {verdict.supported.value}")
        print(f"{verdict.rule}: {verdict.reason}")
        for b in breaches:
            left = b["residue"] or "not evaluated"
            print(f"  {b['identifier']} left as {left}: {b['reason']} ({b['citation']})")
    return HELD if breaches else 0


@app.command()
def compare(
    one: _Name, other: _Name, as_json: Annotated[bool, typer.Option("--json")] = False
) -> int:
    """Where two policies differ: their settings, and the columns, with Cohen's kappa."""
    found = compare_classes(parse_policy(policy_text(one)), parse_policy(policy_text(other)))
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
        return 0
    print(f"{len(found.settings)} settings differ")
    for s in found.settings:
        print(f"  {s.name}: {s.one} / {s.other}")
    print(f"{found.columns} columns, {len(found.differing)} treated differently")
    print(f"kappa of roles {_kappa(found.by_role)}, of identifiers {_kappa(found.by_word)}")
    for d in found.differing:
        print(f"  {d.header or f'column {d.position}'}: {d.one} / {d.other}")
    return 0


def _kappa(value: float | None) -> str:
    return "not defined (chance alone would agree)" if value is None else f"{value:.3f}"


@app.command()
def schema(
    as_json: Annotated[bool, typer.Option("--json", help="Which it prints anyway.")] = False,
) -> None:
    """The JSON Schema of a policy, for editors."""
    print(json.dumps(Policy.model_json_schema(), indent=2))
