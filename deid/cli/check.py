"""`deid check OUT`: search every byte of a release for known and derived values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from deid.cli import say_unproved
from deid.cli.option_groups import command, command_app
from deid.errors import HELD
from deid.reports.labels import category_label
from deid.reports.wording import plural

if TYPE_CHECKING:
    from deid.release.release_check import Checked

app = command_app()
PLACES_SHOWN = 50


@command(app)
def run(
    out: Path,
    known: list[Path] | None = None,
    patient_key: str | None = None,
    linked_only: bool = False,
    as_json: bool = False,
) -> int:
    """Search a release for known values: contents, file names, headers, metadata, reports.

    Exit code 3 if a known value is found, if something could not be searched, or if the release has
    changed since the job wrote it.
    """
    from deid.api import check

    checked = check(out, known=known or (), patient_key=patient_key, linked_only=linked_only)
    if as_json:
        print(json.dumps(checked.as_json()))
    else:
        print("\n".join(_result_lines(checked)))
    if not checked.residual.known_values:
        say_unproved()
    return 0 if checked.clean else HELD


def _result_lines(checked: Checked) -> list[str]:
    found = checked.residual
    searched = f"{plural(found.searched_bytes, 'byte')} of {plural(checked.files, 'file')}"
    values, hits = plural(found.known_values, "known value"), plural(found.hits, "hit")
    lines = [f"{values} searched for in {searched}: {hits}"]
    for hit in found.places[:PLACES_SHOWN]:
        record = "" if hit.record is None else f", record {hit.record}"
        lines.append(f"file {hit.file}{record}: {category_label(hit.word)}: {hit.kind}")
    if len(found.places) > PLACES_SHOWN:
        lines.append(f"... and {len(found.places) - PLACES_SHOWN} more; --json lists them all")
    lines += [
        f"file {n} was not fully searched: part of it is not text, is encrypted or damaged, or is "
        "in a format that cannot be unpacked [not-searched]"
        for n in checked.unsearched
    ]
    lines += [
        f"output {n} of the manifest is missing or has changed [output-altered]"
        for n in checked.altered
    ]
    lines += [f"file {n} was not written by the job [file-unlisted]" for n in checked.unlisted]
    return [*lines, *map(str, checked.faults)]
