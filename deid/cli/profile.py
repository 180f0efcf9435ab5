"""`deid profile TABLE`: classify each column and draft a policy to edit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from deid.api import profile
from deid.cli import say
from deid.cli.option_groups import command, command_app
from deid.errors import DeidError, unreadable
from deid.naming.files import shown_place
from deid.policy.draft import draft_policy
from deid.reports.wording import plural
from deid.spool import is_address
from deid.standard_streams import is_dash

app = command_app()


@command(app)
def run(
    tables: list[Path],
    delimiter: str | None = None,
    layout: Path | None = None,
    base: str = "safe_harbor",
    out: Path | None = None,
    as_json: bool = False,
) -> int:
    """Classify each column with the reason, and draft a policy. No value is shown."""
    out = None if is_dash(out) else out
    _refuse_places(tables, out)
    proposals = profile(tables, delimiter=delimiter, layout=layout)
    draft = draft_policy(base, proposals)
    if out is not None:
        _write_new(out, draft)
        say(f"draft policy with {plural(len(proposals), 'column')} written")
        say(f"hint: edit it, then run `deid policy check {out}` and `deid scrub --policy {out}`")
    if as_json:
        print(json.dumps([p.as_json() for p in proposals], indent=2))
    elif out is None:
        print(draft, end="")
    unsure = sum(p.action == "drop" for p in proposals)
    if unsure:
        say(
            f"{unsure} of {plural(len(proposals), 'column')} could not be classified and would be "
            "withheld"
        )
    return 0


def _refuse_places(tables: Sequence[Path], out: Path | None) -> None:
    """Check the paths before the tables are read, which may take long."""
    for number, path in enumerate(tables, 1):
        if not (is_dash(path) or is_address(path) or path.is_file()):
            raise unreadable(
                "input-missing",
                "a table does not exist or is a folder",
                place=shown_place(f"table {number}", path.name),
                hint="name the table files",
            )
    if out is not None and out.exists():
        raise DeidError(
            "out-exists", "the file for the draft already exists", hint="name a new file"
        )


def _write_new(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
