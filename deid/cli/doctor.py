"""`deid doctor`: check the installation, without network and without data."""

from __future__ import annotations

import json

from deid.cli.option_groups import command, command_app

app = command_app()


@command(app)
def run(as_json: bool = False) -> int:
    """Check versions, and the hashes of model, lists and ZIP tables. Exit code 2 on a fault."""
    from deid.api import doctor

    findings = doctor()
    if as_json:
        print(json.dumps([finding.as_json() for finding in findings], indent=2))
    else:
        for finding in findings:
            mark = ("absent" if finding.state == "absent" else "ok") if finding.well else "FAIL"
            state = "" if mark == "absent" else f": {finding.state}"
            print(f"{mark:<6} {finding.what}{state}")
    return 0 if all(finding.well for finding in findings) else 2
