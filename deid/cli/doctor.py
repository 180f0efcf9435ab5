"""`deid doctor`: what is installed. No network, no data."""

from __future__ import annotations

import json
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(as_json: Annotated[bool, typer.Option("--json")] = False) -> int:
    """Versions, model, lists and ZIP tables, checked against their hashes (exit 2 if one fails)."""
    from deid.api import doctor

    findings = doctor()
    if as_json:
        print(json.dumps([finding.as_json() for finding in findings], indent=2))
    else:
        for finding in findings:
            print(f"{'ok  ' if finding.well else 'FAIL'} {finding.what}: {finding.state}")
    return 0 if all(finding.well for finding in findings) else 2
