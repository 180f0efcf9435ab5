"""Every way to change a crosswalk from outside is detected, with both kinds of store."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deid.crosswalk import Crosswalk, CrosswalkError, verify
from deid.crosswalk.audit.chain import AuditHead
from deid.crosswalk.keys.master_keys import SecretKey
from safe_harbor import Identifier as I

PEOPLE = [(f"p{n}", f"MRN{n:05d}") for n in range(40)]
Tamper = Callable[[Callable[..., list[Any]]], None]


def _sql(place: str | Path) -> tuple[Callable[..., list[Any]], Callable[[], None]]:
    """Runs statements directly on the tables, behind the engine's back."""
    if isinstance(place, Path):
        db: Any = sqlite3.connect(place, isolation_level=None)
    else:
        import psycopg

        db = psycopg.connect(place, autocommit=True)

    def run(statement: str, *values: Any) -> list[Any]:
        cursor = db.execute(
            statement if isinstance(place, Path) else statement.replace("?", "%s"), values
        )
        return cursor.fetchall() if cursor.description else []

    return run, db.close


def _two(run: Callable[..., list[Any]], column: str) -> list[Any]:
    return run(
        f"SELECT place, {column} FROM crosswalk_entries WHERE kind = 'mrns' ORDER BY place LIMIT 2"
    )


def _swap(column: str) -> Tamper:
    def tamper(run: Callable[..., list[Any]]) -> None:
        (first, mine), (second, yours) = _two(run, column)
        run(f"UPDATE crosswalk_entries SET {column} = ? WHERE place = ?", yours, first)
        run(f"UPDATE crosswalk_entries SET {column} = ? WHERE place = ?", mine, second)

    return tamper


def _swap_places(run: Callable[..., list[Any]]) -> None:
    (first, _), (second, _) = _two(run, "place")
    for old, new in ((first, bytes(24)), (second, first), (bytes(24), second)):
        run("UPDATE crosswalk_entries SET place = ? WHERE place = ?", new, old)


def _edit(column: str) -> Tamper:
    def tamper(run: Callable[..., list[Any]]) -> None:
        place, content = _two(run, column)[0]
        changed = bytes(content)[:-1] + bytes([bytes(content)[-1] ^ 1])
        run(f"UPDATE crosswalk_entries SET {column} = ? WHERE place = ?", changed, place)

    return tamper


def _edit_event(run: Callable[..., list[Any]]) -> None:
    sealed = bytes(run("SELECT sealed FROM crosswalk_audit WHERE sequence = 2")[0][0])
    other = sealed[:-1] + bytes((sealed[-1] ^ 1,))
    run("UPDATE crosswalk_audit SET sealed = ? WHERE sequence = 2", other)


def _swap_events(run: Callable[..., list[Any]]) -> None:
    rows = {
        n: (bytes(s), bytes(h))
        for n, s, h in run("SELECT sequence, sealed, hash FROM crosswalk_audit")
    }
    for target, source in ((2, 3), (3, 2)):
        run(
            "UPDATE crosswalk_audit SET sealed = ?, hash = ? WHERE sequence = ?",
            *rows[source],
            target,
        )


TAMPERINGS: dict[str, tuple[Tamper, str]] = {
    "cut tail": (
        lambda run: void(run("DELETE FROM crosswalk_audit WHERE sequence >= 4")),
        "tail-cut",
    ),
    "no audit": (lambda run: void(run("DELETE FROM crosswalk_audit")), "tail-cut"),
    "cut middle": (
        lambda run: void(run("DELETE FROM crosswalk_audit WHERE sequence = 3")),
        "event-missing",
    ),
    "edited event": (_edit_event, "event-altered"),
    "swapped events": (_swap_events, "event-altered"),
    "head set back": (
        lambda run: void(run("UPDATE crosswalk_book SET sequence = sequence - 1")),
        "head-not-signed",
    ),
    "lower generation": (
        lambda run: void(run("UPDATE crosswalk_book SET generation = 1")),
        "head-not-signed",
    ),
    "other signer": (
        lambda run: void(run("UPDATE crosswalk_book SET public = ?", bytes(32))),
        "other-signer",
    ),
    "edited value": (_edit("sealed"), "row-altered"),
    "edited code": (_edit("token"), "row-altered"),
    "edited mark": (_edit("mark"), "row-altered"),
    "swapped values": (_swap("sealed"), "row-altered"),
    "swapped codes": (_swap("token"), "row-altered"),
    "swapped places": (_swap_places, "row-altered"),
    "other kind": (
        lambda run: void(
            run(
                "UPDATE crosswalk_entries SET kind = 'ssns' WHERE place = ?",
                _two(run, "place")[0][0],
            )
        ),
        "row-altered",
    ),
    "row taken out": (
        lambda run: void(
            run("DELETE FROM crosswalk_entries WHERE place = ?", _two(run, "place")[0][0])
        ),
        "row-missing",
    ),
    "surrogates taken out": (
        lambda run: void(run("DELETE FROM crosswalk_entries WHERE kind = 'names.surrogate'")),
        "row-missing",
    ),
    "edited surrogate": (
        lambda run: void(
            run("UPDATE crosswalk_entries SET token = sealed WHERE kind = 'names.surrogate'")
        ),
        "row-altered",
    ),
}


def void(rows: list[Any]) -> None:
    """Discard the result of a tampering, which returns nothing."""


def _fill(book: Crosswalk) -> str:
    for start in range(0, len(PEOPLE), 10):
        codes = book.codes(I.MRNS, PEOPLE[start : start + 10])
    book.keep("names.surrogate", [("p0", "given")], lambda at: "Rosa")
    book.reveal(codes[0], user="u", reason="r")
    return codes[0]


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_every_tampering_is_detected(
    store: str, tmp_path: Path, key: SecretKey, request: pytest.FixtureRequest
) -> None:
    missed = []
    for number, (name, (tamper, fault)) in enumerate(TAMPERINGS.items()):
        place: str | Path = tmp_path / f"book{number}.db"
        if store == "postgresql":
            import psycopg

            url = request.getfixturevalue("own_database")
            with psycopg.connect(url, autocommit=True) as admin:
                admin.execute(f"CREATE SCHEMA b{number}")  # type: ignore[arg-type]
            place = f"{url}?options=-csearch_path%3Db{number}"
        with Crosswalk.create(place, key) as book:
            _fill(book)
            assert verify(book) == ()
        run, close = _sql(place)
        tamper(run)
        close()
        with Crosswalk.open(place, key, inspect=True) as book:
            if fault not in {found.code for found in verify(book)}:
                missed.append((name, {found.code for found in verify(book)}))
            book.forget()
    assert missed == []


def test_a_file_rolled_back_is_refused_and_named(tmp_path: Path, key: SecretKey) -> None:
    with Crosswalk.create(tmp_path / "book.db", key) as book:
        book.codes(I.MRNS, PEOPLE[:10])
    shutil.copy(tmp_path / "book.db", tmp_path / "old.db")
    with Crosswalk.open(tmp_path / "book.db", key) as book:
        book.codes(I.MRNS, PEOPLE)
        manifest = AuditHead.parse(str(book.head()))
    shutil.copy(tmp_path / "old.db", tmp_path / "book.db")
    with pytest.raises(CrosswalkError) as refused:
        Crosswalk.open(tmp_path / "book.db", key)
    assert refused.value.code == "crosswalk-rolled-back"
    with Crosswalk.open(tmp_path / "book.db", key, accept_older=True) as book:
        assert [fault.code for fault in verify(book)] == ["rolled-back"]
        # Without the head file beside the key, the manifest of a release still shows the roll-back.
        (tmp_path / "key.heads").unlink()
        assert [fault.code for fault in verify(book)] == ["heads-missing"]
        faults = verify(book, [manifest])
        assert [fault.code for fault in faults] == ["heads-missing", "rolled-back"]


def test_an_old_copy_that_was_used_separately_is_detected(tmp_path: Path, key: SecretKey) -> None:
    with Crosswalk.create(tmp_path / "book.db", key) as book:
        book.codes(I.MRNS, PEOPLE[:10])
    shutil.copy(tmp_path / "book.db", tmp_path / "fork.db")
    with Crosswalk.open(tmp_path / "book.db", key) as book:
        book.codes(I.MRNS, PEOPLE[:20])
        manifest = AuditHead.parse(str(book.head()))
    with Crosswalk.open(tmp_path / "fork.db", key, accept_older=True) as fork:
        for start in range(10, 40, 10):
            fork.codes(I.MRNS, PEOPLE[start : start + 10])
        assert fork.generation > manifest.generation
        assert [fault.code for fault in verify(fork, [manifest])] == ["rolled-back"] * 2
        fork.forget()


def test_a_manifest_of_another_crosswalk_or_with_a_forged_head_is_reported(
    book: Crosswalk, tmp_path: Path, key: SecretKey
) -> None:
    with Crosswalk.create(tmp_path / "other.db", key) as other:
        foreign = other.head()
    forged = replace(book.head(), generation=book.generation + 1)
    faults = verify(book, [book.head(), foreign, forged])
    assert [fault.code for fault in faults] == ["other-book", "manifest-forged"]


def test_a_head_reads_back_from_its_line(book: Crosswalk) -> None:
    assert AuditHead.parse(str(book.head())) == book.head()
    assert AuditHead.parse(str(book.head())).holds(book.store.state().public)
    for line in ("", "a.b.c", str(book.head())[:-4] + "!", str(book.head()) + ".x"):
        with pytest.raises(ValueError, match="head"):
            AuditHead.parse(line)
