"""`deid policy list|show|check|compare|rules|schema`."""

from __future__ import annotations

import json
from dataclasses import asdict

from deid.cli.option_groups import command, command_app
from deid.errors import HELD
from deid.policy.column_agreement import compare_columns as compare_classes
from deid.policy.model import (
    SHIPPED_POLICIES,
    open_policy,
    policy_schema,
    policy_text,
    read_fhir_path_rules,
)
from deid.reports.wording import plural

app = command_app("List, show, check and compare policies.")


@command(app, "list")
def list_policies(as_json: bool = False) -> None:
    """List the shipped policies and the claim that each supports."""
    read = [(name, open_policy(name)) for name in SHIPPED_POLICIES]
    found = [
        {"policy": name, "claim": p.claim.value, "supported": p.verdict().supported.value}
        for name, p in read
    ]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for f in found:
        print(f"{f['policy']}\tclaims {f['claim']}\tsupported {f['supported']}")


@command(app, "show")
def show_policy(policy: str, as_json: bool = False) -> None:
    """Print a policy, to copy and edit."""
    if as_json:
        print(json.dumps(open_policy(policy).model_dump(mode="json", by_alias=True), indent=2))
    else:
        print(policy_text(policy), end="")


@command(app, "check")
def check_policy(policy: str, settings: list[str] | None = None, as_json: bool = False) -> int:
    """Show the claim that a policy supports, and each breach of its own claim (exit code 3)."""
    parsed = open_policy(policy, settings or ())
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


@command(app)
def compare(one: str, other: str, as_json: bool = False) -> int:
    """Compare two policies: settings, columns, and Cohen's kappa."""
    found = compare_classes(open_policy(one), open_policy(other))
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
        return 0
    print(f"settings that differ: {len(found.settings)}")
    for s in found.settings:
        print(f"  {s.name}: {s.one} / {s.other}")
    print(f"{plural(found.columns, 'column')}, {len(found.differing)} treated differently")
    print(f"Cohen's kappa: roles {_kappa(found.by_role)}, identifiers {_kappa(found.by_word)}")
    for d in found.differing:
        print(f"  {d.header or f'column {d.position}'}: {d.one} / {d.other}")
    return 0


@command(app, "rules")
def show_rules(config: str, as_json: bool = False) -> None:
    """Show how the engine applies each FHIR rule of Microsoft's anonymization tools.

    The file can also be given as a policy: `deid scrub fhir/ --policy CONFIG -o OUT`.
    """
    rules = read_fhir_path_rules(config)
    if as_json:
        print(json.dumps([asdict(rule) for rule in rules], indent=2))
        return
    for rule in rules:
        paths = plural(rule.paths, "path")
        print(f"{rule.number}\t{rule.path}\t{rule.method}\t{rule.becomes}\t{paths}")


def _kappa(value: float | None) -> str:
    return "undefined (chance alone gives full agreement)" if value is None else f"{value:.3f}"


@command(app)
def schema(always_json: bool = False) -> None:
    """Print the JSON Schema of a policy, for editors."""
    print(json.dumps(policy_schema(), indent=2))
