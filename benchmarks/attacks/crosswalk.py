"""Attacks on a crosswalk: changes made without the engine, and restore drills."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from shutil import copy

from benchmarks.attacks.lab import Lab, Run
from deid.policy.model import policy_text

_Change = str | Callable[[sqlite3.Connection], None]
_LAST = "WHERE place = (SELECT max(place) FROM crosswalk_entries)"
_PATIENTS = "".join(f"{n:03d}A7730,F\n" for n in range(100, 130))


def attack_rows_swapped_without_the_key(lab: Lab) -> bool:
    """Swap codes, index positions or values between two rows, so that patients are mixed up."""
    return _held(
        lab,
        "crosswalk-altered",
        (
            partial(_swap, "token"),
            partial(_swap, "place"),
            "UPDATE crosswalk_entries SET token = (SELECT max(token) FROM crosswalk_entries)",
            "UPDATE crosswalk_entries SET token = zeroblob(35)",
        ),
    )


def attack_rows_taken_out(lab: Lab) -> bool:
    """Delete rows, or move them out of reach, so that known patients get new codes."""
    return _held(
        lab,
        "crosswalk-altered",
        (
            "DELETE FROM crosswalk_entries",
            f"DELETE FROM crosswalk_entries {_LAST}",
            f"UPDATE crosswalk_entries SET place = zeroblob(24) {_LAST}",
        ),
    )


def attack_head_or_audit_edited(lab: Lab) -> bool:
    """Raise the generation, cut off the end of the audit, or replace the sum over all rows."""
    return _held(
        lab,
        "crosswalk-altered",
        (
            "UPDATE crosswalk_book SET generation = generation + 9",
            "UPDATE crosswalk_book SET weight = zeroblob(40)",
            "DELETE FROM crosswalk_audit WHERE sequence > 1",
        ),
    )


def attack_objects_planted_in_the_database(lab: Lab) -> bool:
    """Add a trigger, a view, a table, an index or a default to the engine's tables."""
    return _held(
        lab,
        "schema-altered",
        (
            "CREATE TRIGGER t INSERT ON crosswalk_audit BEGIN DELETE FROM crosswalk_entries; END",
            "CREATE VIEW v AS SELECT * FROM crosswalk_entries",
            "CREATE TABLE t (x)",
            "CREATE INDEX i ON crosswalk_entries (kind)",
            "ALTER TABLE crosswalk_keys ADD COLUMN x TEXT DEFAULT 'x'",
        ),
    )


def attack_older_copy_or_another_book(lab: Lab) -> bool:
    """Replace the live crosswalk by an older copy, a drill's copy or another crosswalk."""
    key, live = _book(lab)
    copy(live, lab.here / "old.db")
    backup = lab.here / "backup.db"
    drill, other = lab.here / "drill.db", lab.here / "other.db"
    lab.deid("crosswalk", "backup", live, "-o", backup, *key)
    lab.deid("crosswalk", "restore", backup, drill, "--drill", *key)
    if _scrub(lab, live, _more(lab), out="second").code != 0:
        return False
    lab.deid("crosswalk", "init", other, "--key-file", lab.here / "other.key")
    whole = live.read_bytes()
    for put, code in (
        (lab.here / "old.db", "crosswalk-rolled-back"),
        (backup, "crosswalk-rolled-back"),
        (drill, "another-book"),
        (other, "wrong-key"),
    ):
        copy(put, live)
        if f"[{code}]" not in lab.deid("crosswalk", "stats", live, *key).stderr:
            return False
    live.write_bytes(whole)
    return lab.deid("crosswalk", "verify", live, *key).code == 0


def attack_note_of_heads_lost_or_edited(lab: Lab) -> bool:
    """Delete, empty, cut or edit the record beside the key, to hide that a copy is older."""
    key, live = _book(lab)
    note = lab.here / "key.heads"
    whole = note.read_bytes()
    damages = (None, b"", b"{}", whole[:-9], whole.replace(b'"heads": {', b'"heads": {"a": "b",'))
    for damage in damages:
        note.unlink()
        if damage is not None:
            note.write_bytes(damage)
        said = lab.deid("crosswalk", "stats", live, *key)
        if said.code != 5 or "[heads-" not in said.stderr:
            return False
        note.write_bytes(whole)
    return lab.deid("crosswalk", "stats", live, *key).code == 0


def attack_restore_drill_locks_the_live_book(lab: Lab) -> bool:
    """Restore a backup elsewhere, as a drill and for real; the live crosswalk must still open."""
    key, live = _book(lab)
    backup = lab.here / "backup.db"
    runs = [lab.deid("crosswalk", "backup", live, "-o", backup, *key)]
    for name, drill in (("one.db", ()), ("two.db", ("--drill",))):
        runs.append(lab.deid("crosswalk", "restore", backup, lab.here / name, *drill, *key))
        runs.append(lab.deid("crosswalk", "verify", lab.here / name, *key))
        runs.append(lab.deid("crosswalk", "verify", live, *key))
    runs.append(_scrub(lab, live, _more(lab), out="second"))
    refused = _scrub(lab, lab.here / "two.db", _more(lab), out="third")
    return all(run.code == 0 for run in runs) and "[drill-copy]" in refused.stderr


def _held(lab: Lab, code: str, changes: Iterable[_Change]) -> bool:
    """Whether a job refuses every change with `code`, `verify` reports it, and nothing is
    released.
    """
    key, live = _book(lab)
    whole = live.read_bytes()
    more = _more(lab)
    for number, change in enumerate(changes):
        with closing(sqlite3.connect(live, isolation_level=None)) as db:
            if isinstance(change, str):
                db.execute(change)
            else:
                change(db)
        told = lab.deid("crosswalk", "verify", live, *key)
        out = f"refused{number}"
        job = _scrub(lab, live, more, out=out)
        if told.code != 5 or job.code != 5 or f"[{code}]" not in job.stderr:
            return False
        if (lab.here / out).exists():
            return False
        live.write_bytes(whole)
    return lab.deid("crosswalk", "verify", live, *key).code == 0


def _book(lab: Lab) -> tuple[tuple[str, Path], Path]:
    """A crosswalk that one job has used: the option that opens it, and its file."""
    live, key = lab.here / "live.db", lab.here / "key"
    lab.deid("crosswalk", "init", live, "--key-file", key)
    table = lab.write("first/patients.csv", "mrn,sex\n" + _PATIENTS)
    assert _scrub(lab, live, table).code == 0
    return ("--key-file", key), live


def _more(lab: Lab) -> Path:
    """The same patients and one new patient."""
    return lab.write("more/patients.csv", f"mrn,sex\n{_PATIENTS}777A7730,M\n")


def _scrub(lab: Lab, book: Path, table: Path, out: str = "out") -> Run:
    coded = policy_text("safe_harbor").replace("  mrns: tag", "  mrns: code")
    policy = lab.write("coded.yaml", coded)
    options = ("--policy", policy, "--crosswalk", book, "--key-file", lab.here / "key")
    return lab.scrub(table, *options, out=out)


def _swap(column: str, db: sqlite3.Connection) -> None:
    """Swap a column between two rows, by way of a value that no row has."""
    asked = f"SELECT {column}, sealed FROM crosswalk_entries ORDER BY place LIMIT 2"
    (mine, one), (yours, two) = db.execute(asked).fetchall()
    for value, row in ((bytes(24), one), (mine, two), (yours, one)):
        db.execute(f"UPDATE crosswalk_entries SET {column} = ? WHERE sealed = ?", (value, row))
