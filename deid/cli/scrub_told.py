"""What `deid scrub` prints: results (plan, manifest) on stdout, messages on stderr."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from deid.cli import say, say_unproved
from deid.decision import decisions_as_json
from deid.errors import INTERRUPTED, QUARANTINED
from deid.jobs import Job, job_folder_path, list_inputs, plan_job, unfinished
from deid.naming.files import shown_place
from deid.release.manifest import TEXT
from deid.release.releasing import Release
from deid.release.sealing import RELEASE_FOLDER
from deid.reports.labels import category_label
from deid.reports.states import SEARCHED, headline, status
from deid.reports.wording import fate_shares, plural
from deid.vocabularies.quarantine_codes import reason
from safe_harbor import Identifier

QUARANTINE = "quarantine.jsonl"
WITHHELD_SHOWN = 12
NUMBERED_FILES_NOTE = "files are numbered in the order of the inputs, and by name within a folder"
TO_KEEP = "hint: to keep a withheld column, name it in a policy; `deid profile TABLE` drafts one"


def tell_release(release: Release, out: str, as_json: bool, quiet: bool) -> int:
    """Report the result of the job and return its exit code. OUT is shown as `out`."""
    if as_json:
        print(json.dumps(release.manifest, indent=2))
    if not quiet:
        _print_summary(release, out)
    return release.exit_code


def tell_done(manifest: Mapping[str, Any], as_json: bool) -> int:
    """Report that OUT is already complete; return the exit code."""
    say("OUT already holds the complete release of these inputs under this policy")
    if as_json:
        print(json.dumps(manifest, indent=2))
    return QUARANTINED if manifest.get("quarantined") else 0


def tell_interrupt(out: Path) -> int:
    """Report an interruption, and how to continue; return the exit code."""
    before = unfinished(out)
    say("error: interrupted; nothing was released [interrupted]")
    if before is not None:
        say(f"hint: {plural(before[0], 'file')} done; repeat the command with --resume to continue")
        say(f"hint: to give up the job, delete the folder {job_folder_path(out).name} beside OUT")
    return INTERRUPTED


def tell_plan(job: Job, as_json: bool) -> int:
    """`--dry-run`: print what would happen to every column; return the exit code."""
    units = list_inputs(job.inputs, job.read)
    made = plan_job(job, units, None)
    decisions = [
        line for o in made.opened for line in decisions_as_json(o.unit.ordinal, o.decisions)
    ]
    if as_json:
        lines = [f.as_json() for f in made.fallen]
        print(json.dumps({"columns": decisions, "withheld_files": lines}, indent=2))
        return 0
    names = {unit.ordinal: unit.relative for unit in units}
    for number, columns in groupby(decisions, key=lambda d: d["file"]):
        print(shown_place(f"file {number}", names[number]))
        for d in columns:
            word = "" if d["identifier"] is None else f" {d['identifier']}"
            header = d["header"] or "(header withheld)"
            said = f"{d['action']}{word}  [{d['decided_by']}: {d['reason']}]"
            print(f"  {d['position']:3} {header}: {said}")
    for f in made.fallen:
        print(f"{shown_place(f'file {f.file}', names[f.file])}  withheld: {reason(f.code)}")
    staying = sum(d["action"] == "withhold" for d in decisions)
    say(f"nothing was written; {staying} of {plural(len(decisions), 'column')} would be withheld")
    if staying:
        say(TO_KEEP)
    say(f"hint: {NUMBERED_FILES_NOTE}")
    return 0


def _withheld_paths(withheld: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The withheld paths of JSON, FHIR, HL7 v2 and C-CDA, each with its number of files."""
    files: dict[str, set[int]] = {}
    for column in (column for column in withheld if column["is_path"]):
        shown = (
            f"`{column['header']}`"
            if column["header"]
            else "paths that are not in the table of their format"
        )
        files.setdefault(shown, set()).add(column["file"])
    return {path: len(numbers) for path, numbers in files.items()}


def _print_summary(release: Release, out: str) -> None:
    account, tally, manifest = release.account, release.account.tally, release.manifest
    withheld = [column for column in account.columns if column["action"] == "withhold"]
    for column in (column for column in withheld if not column["is_path"]):
        header = f" `{column['header']}`" if column["header"] else ""
        place = f"file {column['file']} column {column['position']}{header}"
        say(f"{place} was withheld: {column['reason']}")
    for path, files in _withheld_paths(withheld).items():
        say(f"withheld in {plural(files, 'file')}: {path}")
    if withheld:
        say(TO_KEEP)
    say(
        f"{plural(tally.records_in, 'record')} in, {tally.records_out} out, "
        f"{tally.quarantined} quarantined; "
        f"{plural(sum(tally.replaced.values()), 'identifier')} removed"
    )
    fates = {fate: number for fate, number in account.cells.items() if fate != TEXT}
    if any(fates.values()):
        say(f"filled cells of the tables, except texts: {fate_shares(fates)}")
    if blanked := sum(tally.blanked.values()):
        cells = plural(blanked, "cell")
        say(f"{cells} of kept columns blanked; `blanked_cells` in the manifest says why")
    say(
        f"{plural(account.known_values, 'known value')} searched for in "
        f"{plural(account.searched_bytes, 'byte')}: {plural(sum(account.hits.values()), 'hit')}"
    )
    if status(manifest) == SEARCHED:
        say_unproved()
    if tally.dated_later:
        say(
            f"warning: ages in {plural(tally.dated_later, 'record')} are as of the latest date "
            "in the record, which is after the reference date [records-after-reference]"
        )
    if account.since is not None:
        _tell_since(account.since)
    if release.out is None:
        _tell_hold(release)
        return
    if tally.quarantined:
        _tell_quarantine(release.out / RELEASE_FOLDER / QUARANTINE, out)
    told = headline(manifest)
    say(f"{told[0].lower()}{told[1:]} under policy {account.policy.name}")
    say(f"evidence in {out}/{RELEASE_FOLDER}/evidence.html")


def _counted_labels(hits: Mapping[str, int] | Mapping[Identifier, int]) -> str:
    """The kinds of identifier that were hit, each with its count."""
    return ", ".join(f"{category_label(Identifier(kind))} {n}" for kind, n in hits.items() if n)


def _tell_since(since: Mapping[str, Any]) -> None:
    """Report what the earlier release holds, and which known values of this run occur in it."""
    say(f"{plural(len(since['unchanged']), 'table')} left out as unchanged since that release")
    if since["hits"]:
        words = _counted_labels(since["hits"])
        say(
            f"warning: the earlier release contains known values of this run ({words}) [since-hits]"
        )
        say("hint: scrub everything again without --since, and withdraw the earlier release")


def _tell_quarantine(path: Path, out: str) -> None:
    """Report how many records were withheld for each reason, and the first place."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        kinds.setdefault(entry["code"], []).append(entry)
    for code, entries in sorted(kinds.items()):
        first = entries[0]
        record = "" if first["record"] is None else f" record {first['record']}"
        place = f"file {first['file']}{record}"
        many = f"{len(entries)} times, first in" if len(entries) > 1 else "once, in"
        say(f"withheld: {reason(code)} ({many} {place})")
        for hit in first.get("hits", ()):
            where = "" if hit["record"] is None else f" record {hit['record']}"
            where += _in_element(hit.get("element", ""))
            label = category_label(Identifier(hit["identifier"]))
            say(f"  file {first['file']}{where}: {label}, {hit['kind']}")
        if reason(code).way_out:
            say(f"hint: {reason(code).way_out}")
    say(f"hint: {out}/{RELEASE_FOLDER}/{QUARANTINE} lists every one; {NUMBERED_FILES_NOTE}")


def _in_element(element: str) -> str:
    """The published path of a hit, as a part of its place."""
    return f" in `{element}`" if element else ""


def _tell_risk(release: Release) -> None:
    """Report the risk limits that hold the release."""
    for found in (found for found in release.account.risk or () if found["holds"]):
        place = f"limit {found['limit'] + 1} of the policy"
        if found["file"] is None:
            say(f"error: held: {place} could not be measured on any table [risk-not-measured]")
            continue
        over = ", ".join(f"{name} {value}" for name, value in found["decision"].items())
        say(
            f"error: held: file {found['file']} is over {place} ({over}; smallest class "
            f"{found['smallest_class']} of {plural(found['records'], found['unit'])}); "
            "nothing was released [risk]"
        )
        say("hint: run `deid plan` to meet a limit with the least loss of detail")


def _tell_hold(release: Release) -> None:
    """Report what holds the release, with file and record numbers to look up in the originals."""
    _tell_risk(release)
    hits = release.account.hits
    if not any(hits.values()):
        return
    words = _counted_labels(hits)
    say(f"error: held: known values remain ({words}); nothing was released [residual]")
    for hit in release.account.places[:WITHHELD_SHOWN]:
        record = "as a whole" if hit.record is None else f"record {hit.record}"
        where = f"file {hit.file} {record}{_in_element(hit.element)}"
        say(f"  {where}: {category_label(hit.word)}, {hit.kind}")
    if len(release.account.places) > WITHHELD_SHOWN:
        say(f"  and {len(release.account.places) - WITHHELD_SHOWN} more")
